#pragma once
// What the hardware means for training, in the window's language: sentences for the codes and values that core/hardware gives.
#include <QString>

#include "core/hardware/hardware.h"

namespace trainyard::ui {

QString adviceText(const hardware::Advice& advice);

// One sentence about the whole computer.
QString computerVerdict(const std::vector<hardware::Advice>& advice);
hardware::Level computerLevel(const std::vector<hardware::Advice>& advice);

}  // namespace trainyard::ui
