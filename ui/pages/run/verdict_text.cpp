#include "ui/pages/run/verdict_text.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct VerdictText {
  Q_DECLARE_TR_FUNCTIONS(VerdictText)
};
using runs::Verdict;

double value(const Json& values, const char* key) { return values.contains(key) ? numberFrom(values.at(key)) : qQNaN(); }

QString count(const Json& values, const char* key) {
  const double number = value(values, key);
  return std::isfinite(number) ? formatNumber(std::llround(number)) : QStringLiteral("–");
}

QString share(const Json& values, const char* key) {
  const double number = value(values, key);
  return std::isfinite(number) ? QStringLiteral("%1 %").arg(std::llround(100 * number)) : QStringLiteral("–");
}

BarText bad(const QString& title, const QString& sentence, BarAction action, const QString& action_text, const QString& why) {
  return {Tone::Bad, title, sentence, action, action_text, why};
}
BarText caution(const QString& title, const QString& sentence, BarAction action, const QString& action_text, const QString& why) {
  return {Tone::Caution, title, sentence, action, action_text, why};
}

BarText troubled(Verdict verdict, const Json& v, const RunSeries& series) {
  const QString lower = VerdictText::tr("Learning rate ÷ 10");
  switch (verdict) {
    case Verdict::Silent:
      return bad(
          VerdictText::tr("Silent"), VerdictText::tr("Nothing has been heard from the training program for %1.").arg(durationText(value(v, "seconds"))),
          BarAction::ShowLog, VerdictText::tr("Open log"),
          VerdictText::tr("A training program tells once a second how its devices are. When that stops for 30 s it is suspended, or the disk of the run does "
                          "not take its lines."));
    case Verdict::Stalled:
      return bad(
          VerdictText::tr("Stalled"), VerdictText::tr("No update for %1.").arg(durationText(value(v, "seconds"))), BarAction::ShowLog,
          VerdictText::tr("Open log"),
          VerdictText::tr("The program lives, but has done no update for more than a minute and 20 times its usual. The data's disk or network may hang."));
    case Verdict::Broken:
      return bad(VerdictText::tr("Broken"), VerdictText::tr("Broke at step %1: the loss is no longer finite.").arg(count(v, "step")), BarAction::Stop,
                 VerdictText::tr("Stop"), VerdictText::tr("Most often the learning rate is too high for this model or precision."));
    case Verdict::Diverging:
      return bad(
          VerdictText::tr("Diverging"),
          VerdictText::tr("The training loss has risen from %1 to %2.").arg(lossText(value(v, "lowest")), lossText(value(v, "loss"))), BarAction::LowerRate,
          lower,
          VerdictText::tr("The smoothed loss has been far above its lowest value for 50 updates, more than its usual noise explains. A lower learning rate "
                          "usually helps."));
    case Verdict::NotLearning:
      return caution(
          VerdictText::tr("Not learning"),
          VerdictText::tr("After %1 updates the loss is still %2; it began at %3.")
              .arg(count(v, "step"), lossText(value(v, "loss")), lossText(value(v, "first_loss"))),
          BarAction::ShowRate, VerdictText::tr("Show learning rate"),
          VerdictText::tr(
              "The loss has hardly fallen, and the answers are no better than always naming the largest class. The learning rate may be far too low or too "
              "high, or pictures and labels do not belong together."));
    case Verdict::Overfitting: {
      const QString epoch = formatNumber(std::llround(value(v, "epoch")) + 1);
      return caution(
          VerdictText::tr("Overfitting"),
          VerdictText::tr("Since epoch %1 it is memorising: training improves, validation worsens. Epoch %1 is kept.").arg(epoch), BarAction::Stop,
          VerdictText::tr("Stop"),
          VerdictText::tr("The validation loss was lowest in epoch %1 and has risen since, while the training loss went on falling. More pictures or "
                          "stronger augmentation help; more epochs do not.")
              .arg(epoch));
    }
    case Verdict::LevelledOff:
      return caution(VerdictText::tr("Levelled off"),
                     VerdictText::tr("Nothing gained since epoch %1 (best %2).")
                         .arg(formatNumber(std::llround(value(v, "epoch")) + 1), metricText(series.metric_name, series.best)),
                     BarAction::LowerRate, lower,
                     VerdictText::tr("The best result has moved by less than chance would explain, and the schedule has no drop of the learning rate ahead."));
    default:
      break;
  }
  return {};
}

