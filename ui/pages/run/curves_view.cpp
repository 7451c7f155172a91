#include "ui/pages/run/curves_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/pages/run/rate_editor.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr double kEvery_ms = 200, kShareOfTime = 0.04;

AxisUnit unitOf(RunAxis axis) { return axis == RunAxis::Updates ? AxisUnit::Updates : axis == RunAxis::Epochs ? AxisUnit::Epochs : AxisUnit::Seconds; }

QPushButton* headButton(QWidget* parent) {
  auto* button = makeLink(parent);
  button->setProperty("quiet", true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

CurvesView::CurvesView(QWidget* parent) : QWidget(parent) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(8);
  loss_ = new ChartCard(this);
  metric_ = new ChartCard(this);
  detail_ = new ChartCard(this);
  grid->addWidget(loss_, 0, 0, 1, 2);
  grid->addWidget(metric_, 1, 0);
  grid->addWidget(detail_, 1, 1);
  for (ChartCard* card : {metric_, detail_}) card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  grid->setRowStretch(0, 62);
  grid->setRowStretch(1, 38);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  loss_->addChart();
  metric_->addChart();
  for (int i = 0; i <= ScaleTab; ++i) detail_->addChart();
  for (Detail tab : {UseTab, ScaleTab}) detail_->setTabVisible(tab, false);
  smoothing_ = headButton(loss_);
  axis_button_ = headButton(loss_);
  log_ = headButton(loss_);
  follow_ = headButton(loss_);
  for (QPushButton* button : {smoothing_, axis_button_, log_, follow_}) loss_->controls()->addWidget(button);
  best_ = makeLabel("secondary", metric_);
  metric_->controls()->addWidget(best_);
  rate_editor_ = new RateEditor(detail_);
  detailChart(RateTab)->setCornerWidget(rate_editor_);
  lossChart()->setMarksAtTop(true);
  for (LineChart* chart : charts()) link(chart);
  connect(smoothing_, &QPushButton::clicked, this, [this] {
    const double factor = lossChart()->smoothingFactor();
    for (LineChart* chart : charts()) chart->setSmoothingFactor(factor == 0 ? 1 : 0);
  });
  connect(axis_button_, &QPushButton::clicked, this, [this] { cycleAxis(); });
  connect(log_, &QPushButton::clicked, this, [this] { lossChart()->setLogScale(!lossChart()->logScale()); });
  connect(follow_, &QPushButton::clicked, this, [this] {
    const bool on = !lossChart()->following();
    for (LineChart* chart : charts()) chart->setFollowing(on);
  });
  connect(detail_, &ChartCard::currentChanged, this, [this] { draw(); });
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, [this] { draw(); });
  setLive(false);
}

QList<LineChart*> CurvesView::charts() const {
  QList<LineChart*> all{lossChart(), metricChart()};
  for (int i = 0; i < detail_->count(); ++i) all << detail_->chart(i);
  return all;
}

void CurvesView::link(LineChart* chart) {
  connect(chart, &LineChart::crosshairMoved, this, [this, chart](double x) {
    for (LineChart* other : charts()) {
      if (other != chart) other->setCrosshair(x);
    }
  });
  connect(chart, &LineChart::axisCycled, this, [this] { cycleAxis(); });
  connect(chart, &LineChart::maximizeRequested, this, [this](int which) { maximize(which); });
  connect(chart, &LineChart::smoothingStepped, this, [this](double factor) {
    const double now = lossChart()->smoothingFactor();
    const double next = now == 0 ? (factor > 1 ? 0.25 : 0) : now * factor;
    for (LineChart* other : charts()) other->setSmoothingFactor(next < 0.2 ? 0 : std::min(next, 16.0));
  });
  connect(chart, &LineChart::viewChanged, this, [this] { updateControls(); });
}

void CurvesView::setTokens(const Tokens& tokens) {
  for (ChartCard* card : {loss_, metric_, detail_}) card->setTokens(tokens);
}

void CurvesView::setSeries(const RunSeries* series) { series_ = series; }

void CurvesView::setFacts(const RunFacts& facts) {
  facts_ = facts;
  planned_for_ = -1;
  retranslate();
  dataChanged();
}

void CurvesView::setLive(bool live) {
  rate_editor_->setEnabled(live);
  rate_editor_->setVisible(live);
}

