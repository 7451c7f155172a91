#include "ui/plots/line_chart.h"

#include <QElapsedTimer>
#include <QGridLayout>
#include <QTimer>

#include <cmath>

#include "ui/plots/chart_parts.h"

namespace trainyard::ui {

LineChart::LineChart(QWidget* parent) : QWidget(parent), d_(std::make_unique<Parts>()) {
  d_->plot = new QCustomPlot(this);
  d_->plot->setFocusPolicy(Qt::NoFocus);
  d_->plot->setPlottingHints(QCP::phCacheLabels);
  d_->plot->setNoAntialiasingOnDrag(false);
  d_->plot->axisRect()->setupFullAxesBox(false);
  d_->plot->xAxis2->setVisible(false);
  d_->plot->yAxis2->setVisible(false);
  d_->plot->axisRect()->setMinimumMargins(QMargins(8, 10, 12, 0));
  d_->x_ticker = QSharedPointer<ChartTicker>::create();
  d_->y_ticker = QSharedPointer<ChartTicker>::create();
  d_->plot->xAxis->setTicker(d_->x_ticker);
  d_->plot->yAxis->setTicker(d_->y_ticker);
  d_->overlay = new ChartOverlay(*d_, d_->plot);
  d_->plot->axisRect()->setRangeDrag(Qt::Horizontal);
  d_->plot->axisRect()->setRangeZoom(Qt::Horizontal);
  d_->plot->setMouseTracking(true);
  d_->plot->installEventFilter(this);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(d_->plot, 0, 0);
  setFocusPolicy(Qt::StrongFocus);
  setInteractive(true);
  d_->tokens.base = palette().color(QPalette::Base);
  d_->tokens.secondary = d_->tokens.text = palette().color(QPalette::Text);
  connect(d_->plot->xAxis, QOverload<const QCPRange&>::of(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
    if (d_->setting_range) return;
    if (d_->mode == ViewMode::Follow)
      d_->follow_width = range.size();
    else
      d_->mode = ViewMode::Free;
    touch();
    emit viewChanged();
  });
}

LineChart::~LineChart() = default;

void LineChart::touch() {
  d_->dirty = true;
  if (d_->scheduled) return;
  d_->scheduled = true;
  QTimer::singleShot(0, this, [this] { refresh(); });
}

void LineChart::setTokens(const Tokens& tokens) {
  d_->tokens = tokens;
  d_->style();
  touch();
}

void LineChart::setSeries(const QString& name, const QVector<double>& x, const QVector<double>& y, SeriesKind kind, int color) {
  ChartSeries* one = d_->find(name);
  if (!one) {
    d_->series.push_back({});
    one = &d_->series.back();
    one->name = name;
  }
  const auto size = qMin(x.size(), y.size());
  one->x = x.size() == size ? x : x.mid(0, size);
  one->y = y.size() == size ? y : y.mid(0, size);
  one->smoothed.clear();
  one->kind = kind;
  one->color = color;
  touch();
}

void LineChart::removeSeries(const QString& name) {
  for (int i = 0; i < d_->series.size(); ++i) {
    if (d_->series[i].name != name) continue;
    if (d_->series[i].line) d_->plot->removeGraph(d_->series[i].line);
    if (d_->series[i].raw) d_->plot->removeGraph(d_->series[i].raw);
    d_->series.removeAt(i);
    touch();
    return;
  }
}

void LineChart::clear() {
  while (!d_->series.isEmpty()) removeSeries(d_->series.last().name);
  d_->marks.clear();
  d_->mode = ViewMode::Fit;
  touch();
}

QStringList LineChart::seriesNames() const {
  QStringList names;
  for (const auto& one : d_->series) names << one.name;
  return names;
}

QColor LineChart::seriesColor(const QString& name) const {
  const ChartSeries* one = d_->find(name);
  return one ? d_->colorOf(*one) : QColor();
}

bool LineChart::seriesDashed(const QString& name) const {
  const ChartSeries* one = d_->find(name);
  return one && (one->kind == SeriesKind::Planned || one - d_->series.constData() >= kDashedFrom);
}

void LineChart::setHighlighted(const QString& name) {
  if (d_->highlighted == name) return;
  d_->highlighted = name;
  touch();
}

void LineChart::setMarks(const QVector<ChartMark>& marks) {
  d_->marks = marks;
  touch();
}

void LineChart::setUnits(AxisUnit x, AxisUnit y) {
  if (d_->x_unit != x) d_->mode = ViewMode::Fit;
  d_->x_unit = x;
  d_->y_unit = y;
  touch();
}

void LineChart::setSpan(double from, double to) {
  d_->span_from = from;
  d_->span_to = to;
  touch();
}

void LineChart::setFixedRange(double low, double high) {
  d_->fixed_low = low;
  d_->fixed_high = high;
  touch();
}

void LineChart::setHalfLife(double points) {
  if (d_->half_life == points) return;
  d_->half_life = points;
  for (auto& one : d_->series) one.smoothed.clear();
  touch();
}

void LineChart::setSmoothingFactor(double factor) {
  d_->factor = factor;
  for (auto& one : d_->series) one.smoothed.clear();
  touch();
  emit viewChanged();
}

void LineChart::setLabelsAtEnds(bool shown) {
  d_->labels = shown;
  touch();
}

void LineChart::setMarksAtTop(bool top) {
  d_->marks_top = top;
  touch();
}

void LineChart::setCornerWidget(QWidget* widget) {
  widget->setParent(this);
  static_cast<QGridLayout*>(layout())->addWidget(widget, 0, 0, Qt::AlignTop | Qt::AlignRight);
  widget->raise();
}

void LineChart::setInteractive(bool on) {
  d_->interactive = on;
  d_->plot->setInteractions(on ? QCP::iRangeDrag | QCP::iRangeZoom : QCP::Interactions());
  setFocusPolicy(on ? Qt::StrongFocus : Qt::NoFocus);
  d_->plot->setAttribute(Qt::WA_TransparentForMouseEvents, !on);
}

void LineChart::setLogScale(bool on) {
  d_->log = on;
  touch();
  emit viewChanged();
}

bool LineChart::logScale() const { return d_->log; }
bool LineChart::logOffered() const { return d_->log_offered; }
double LineChart::smoothing() const { return d_->half_life * d_->factor; }
double LineChart::smoothingFactor() const { return d_->factor; }
bool LineChart::following() const { return d_->mode == ViewMode::Follow; }
double LineChart::crosshair() const { return d_->cross; }
int LineChart::cutSpikes() const { return static_cast<int>(d_->cut.size()); }
QSize LineChart::sizeHint() const { return {420, 240}; }
QSize LineChart::minimumSizeHint() const { return {160, 90}; }

void LineChart::fit() {
  d_->mode = ViewMode::Fit;
  d_->follow_width = 0;
  touch();
  emit viewChanged();
}

void LineChart::setFollowing(bool on) {
  if (!on) return fit();
  if (d_->mode == ViewMode::Free) d_->follow_width = d_->plot->xAxis->range().size();
  d_->mode = ViewMode::Follow;
  touch();
  emit viewChanged();
}

void LineChart::setCrosshair(double x) {
  if (x == d_->cross || (std::isnan(x) && std::isnan(d_->cross))) return;
  d_->cross = x;
  if (isVisible()) d_->overlay->layer()->replot();
}

double LineChart::refresh() {
  d_->scheduled = false;
  if (!d_->dirty || !isVisible()) return 0;
  QElapsedTimer timer;
  timer.start();
  d_->draw();
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

LineChart::View LineChart::view() const { return d_->shown; }

int LineChart::drawnPoints(const QString& name) const {
  const ChartSeries* one = d_->find(name);
  return one ? one->drawn : 0;
}

}  // namespace trainyard::ui
