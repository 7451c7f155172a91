// What each chart of a run shows.
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/rate_editor.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

QVector<ChartMark> CurvesView::marks(bool skips) const {
  QVector<ChartMark> all;
  for (const RunMark& mark : series_->marks) {
    if (mark.kind == RunMarkKind::Skipped && !skips) continue;
    ChartMark one;
    one.x = axis_ == RunAxis::Updates ? mark.step : axis_ == RunAxis::Epochs ? mark.epoch : mark.seconds;
    switch (mark.kind) {
      case RunMarkKind::Best:
        one.kind = MarkKind::Best;
        one.text = tr("best");
        break;
      case RunMarkKind::Checkpoint:
        one.kind = MarkKind::Checkpoint;
        break;
      case RunMarkKind::Set:
        one.kind = MarkKind::Change;
        one.text = QStringLiteral("%1 → %2").arg(QString::fromStdString(mark.key), mark.text.empty() ? rateText(mark.to) : QString::fromStdString(mark.text));
        break;
      case RunMarkKind::Pause:
        one.kind = MarkKind::Pause;
        one.text = tr("paused");
        break;
      case RunMarkKind::Resume:
        one.kind = MarkKind::Resume;
        one.text = tr("resumed");
        break;
      case RunMarkKind::NonFinite:
        one.kind = MarkKind::NonFinite;
        one.text = tr("not finite");
        break;
      case RunMarkKind::Skipped:
        one.kind = MarkKind::NonFinite;
        one.text = tr("%n update(s) skipped", nullptr, static_cast<int>(mark.to));
        break;
    }
    all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const ChartMark& a, const ChartMark& b) { return a.x < b.x; });
  return all;
}

QVector<ChartMark> CurvesView::marksOf(MarkKind kind) const {
  QVector<ChartMark> some;
  for (const ChartMark& mark : marks(true)) {
    if (mark.kind == kind) some.push_back(mark);
  }
  return some;
}

void CurvesView::fillLoss() {
  LineChart* chart = lossChart();
  chart->setHalfLife(series_->halfLife());
  chart->setSeries(tr("training"), series_->loss.along(axis_), series_->loss.value, SeriesKind::Training, 0);
  chart->setSeries(tr("validation"), series_->eval_loss.along(axis_), series_->eval_loss.value, SeriesKind::Validation, 1);
  const Curve& average = series_->average_loss;
  if (!average.isEmpty()) chart->setSeries(tr("averaged weights"), average.along(axis_), average.value, SeriesKind::Validation, 2);
  chart->setMarks(marks(false));
}

void CurvesView::fillMetric() {
  // Where the loss itself is the main metric, another still has this place.
  metric_->setTitles({metricName(series_->shown_metric)});
  metricChart()->setSeries(tr("validation"), series_->metric.along(axis_), series_->metric.value, SeriesKind::Validation, 1);
  const Curve& average = series_->average_metric;
  if (!average.isEmpty()) metricChart()->setSeries(tr("averaged weights"), average.along(axis_), average.value, SeriesKind::Validation, 2);
  const bool known = std::isfinite(series_->best) && series_->metric_name != "loss";
  best_->setText(known ? QStringLiteral("★ ") + metricText(series_->metric_name, series_->best) : QString());
  metricChart()->setMarks(marksOf(MarkKind::Best));
}

void CurvesView::fillRate(LineChart* chart) {
  const Curve& rate = series_->rate;
  chart->setSeries(tr("learning rate"), rate.along(axis_), rate.value, SeriesKind::Line, 0);
  rate_editor_->setCurrent(rate.last());
  // From here on, joined to where the run is; a rate changed by hand carries its ratio into the plan.
  QVector<double> x, y;
  const double from = rate.step.isEmpty() ? -1 : rate.step.last();
  double ratio = 1;
  for (const RunMark& mark : series_->marks) {
    if (mark.kind == RunMarkKind::Set && mark.key == "lr" && mark.from > 0) ratio *= mark.to / mark.from;
  }
  if (!rate.isEmpty() && axis_ != RunAxis::Seconds && from < static_cast<double>(series_->steps_total)) {
    x.push_back(across(from));
    y.push_back(rate.last());
  }
  for (qsizetype i = 0; i < plan_.step.size() && axis_ != RunAxis::Seconds; ++i) {
    if (plan_.step[i] <= from) continue;
    x.push_back(across(plan_.step[i]));
    y.push_back(plan_.rate[i] * ratio);
  }
  if (x.size() > 1)
    chart->setSeries(tr("planned"), x, y, SeriesKind::Planned, 0);
  else
    chart->removeSeries(tr("planned"));
  chart->setMarks(marksOf(MarkKind::Change));
}

