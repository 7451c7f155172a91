#pragma once
// What of a curve has to be drawn: pure functions on arrays. x ascends; y may hold NaN and infinities.
#include <QVector>

namespace trainyard::ui {

struct Points {
  QVector<double> x, y;
};

// The points from x_from to x_to and one neighbour on each side, so that lines reach the edges. Where more than two fall into one of the
// `columns` pixel columns, only its lowest and highest stay, in the order in which they came: what is seen does not change. A gap (NaN,
// infinity) inside a thinned column is kept only when the column holds nothing else.
Points decimate(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to, int columns);

struct ValueRange {
  double low = 0, high = 0;
  bool valid = false;
};

// Finite values between x_from and x_to, all of them.
ValueRange fullRange(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to);

// From the 1st to the 99th percentile (nearest rank) of the finite values between x_from and x_to. An extreme that lies within a quarter
// of that span beyond it is included: only spikes are cut.
ValueRange robustRange(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to);

ValueRange united(const ValueRange& a, const ValueRange& b);

// Values above `high` or below `low`, infinities too: one a pixel column and side.
struct Spike {
  double x = 0;
  bool above = true;
};
QVector<Spike> spikes(const QVector<double>& x, const QVector<double>& y, double x_from, double x_to, int columns, double low, double high);

// The index of the point nearest to `at`; -1 for no points.
qsizetype nearestIndex(const QVector<double>& x, double at);

}  // namespace trainyard::ui
