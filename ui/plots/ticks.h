#pragma once
// Numbers beside axes: short, and round in the unit of the axis.
#include <QString>
#include <QVector>

#include "ui/plots/line_chart.h"

namespace trainyard::ui {

// "0", "3k", "1.5M"; "30 s", "10 min", "1 h 30"; "50 %"; "2 GiB"; "2e-4". `step`: the distance between ticks, which sets the digits.
QString tickText(double value, AxisUnit unit, double step);

// A round distance between ticks, so that about `wanted` of them fall into `span`: 1-2-5 in numbers, whole updates, epochs and round
// times (15 min, 6 h), powers of two in bytes.
double tickStep(double span, int wanted, AxisUnit unit);

// A value for a crosshair's box: more digits than on the axis.
QString valueText(double value, AxisUnit unit);

}  // namespace trainyard::ui
