#include "ui/forms/number_text.h"

#include <QLocale>
#include <array>
#include <charconv>
#include <cmath>

namespace trainyard::ui {
namespace {

constexpr double kSmallestStep = 1e-5;
constexpr double kPlainFrom = 1e-3;
constexpr double kPlainTo = 1e9;

}  // namespace

QString numberText(double value) {
  if (value == 0) return QStringLiteral("0");
  if (!std::isfinite(value)) return QString::number(value);
  const bool plain = std::abs(value) >= kPlainFrom && std::abs(value) < kPlainTo;
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, plain ? std::chars_format::fixed : std::chars_format::scientific).ptr;
  QString text = QString::fromLatin1(buffer.data(), end - buffer.data());
  if (plain) return text;
  // "2e-04" → "2e-4"
  const int e = int(text.indexOf('e'));
  return QString("%1e%2").arg(text.left(e)).arg(text.mid(e + 1).toInt());
}

std::optional<double> numberFromText(const QString& text) {
  QString clean = text.simplified().remove(' ');
  clean.replace(QChar(0x2212), '-');
  bool ok = false;
  const double value = QLocale::c().toDouble(clean, &ok);
  if (!ok || clean.contains(',') || !std::isfinite(value)) return std::nullopt;
  return value;
}

double stepOneTwoFive(double value, bool up) {
  if (value < 0) return -stepOneTwoFive(-value, !up);
  if (value == 0) return up ? kSmallestStep : -kSmallestStep;
  const int decade = int(std::floor(std::log10(value) + 1e-9));
  // Steps as decimal text, so that 2e-4 is the number people would have typed.
  const auto at = [](int mantissa, int exponent) { return QString("%1e%2").arg(mantissa).arg(exponent).toDouble(); };
  const std::array<double, 5> around = {at(5, decade - 1), at(1, decade), at(2, decade), at(5, decade), at(1, decade + 1)};
  const double slack = 1e-9 * value;
  if (up) {
    for (const double step : around) {
      if (step > value + slack) return step;
    }
    return at(2, decade + 1);
  }
  if (value <= kSmallestStep + slack) return 0;
  for (size_t i = around.size(); i-- > 0;) {
    if (around[i] < value - slack) return around[i];
  }
  return at(2, decade - 1);
}

}  // namespace trainyard::ui
