#include "ui/pages/run/event_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct EventText {
  Q_DECLARE_TR_FUNCTIONS(EventText)
};

QString field(const runs::Event& event, const char* key) {
  return event.fields.contains(key) && event.fields.at(key).is_string() ? QString::fromStdString(event.fields.at(key).get<std::string>()) : QString();
}

QString stepOf(const runs::Event& event) { return formatNumber(event.step.value_or(0)); }

QString settingName(const QString& key) { return key == QLatin1String("lr") ? EventText::tr("Learning rate") : key; }

// Live changes of most keys are numbers; a few are words.
QString settingText(const runs::Event& event, const char* key) {
  const QString words = field(event, key);
  return words.isEmpty() || std::isfinite(event.number(key)) ? rateText(event.number(key)) : words;
}

QString checkpointText(const runs::Event& event) {
  QString text = EventText::tr("checkpoint step %1 saved").arg(stepOf(event));
  const double seconds = event.number("seconds"), stall = event.number("stall_ms");
  if (std::isfinite(seconds)) text = EventText::tr("checkpoint step %1 saved in %2 s").arg(stepOf(event), QString::number(seconds, 'f', seconds < 1 ? 2 : 1));
  if (std::isfinite(stall)) text += EventText::tr(" (training waited %1 ms)").arg(std::llround(stall));
  if (event.fields.contains("best") && event.fields.at("best") == true) text += EventText::tr(", the best so far");
  return text;
}

QString splitName(const QString& split) {
  if (split == QLatin1String("test")) return EventText::tr("test");
  if (split == QLatin1String("validation_ema")) return EventText::tr("validation with averaged weights:");
  return split == QLatin1String("train") ? EventText::tr("training") : EventText::tr("validation");
}

QString evalText(const runs::Event& event) {
  QString text = EventText::tr("step %1: %2 loss %3").arg(stepOf(event), splitName(field(event, "split")), lossText(event.number("loss")));
  if (!event.fields.contains("metrics") || !event.fields.at("metrics").is_object()) return text;
  for (const auto& [name, value] : event.fields.at("metrics").items())
    text += QStringLiteral(", %1 %2").arg(metricName(name).toLower(), metricText(name, numberFrom(value)));
  return text;
}

QString failedText(const runs::Event& event) {
  QStringList parts{field(event, "what")};
  if (!field(event, "where").isEmpty()) parts << field(event, "where");
  if (!field(event, "hint").isEmpty()) parts << field(event, "hint");
  return EventText::tr("failed: %1").arg(parts.join(QStringLiteral(" – ")));
}

QString endText(const runs::Event& event) {
  const QString steps = formatNumber(static_cast<qlonglong>(event.number("steps", static_cast<double>(event.step.value_or(0)))));
  const QString time = durationText(event.number("seconds"));
  return event.type == "finished" ? EventText::tr("finished: %1 steps in %2").arg(steps, time) : EventText::tr("stopped at step %1 after %2").arg(steps, time);
}

}  // namespace

QString eventText(const runs::Event& event) {
  if (event.type == "step" || event.type == "device" || event.type == "ranks") return {};
  if (event.type == "run_started") {
    return EventText::tr("started: %1 steps, %2 epochs, %3 parameters")
        .arg(formatNumber(static_cast<qlonglong>(event.number("steps_total", 0))), formatNumber(static_cast<qlonglong>(event.number("epochs", 0))),
             formatNumber(static_cast<qlonglong>(event.number("parameters", 0))));
  }
  if (event.type == "resumed") return EventText::tr("Continued from step %1: same data order and optimizer state.").arg(stepOf(event));
  if (event.type == "eval") return evalText(event);
  if (event.type == "checkpoint") return checkpointText(event);
  if (event.type == "set")
    return EventText::tr("%1 changed from %2 to %3 at step %4")
        .arg(settingName(field(event, "key")), settingText(event, "from"), settingText(event, "to"), stepOf(event));
  if (event.type == "notice") return field(event, "text").isEmpty() ? field(event, "code") : field(event, "text");
  if (event.type == "paused") return EventText::tr("paused at step %1").arg(stepOf(event));
  if (event.type == "released") return EventText::tr("saved, and the memory given back, at step %1").arg(stepOf(event));
  if (event.type == "continued") return EventText::tr("went on at step %1").arg(stepOf(event));
  if (event.type == "failed") return failedText(event);
  if (event.type == "finished" || event.type == "stopped") return endText(event);
  return QString::fromStdString(event.type);
}

}  // namespace trainyard::ui