bool CurvesView::dropAhead() const { return series_ && trainyard::ui::dropAhead(plan_, series_->step); }

// A line for each, in the order of their names.
void CurvesView::fillDevices(LineChart* chart, const std::map<std::string, Curve>& curves) {
  int color = 0;
  for (const auto& [device, curve] : curves) chart->setSeries(deviceName(device), curve.along(axis_), curve.value, SeriesKind::Line, color++);
}

void CurvesView::fillDetail() {
  detail_->setTabVisible(ScaleTab, !series_->loss_scale.isEmpty());
  detail_->setTabVisible(UseTab, !series_->use.empty());
  LineChart* chart = detail_->current();
  chart->setHalfLife(series_->halfLife());
  switch (detail_->currentIndex()) {
    case RateTab:
      fillRate(chart);
      break;
    case SpeedTab: {
      chart->setSeries(tr("pictures/s"), series_->speed.along(axis_), series_->speed.value, SeriesKind::Training, 0);
      // The share that waits, drawn as the pictures a second that are lost to it: one scale tells both.
      const auto& waiting = series_->waiting;
      QVector<double> lost(waiting.value.size());
      const auto offset = series_->speed.value.size() - waiting.value.size();
      for (qsizetype i = 0; i < lost.size(); ++i) lost[i] = i + offset >= 0 ? waiting.value[i] * series_->speed.value.value(i + offset) : 0;
      chart->setSeries(tr("lost to waiting for data"), waiting.along(axis_), lost, SeriesKind::Training, 1);
      break;
    }
    case MemoryTab:
      fillDevices(chart, series_->memory);
      break;
    case UseTab:
      fillDevices(chart, series_->use);
      break;
    case ScaleTab:
      chart->setSeries(tr("loss scale"), series_->loss_scale.along(axis_), series_->loss_scale.value, SeriesKind::Line, 0);
      chart->setMarks(marksOf(MarkKind::NonFinite));
      break;
    default:
      chart->setSeries(tr("gradient norm"), series_->gradient.along(axis_), series_->gradient.value, SeriesKind::Training, 0);
      chart->setMarks(marksOf(MarkKind::NonFinite));
      break;
  }
  chart->setLabelsAtEnds(detail_->currentIndex() == SpeedTab);
  // Lines of devices lie close together: their names have a place of their own.
  detail_->setLegendBelow((detail_->currentIndex() == MemoryTab || detail_->currentIndex() == UseTab) && chart->seriesNames().size() > 1);
  detail_->updateLegend();
}

void CurvesView::updateControls() {
  if (!series_) return;
  LineChart* chart = lossChart();
  const double per_point = series_->halfLife() > 0 ? static_cast<double>(series_->steps_total) / 200 / series_->halfLife() : 1;
  const auto updates = static_cast<qlonglong>(std::llround(chart->smoothing() * per_point));
  smoothing_->setText(updates > 0 ? tr("Smoothing %1 updates").arg(formatNumber(updates)) : tr("No smoothing"));
  axis_button_->setText((axis_ == RunAxis::Updates ? tr("Updates") : axis_ == RunAxis::Epochs ? tr("Epochs") : tr("Time")) + QStringLiteral(" ▾"));
  log_->setVisible(chart->logOffered() || chart->logScale());
  log_->setText(chart->logScale() ? tr("Linear") : tr("Log"));
  follow_->setText(chart->following() ? tr("Fit") : tr("Follow"));
}

void CurvesView::retranslate() {
  loss_->setTitles({tr("Loss")});
  metric_->setTitles({metricName(series_ ? series_->shown_metric : facts_.metric)});
  detail_->setTitles({tr("Learning rate"), tr("Speed"), tr("Memory"), tr("Use"), tr("Gradient"), tr("Loss scale")});
  smoothing_->setToolTip(tr("Strength of the smoothed line: [ weaker, ] stronger"));
  axis_button_->setToolTip(tr("Along the axis: updates, epochs or time (X)"));
  log_->setToolTip(tr("Logarithmic scale (L)"));
  follow_->setToolTip(tr("Keep the newest updates in view (End), or show everything (F)"));
  for (LineChart* chart : charts()) {
    for (const QString& name : chart->seriesNames()) chart->removeSeries(name);
  }
  rate_editor_->retranslate();
  if (series_) dataChanged();
  updateControls();
}

}  // namespace trainyard::ui
