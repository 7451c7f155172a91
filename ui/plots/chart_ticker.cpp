#include <cmath>

#include "ui/plots/chart_parts.h"
#include "ui/plots/ticks.h"

namespace trainyard::ui {

double ChartTicker::getTickStep(const QCPRange& range) {
  step_ = tickStep(range.size(), wanted, unit);
  return step_;
}

QVector<double> ChartTicker::createTickVector(double step, const QCPRange& range) {
  QVector<double> ticks;
  if (log && range.lower > 0) {
    const int first = static_cast<int>(std::floor(std::log10(range.lower))), last = static_cast<int>(std::ceil(std::log10(range.upper)));
    const bool fine = last - first <= 3;
    for (int power = first; power <= last; ++power) {
      for (double factor : {1.0, 2.0, 5.0}) {
        if (factor > 1 && !fine) break;
        const double tick = factor * std::pow(10.0, power);
        if (tick >= range.lower * 0.999 && tick <= range.upper * 1.001) ticks.push_back(tick);
      }
    }
    return ticks;
  }
  if (!(step > 0)) return ticks;
  const auto first = static_cast<qint64>(std::ceil(range.lower / step - 1e-6)), last = static_cast<qint64>(std::floor(range.upper / step + 1e-6));
  for (qint64 i = first; i <= last && ticks.size() < 100; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

QString ChartTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return tickText(tick, unit, log ? tick : step_); }

}  // namespace trainyard::ui
