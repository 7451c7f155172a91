#include <QCoreApplication>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/pages/run/run_samples.h"
#include "ui/pages/run/verdict_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

struct SituationText {
  Q_DECLARE_TR_FUNCTIONS(SituationText)
};

QString checkpointText(int64_t step) {
  return step < 0 ? SituationText::tr("No checkpoint had been saved.") : SituationText::tr("Last good checkpoint: step %1.").arg(formatNumber(step));
}

double memoryHeld(const RunSeries& series, bool gpu) {
  double held = 0;
  for (const auto& device : series.devices) {
    if ((device.device != "cpu") == gpu && std::isfinite(device.memory_used)) held += device.memory_used;
  }
  return held;
}

QString bestText(const RunSeries& series) {
  if (std::isnan(series.best)) return {};
  for (const EvalRow& row : series.evals) {
    if (!row.best || series.metric_name != "accuracy" || row.samples <= 0) continue;
    const Accuracy accuracy = accuracyOf(series.best, static_cast<uint64_t>(row.samples));
    const QString right =
        SituationText::tr("Best: %1 of %2 right, %3")
            .arg(formatNumber(std::llround(series.best * static_cast<double>(row.samples))), formatNumber(row.samples), percentText(series.best));
    return right + QLatin1Char(' ') + SituationText::tr("(95 % range %1–%2).").arg(QString::number(100 * accuracy.low, 'f', 1), QString::number(100 * accuracy.high, 'f', 1));
  }
  return SituationText::tr("Best %1: %2 in epoch %3.")
      .arg(metricName(series.metric_name).toLower(), metricText(series.metric_name, series.best))
      .arg(series.best_epoch + 1);
}

BarText failedText(const RunSituation& now, const RunSeries& series) {
  BarText text{Tone::Bad, SituationText::tr("Failed"), {}, now.checkpoint_step >= 0 ? BarAction::Resume : BarAction::None, SituationText::tr("Resume"), {}};
  // The weights can break before the loss shows it.
  const bool weights = now.failure && now.failure->what.find("no longer finite") != std::string::npos;
  const bool broke = !series.loss.isEmpty() && (weights || !std::isfinite(series.loss.last()));
  if (now.seen.unexpected_end) {
    text.title = SituationText::tr("Ended unexpectedly");
    text.sentence = SituationText::tr("The training program ended at step %1 without a word.").arg(formatNumber(series.step)) + QLatin1Char(' ') +
                    checkpointText(now.checkpoint_step);
    text.why = SituationText::tr(
        "Somebody ended the process, the machine ran out of memory or went down. Nothing that was saved is lost: Resume goes on from the newest whole "
        "checkpoint, with the same "
        "data order and optimizer state.");
  } else if (broke) {
    text.title = SituationText::tr("Broken");
    text.sentence = SituationText::tr("Broke at step %1: the loss is no longer finite.").arg(formatNumber(static_cast<qlonglong>(series.loss.step.last()))) +
                    QLatin1Char(' ') + checkpointText(now.checkpoint_step);
    text.action = now.checkpoint_step >= 0 ? BarAction::ResumeLowerRate : BarAction::None;
    text.action_text = SituationText::tr("Continue from %1, lr ÷ 10").arg(formatNumber(now.checkpoint_step));
    text.why = SituationText::tr("Most often the learning rate is too high for this model or precision.");
  } else if (now.failure) {
    const QString where = QString::fromStdString(now.failure->where), hint = QString::fromStdString(now.failure->hint);
    // Among several devices, the one that failed is the news: "rank 1 (cuda:1): layer3.0" begins with it.
    text.sentence = QString::fromStdString(now.failure->what);
    if (where.startsWith(QLatin1String("rank "))) text.sentence += QStringLiteral(" – ") + where.section(QStringLiteral(": "), 0, 0);
    if (!text.sentence.endsWith(QLatin1Char('.'))) text.sentence += QLatin1Char('.');
    text.sentence += QLatin1Char(' ') + checkpointText(now.checkpoint_step);
    text.why = (where.isEmpty() ? QString() : where + QStringLiteral("\n\n")) + hint;
  } else {
    text.sentence = checkpointText(now.checkpoint_step);
  }
  return text;
}

BarText pausedText(const RunSituation& now, const RunSeries& series) {
  BarText text{Tone::Caution, SituationText::tr("Paused"), {}, BarAction::Resume, SituationText::tr("Resume"), {}};
  const QString step = formatNumber(series.step);
  if (now.seen.state.released) {
    text.sentence = SituationText::tr("Paused at step %1; saved, and the memory given back.").arg(step);
    return text;
  }
  const double held = memoryHeld(series, now.gpu);
  text.sentence = held > 0 ? SituationText::tr("Paused at step %1; still holding %2.").arg(step, formatSize(static_cast<quint64>(held)))
                           : SituationText::tr("Paused at step %1.").arg(step);
  text.action = BarAction::Release;
  text.action_text = now.gpu ? SituationText::tr("Save and free GPU") : SituationText::tr("Save and free the memory");
  return text;
}

}  // namespace

BarText situationText(const RunSituation& now, const RunSeries& series) {
  const auto state = now.seen.state.state;
  if (now.seen.unexpected_end || state == runs::State::Failed) return failedText(now, series);
  switch (state) {
    case runs::State::Queued:
      return {Tone::Neutral, SituationText::tr("Queued"), SituationText::tr("Waits for its turn."), BarAction::None, {}, {}};
    case runs::State::Paused:
      return pausedText(now, series);
    case runs::State::Finished:
      return {Tone::Good,
              SituationText::tr("Finished"),
              SituationText::tr("Done in %1.").arg(durationText(series.seconds)) + QLatin1Char(' ') + bestText(series),
              now.checkpoint_step >= 0 ? BarAction::Extend : BarAction::None,
              now.checkpoint_step >= 0 ? SituationText::tr("Train longer…") : QString(),
              {}};
    case runs::State::Stopped: {
      BarText text{Tone::Neutral,     SituationText::tr("Stopped"), SituationText::tr("Stopped at step %1.").arg(formatNumber(series.step)),
                   BarAction::Resume, SituationText::tr("Resume"),  {}};
      text.sentence += QLatin1Char(' ') + (std::isnan(series.best) ? checkpointText(now.checkpoint_step) : bestText(series));
      if (now.checkpoint_step < 0) text.action = BarAction::None;
      return text;
    }
    default:
      break;
  }
  if (series.loss.isEmpty())
    return {Tone::Neutral,
            SituationText::tr("Starting"),
            SituationText::tr("Reading the first pictures. Closing this window won't stop training."),
            BarAction::None,
            {},
            {}};
  return {};
}

}  // namespace trainyard::ui