QString slowCause(const Json& v) {
  const std::string cause = v.contains("cause") && v.at("cause").is_string() ? v.at("cause").get<std::string>() : "";
  if (cause == "data") return VerdictText::tr("It waits longer for data than before.");
  if (cause == "communication") return VerdictText::tr("The devices take longer to exchange gradients than before.");
  if (cause == "heat") return VerdictText::tr("The device has become hot and runs slower.");
  if (cause == "compute") return VerdictText::tr("The computing itself has become slower: another program may be using the machine.");
  return {};
}

BarText slow(Verdict verdict, const Json& v) {
  const QString show = VerdictText::tr("Show speed");
  switch (verdict) {
    case Verdict::WaitingForData: {
      const QString gain = QString::number(value(v, "speedup"), 'f', 1);
      return caution(
          VerdictText::tr("Waiting for data"),
          VerdictText::tr("Each step waits %1 for its pictures. More loader threads could make it up to %2 × faster.").arg(share(v, "share"), gain),
          BarAction::ShowSpeed, show,
          VerdictText::tr("Reading and preparing pictures is slower than training on them. More loader threads (data.workers), smaller files or a faster "
                          "disk help; the next run can use them."));
    }
    case Verdict::GpuIdle:
      return caution(VerdictText::tr("GPU idle"), VerdictText::tr("The GPU works only %1 of the time.").arg(share(v, "use")), BarAction::ShowSpeed, show,
                     VerdictText::tr("The data arrives in time, but the steps are too small to keep the device busy. More pictures per update usually help."));
    case Verdict::Slowed:
      return caution(VerdictText::tr("Slowed"),
                     VerdictText::tr("%1 of its own best speed for the last minute.").arg(share(v, "share")) + QLatin1Char(' ') + slowCause(v),
                     BarAction::ShowSpeed, show, VerdictText::tr("Another program may be using the machine, or the device has become hot and runs slower."));
    case Verdict::Uneven:
      return caution(VerdictText::tr("Uneven"), VerdictText::tr("The devices differ by %1; all wait for the slowest.").arg(share(v, "spread")),
                     BarAction::ShowSpeed, show, VerdictText::tr("Every update ends when the slowest device has ended its part."));
    default:
      break;
  }
  return {};
}

}  // namespace

BarText verdictText(const runs::Judgement& judgement, const RunSeries& series) {
  const Json& v = judgement.values;
  BarText text = troubled(judgement.verdict, v, series);
  if (text.title.isEmpty()) text = slow(judgement.verdict, v);
  if (!text.title.isEmpty()) return text;
  const QString loss = lossText(series.loss.isEmpty() ? qQNaN() : series.loss.last());
  if (judgement.verdict == Verdict::LearningWell) {
    const QString best = std::isnan(series.best)
                             ? QString()
                             : VerdictText::tr(" Best %1: %2.").arg(metricName(series.metric_name).toLower(), metricText(series.metric_name, series.best));
    return {Tone::Good,
            VerdictText::tr("Learning well"),
            VerdictText::tr("The loss has fallen from %1 to %2.").arg(lossText(series.loss.value.value(0, qQNaN())), loss) + best,
            BarAction::None,
            {},
            {}};
  }
  if (judgement.verdict == Verdict::Steady) {
    const QString best = std::isnan(series.best)
                             ? QString()
                             : VerdictText::tr(" Best %1: %2.").arg(metricName(series.metric_name).toLower(), metricText(series.metric_name, series.best));
    return {Tone::Neutral,
            VerdictText::tr("Steady"),
            VerdictText::tr("Loss %1 after %2 updates.").arg(loss, formatNumber(series.step)) + best,
            BarAction::None,
            {},
            {}};
  }
  return {Tone::Neutral,
          VerdictText::tr("Too early"),
          VerdictText::tr("%1 updates done, loss %2. A verdict needs a little more.").arg(formatNumber(series.step), loss),
          BarAction::None,
          {},
          {}};
}

}  // namespace trainyard::ui
