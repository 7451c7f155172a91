#include "ui/plots/ticks.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace trainyard::ui {
namespace {

struct ChartText {
  Q_DECLARE_TR_FUNCTIONS(ChartText)
};

// At most `digits` decimals, trailing zeros dropped.
QString shortNumber(double value, int digits) {
  QString text = QString::number(value, 'f', std::clamp(digits, 0, 10));
  if (text.contains(QLatin1Char('.'))) {
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  }
  return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

// The decimals that tell ticks of this distance apart: 1 for 2.5, 2 for 0.05.
int decimalsOf(double step) {
  if (!(step > 0)) return 6;
  double scaled = step;
  for (int digits = 0; digits < 10; ++digits, scaled *= 10) {
    if (scaled >= 0.999 && std::fabs(scaled - std::round(scaled)) < 1e-6 * scaled) return digits;
  }
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(step))), 0, 10);
}

QString scaled(double value, double step, double unit, const char* suffix) {
  return shortNumber(value / unit, decimalsOf(step / unit)) + QLatin1String(suffix);
}

QString numberText(double value, double step) {
  const double size = std::fabs(value);
  if (size >= 1e9) return scaled(value, step, 1e9, "G");
  if (size >= 1e6) return scaled(value, step, 1e6, "M");
  if (size >= 1e3) return scaled(value, step, 1e3, "k");
  if (value == 0) return QStringLiteral("0");
  if (size < 1e-3) {
    QString text = QString::number(value, 'e', 1);
    return text.replace(QLatin1String(".0e"), QLatin1String("e"))
        .replace(QLatin1String("e-0"), QLatin1String("e-"))
        .replace(QLatin1String("e+0"), QLatin1String("e"));
  }
  return shortNumber(value, decimalsOf(step));
}

QString timeText(double seconds, double step) {
  const auto whole = static_cast<qint64>(std::llround(seconds));
  if (whole == 0) return QStringLiteral("0");
  if (step < 60 && std::llabs(whole) < 3600) {
    return whole < 60 ? ChartText::tr("%1 s").arg(whole) : QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
  }
  if (whole < 3600) return ChartText::tr("%1 min").arg(whole / 60);
  if (whole < 48 * 3600 || step < 24 * 3600) {
    const auto minutes = whole / 60 % 60;
    return minutes == 0 ? ChartText::tr("%1 h").arg(whole / 3600) : QStringLiteral("%1:%2").arg(whole / 3600).arg(minutes, 2, 10, QLatin1Char('0'));
  }
  return ChartText::tr("%1 d").arg(shortNumber(static_cast<double>(whole) / 86400, 1));
}

QString bytesText(double bytes, double step) {
  static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  if (bytes == 0) return QStringLiteral("0");
  int unit = 0;
  double divisor = 1;
  while (std::fabs(bytes) / divisor >= 1024 && unit < 4) {
    divisor *= 1024;
    ++unit;
  }
  return shortNumber(bytes / divisor, step > 0 ? decimalsOf(step / divisor) : 1) + QLatin1String(kUnits[unit]);
}

// Two digits of what the logarithm stands for.
QString decadeText(double logarithm) {
  const double value = std::pow(10.0, logarithm);
  return value < 1e-3 ? numberText(value, value / 10) : shortNumber(value, std::max(0, 1 - static_cast<int>(std::floor(logarithm + 1e-9))));
}

double roundNumber(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

double roundTime(double rough) {
  static constexpr double kSteps[] = {1,       2,       5,      10,         15,         30,         60,          2 * 60,      5 * 60,     10 * 60,
                                      15 * 60, 30 * 60, 3600.0, 2 * 3600.0, 3 * 3600.0, 6 * 3600.0, 12 * 3600.0, 24 * 3600.0, 48 * 3600.0};
  for (double step : kSteps) {
    if (rough <= step) return step;
  }
  return 86400 * roundNumber(rough / 86400);
}

}  // namespace

QString tickText(double value, AxisUnit unit, double step) {
  switch (unit) {
    case AxisUnit::Seconds:
      return timeText(value, step);
    case AxisUnit::Percent:
      return shortNumber(100 * value, decimalsOf(100 * step)) + QStringLiteral(" %");
    case AxisUnit::Bytes:
      return bytesText(value, step);
    case AxisUnit::Decades:
      return decadeText(value);
    default:
      return numberText(std::fabs(value) < step * 1e-6 ? 0 : value, step);
  }
}

double tickStep(double span, int wanted, AxisUnit unit) {
  const double rough = span / std::max(1, wanted);
  if (!(rough > 0) || !std::isfinite(rough)) return 1;
  switch (unit) {
    case AxisUnit::Seconds:
      return roundTime(rough);
    case AxisUnit::Updates:
    case AxisUnit::Epochs:
    case AxisUnit::Decades:
      return std::max(1.0, roundNumber(rough));
    case AxisUnit::Bytes: {
      const double power = std::pow(1024.0, std::max(0.0, std::floor(std::log2(rough) / 10)));
      return power * std::pow(2.0, std::ceil(std::log2(rough / power)));
    }
    default:
      return roundNumber(rough);
  }
}

QString valueText(double value, AxisUnit unit) {
  if (std::isnan(value)) return QStringLiteral("–");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  switch (unit) {
    case AxisUnit::Updates:
      return QLocale().toString(std::llround(value));
    case AxisUnit::Epochs:
      return shortNumber(value, 2);
    case AxisUnit::Seconds:
      return timeText(value, 1);
    case AxisUnit::Percent:
      return shortNumber(100 * value, 2) + QStringLiteral(" %");
    case AxisUnit::Bytes:
      return bytesText(value, 0);
    case AxisUnit::Decades:
      return decadeText(value);
    default: {
      const double size = std::fabs(value);
      if (size == 0) return QStringLiteral("0");
      if (size >= 1e4) return QLocale().toString(std::llround(value));
      return size < 1e-3 ? numberText(value, 1e-5) : shortNumber(value, std::max(0, 3 - static_cast<int>(std::floor(std::log10(size)))));
    }
  }
}

}  // namespace trainyard::ui
