#pragma once
// An event as a sentence for the log; empty for those that only feed curves (step, device).
#include <QString>

#include "core/runs/event.h"

namespace trainyard::ui {

QString eventText(const runs::Event& event);

}  // namespace trainyard::ui