void CurvesView::reset() {
  for (LineChart* chart : charts()) chart->clear();
  planned_for_ = -1;
  if (maximized_ != 0) maximize(maximized_);
}

void CurvesView::showDetail(Detail detail) {
  if (maximized_ != 0) maximize(maximized_);
  detail_->setCurrentIndex(detail);
}

void CurvesView::dataChanged() {
  if (series_ && planned_for_ != series_->steps_total) {
    plan_ = facts_.recipe ? plannedRate(*facts_.recipe, series_->steps_total, series_->epochs) : PlannedRate{};
    planned_for_ = series_->steps_total;
  }
  if (!isVisible() || timer_.isActive()) return;
  const double gap = std::max(kEvery_ms, cost_ms_ / kShareOfTime), passed = since_.isValid() ? static_cast<double>(since_.elapsed()) : 1e9;
  timer_.start(static_cast<int>(std::max(0.0, gap - passed)));
}

void CurvesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  dataChanged();
}

void CurvesView::draw() {
  if (!series_ || !isVisible()) return;
  QElapsedTimer cost;
  cost.start();
  placeAxes();
  fillLoss();
  fillMetric();
  fillDetail();
  for (LineChart* chart : charts()) chart->refresh();
  for (ChartCard* card : {loss_, metric_}) card->updateLegend();
  updateControls();
  cost_ms_ = static_cast<double>(cost.nsecsElapsed()) / 1e6;
  since_.start();
}

void CurvesView::placeAxes() {
  const double total = static_cast<double>(series_->steps_total);
  double end = qQNaN();
  if (total > 0 && axis_ == RunAxis::Updates) end = total;
  if (total > 0 && axis_ == RunAxis::Epochs) end = static_cast<double>(series_->epochs);
  const bool percent = isShare(series_->shown_metric);
  for (LineChart* chart : charts()) chart->setSpan(0, end);
  lossChart()->setUnits(unitOf(axis_), AxisUnit::Number);
  metricChart()->setUnits(unitOf(axis_), percent ? AxisUnit::Percent : AxisUnit::Number);
  metricChart()->setFixedRange(percent ? 0 : qQNaN(), percent ? 1 : qQNaN());
  detailChart(RateTab)->setUnits(unitOf(axis_), AxisUnit::Number);
  detailChart(SpeedTab)->setUnits(unitOf(axis_), AxisUnit::Number);
  detailChart(MemoryTab)->setUnits(unitOf(axis_), AxisUnit::Bytes);
  detailChart(UseTab)->setUnits(unitOf(axis_), AxisUnit::Percent);
  detailChart(UseTab)->setFixedRange(0, 1);
  for (Detail detail : {GradientTab, ScaleTab}) detailChart(detail)->setUnits(unitOf(axis_), AxisUnit::Number);
}

double CurvesView::across(double step) const {
  if (axis_ == RunAxis::Updates) return step;
  return axis_ == RunAxis::Epochs ? series_->epochAt(step) : qQNaN();
}

void CurvesView::cycleAxis() {
  axis_ = axis_ == RunAxis::Updates ? RunAxis::Epochs : axis_ == RunAxis::Epochs ? RunAxis::Seconds : RunAxis::Updates;
  for (LineChart* chart : charts()) chart->setCrosshair(qQNaN());
  draw();
}

void CurvesView::maximize(int which) {
  maximized_ = maximized_ == which ? 0 : which;
  loss_->setVisible(maximized_ == 0 || maximized_ == 1);
  metric_->setVisible(maximized_ == 0 || maximized_ == 2);
  detail_->setVisible(maximized_ == 0 || maximized_ == 3);
  auto* grid = static_cast<QGridLayout*>(layout());
  grid->setRowStretch(0, maximized_ > 1 ? 0 : 62);
  grid->setRowStretch(1, maximized_ == 1 ? 0 : 38);
  grid->setColumnStretch(0, maximized_ == 3 ? 0 : 1);
  grid->setColumnStretch(1, maximized_ == 2 ? 0 : 1);
  ChartCard* card = maximized_ == 2 ? metric_ : maximized_ == 3 ? detail_ : loss_;
  card->current()->setFocus();
  dataChanged();
}

}  // namespace trainyard::ui
