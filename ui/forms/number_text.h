#pragma once
// Numbers in fields: written short, read leniently, stepped the way people tune them.
#include <QString>
#include <optional>

namespace trainyard::ui {

// The shortest text that reads back as the same number; below 0.001 as "2e-4". Never with thousands separators.
QString numberText(double value);

// The reverse; spaces, a leading "+" and "−" are fine. nullopt for anything else.
std::optional<double> numberFromText(const QString& text);

// The next value up or down of 1-2-5 steps: 1e-3 → 2e-3 → 5e-3 → 1e-2. From 0 up: 1e-5; below 1e-5 down: 0. Negative numbers mirror.
double stepOneTwoFive(double value, bool up);

}  // namespace trainyard::ui
