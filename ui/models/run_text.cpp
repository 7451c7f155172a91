#include "ui/models/run_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "ui/forms/number_text.h"
#include "ui/plots/ticks.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct RunText {
  Q_DECLARE_TR_FUNCTIONS(RunText)
};

QString two(qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); }

}  // namespace

QString durationText(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return QStringLiteral("–");
  const auto whole = static_cast<qint64>(std::llround(seconds));
  if (whole < 60) return RunText::tr("%1 s").arg(whole);
  if (whole < 600) return RunText::tr("%1 min %2 s").arg(whole / 60).arg(two(whole % 60));
  if (whole < 3600) return RunText::tr("%1 min").arg(whole / 60);
  if (whole < 48 * 3600) return RunText::tr("%1 h %2 min").arg(whole / 3600).arg(two(whole / 60 % 60));
  return RunText::tr("%1 d %2 h").arg(whole / 86400).arg(whole / 3600 % 24);
}

QString clockText(double unix_seconds) {
  if (!std::isfinite(unix_seconds) || unix_seconds <= 0) return QStringLiteral("–");
  const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(unix_seconds * 1000));
  const QString clock = time.toString(QStringLiteral("HH:mm"));
  if (time.date() == QDate::currentDate()) return clock;
  return QLocale().toString(time.date(), time.date().year() == QDate::currentDate().year() ? RunText::tr("MMM d") : RunText::tr("MMM d, yyyy")) +
         QLatin1Char(' ') + clock;
}

QString clockSecondsText(double unix_seconds) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(unix_seconds * 1000)).toString(QStringLiteral("HH:mm:ss"));
}

QString percentText(double share, int digits) {
  return std::isfinite(share) ? QLocale().toString(100 * share, 'f', digits) + QStringLiteral(" %") : QStringLiteral("–");
}

QString metricName(const std::string& metric) {
  if (metric == "accuracy" || metric.empty()) return RunText::tr("Accuracy");
  if (metric == "loss") return RunText::tr("Loss");
  // The catalogue names those by which a checkpoint can be the best.
  for (const auto& spec : catalogue::findSection("checkpoint")->params) {
    if (spec.key != "metric") continue;
    for (const auto& option : spec.choices) {
      if (option.id == metric) return catalogueText(option.title);
    }
  }
  QString name = QString::fromStdString(metric);
  name.replace(QLatin1Char('_'), QLatin1Char(' '));
  return name.left(1).toUpper() + name.mid(1);
}

bool isShare(const std::string& metric) {
  return metric == "accuracy" || metric == "top5" || metric.rfind("f1", 0) == 0 || metric.rfind("precision", 0) == 0 || metric.rfind("recall", 0) == 0;
}

QString metricText(const std::string& metric, double value) {
  if (std::isnan(value)) return QStringLiteral("–");
  return isShare(metric) ? percentText(value) : lossText(value);
}

QString lossText(double value) {
  if (std::isnan(value)) return QStringLiteral("–");
  if (std::isinf(value)) return RunText::tr("not finite");
  return valueText(value, AxisUnit::Number);
}

QString rateText(double rate) { return numberText(rate); }

QString deviceName(const std::string& device) {
  if (device == "cpu") return RunText::tr("CPU");
  if (device.rfind("cuda:", 0) == 0) return RunText::tr("GPU %1").arg(QString::fromStdString(device.substr(5)));
  return QString::fromStdString(device);
}

}  // namespace trainyard::ui
