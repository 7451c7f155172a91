// From series to what QCustomPlot is given: ranges, decimated graphs, pens.
#include <algorithm>
#include <cmath>

#include "core/runs/verdict.h"
#include "ui/plots/chart_parts.h"
#include "ui/plots/ticks.h"

namespace trainyard::ui {
namespace {

constexpr double kRawAlpha = 0.28, kSteppedBackAlpha = 0.22, kPlannedAlpha = 0.65;
constexpr double kLogOffered = 20;

QColor withAlpha(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
}

QVector<double> drawable(QVector<double> values, bool log) {
  for (double& value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) value = qQNaN();
  }
  return values;
}

}  // namespace

ChartSeries* LineChart::Parts::find(const QString& name) {
  const auto it = std::find_if(series.begin(), series.end(), [&](const ChartSeries& one) { return one.name == name; });
  return it == series.end() ? nullptr : &*it;
}

QColor LineChart::Parts::colorOf(const ChartSeries& one) const {
  if (tokens.series.isEmpty()) return Qt::gray;
  const auto index = one.color >= 0 ? one.color : static_cast<int>(&one - series.constData());
  return tokens.series[index % tokens.series.size()];
}

const QVector<double>& LineChart::Parts::lineValues(ChartSeries& one) {
  const double strength = half_life * factor;
  if (!one.isSmoothed() || strength < 0.5) return one.y;
  if (one.smoothed.size() != one.y.size()) {
    const auto values = runs::smooth(std::span<const double>(one.y.constData(), static_cast<size_t>(one.y.size())), strength);
    one.smoothed = QVector<double>(values.begin(), values.end());
  }
  return one.smoothed;
}

ValueRange LineChart::Parts::dataSpan() const {
  ValueRange span;
  for (const auto& one : series) {
    if (!one.x.isEmpty() && one.decidesRange()) span = united(span, {one.x.first(), one.x.last(), true});
  }
  return span;
}

int LineChart::Parts::columns() const { return std::max(16, static_cast<int>(plot->axisRect()->width() * plot->bufferDevicePixelRatio())); }

// A little more than asked for at the right and the top, so that dots at the borders are whole.
void LineChart::Parts::setX(double from, double to) {
  shown.x_from = from;
  shown.x_to = to;
  setting_range = true;
  plot->xAxis->setRange(from, to + 0.012 * (to - from));
  setting_range = false;
}

void LineChart::Parts::placeX() {
  if (mode == ViewMode::Free) {
    shown.x_from = plot->xAxis->range().lower;
    shown.x_to = plot->xAxis->range().upper;
    return;
  }
  const ValueRange data = dataSpan();
  double from = data.valid ? data.low : 0, to = data.valid ? data.high : 1;
  if (mode == ViewMode::Follow && data.valid) {
    const double width = follow_width > 0 ? follow_width : std::max((to - from) / 4, 1e-9);
    from = to - width;
  } else {
    for (const auto& one : series) {
      if (!one.decidesRange() && !one.x.isEmpty()) {
        from = std::min(from, one.x.first());
        to = std::max(to, one.x.last());
      }
    }
    if (!std::isnan(span_from)) from = std::min(from, span_from);
    if (!std::isnan(span_to)) to = std::max(to, span_to);
    if (from > 0 && from < 0.25 * to) from = 0;  // the first logged update is not the first update
  }
  if (!(to > from)) to = from + 1;
  setX(from, to);
}

ValueRange LineChart::Parts::wantedY() {
  const QCPRange x = plot->xAxis->range();
  ValueRange range;
  for (auto& one : series) {
    if (one.kind == SeriesKind::Validation || one.kind == SeriesKind::Line || one.kind == SeriesKind::Compared) {
      range = united(range, robustRange(one.x, lineValues(one), x.lower, x.upper));
    } else {
      range = united(range, one.decidesRange() ? robustRange(one.x, one.y, x.lower, x.upper) : fullRange(one.x, one.y, x.lower, x.upper));
    }
  }
  return range;
}

void LineChart::Parts::offerLog() {
  ValueRange all;
  bool positive = true;
  for (const auto& one : series) {
    const auto range = one.x.isEmpty() ? ValueRange{} : fullRange(one.x, one.y, one.x.first(), one.x.last());
    if (range.valid) positive = positive && range.low > 0;
    all = united(all, range);
  }
  log_offered = all.valid && positive && all.high / all.low > kLogOffered;
}

void LineChart::Parts::placeY() {
  offerLog();
  const bool use_log = log && log_offered;
  plot->yAxis->setScaleType(use_log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  y_ticker->log = use_log;
  y_ticker->wanted = std::clamp((plot->height() - 30) / 45, 3, 6);
  x_ticker->wanted = std::clamp((plot->width() - 50) / 90, 2, 10);
  ValueRange range = wantedY();
  if (!std::isnan(fixed_low)) range = {fixed_low, fixed_high, true};
  if (!range.valid) range = {0, 1, true};
  if (use_log) {
    shown.y_from = range.low / 1.15;
    shown.y_to = range.high * 1.15;
    plot->yAxis->setRange(shown.y_from, shown.y_to);
    return;
  }
  if (std::isnan(fixed_low)) {
    if (range.low > 0 && range.low < 0.4 * range.high) range.low = 0;
    if (!(range.high > range.low)) {
      const double value = range.low;  // a constant: its axis begins at zero
      range = {std::min(0.0, 1.25 * value), value == 0 ? 1 : std::max(0.0, 1.25 * value), true};
    }
    // Whole ticks at both ends: the axis stands still while curves grow.
    const double step = tickStep(range.high - range.low, y_ticker->wanted, y_unit);
    range.low = std::floor(range.low / step + 1e-9) * step;
    range.high = std::ceil(range.high / step - 1e-9) * step;
  }
  shown.y_from = range.low;
  shown.y_to = range.high;
  plot->yAxis->setRange(range.low, range.high + 0.03 * (range.high - range.low));
}

void LineChart::Parts::fillSeries(ChartSeries& one, int index) {
  const QCPRange x = plot->xAxis->range(), y = plot->yAxis->range();
  const bool use_log = y_ticker->log;
  const bool back = !highlighted.isEmpty() && one.name != highlighted;
  const QColor color = back ? withAlpha(colorOf(one), kSteppedBackAlpha) : colorOf(one);
  const bool smoothed = one.isSmoothed() && half_life * factor >= 0.5;
  if (!one.line) one.line = plot->addGraph();
  const Points line = decimate(one.x, lineValues(one), x.lower, x.upper, columns());
  one.line->setData(line.x, drawable(line.y, use_log), true);
  one.drawn = static_cast<int>(line.x.size());
  QPen pen(color, one.kind == SeriesKind::Compared || one.kind == SeriesKind::Planned ? 1.5 : 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (one.kind == SeriesKind::Training && !smoothed && line.x.size() > plot->axisRect()->width() / 4) pen.setWidthF(1);
  if (one.kind == SeriesKind::Compared && one.name == highlighted) pen.setWidthF(2.5);
  if (one.kind == SeriesKind::Planned) {
    pen.setColor(withAlpha(color, back ? kSteppedBackAlpha : kPlannedAlpha));
    pen.setDashPattern({4, 3});
  } else if (index >= kDashedFrom) {
    pen.setDashPattern({5, 3});
  }
  one.line->setPen(pen);
  one.line->setAdaptiveSampling(false);
  if (one.kind == SeriesKind::Validation) {
    // Dots while they can be told apart.
    const double wide = line.x.isEmpty() ? 0 : (line.x.last() - line.x.first()) / std::max(1e-300, x.size()) * plot->width();
    const bool crowded = line.x.size() > 2 && wide / static_cast<double>(line.x.size()) < 7;
    one.line->setScatterStyle(crowded ? QCPScatterStyle(QCPScatterStyle::ssNone) : QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, 5));
  }
  const bool has_raw = one.kind == SeriesKind::Training && smoothed;
  if (has_raw && !one.raw) one.raw = plot->addGraph();
  if (one.raw) one.raw->setVisible(has_raw);
  if (has_raw) {
    const Points raw = decimate(one.x, one.y, x.lower, x.upper, columns());
    one.raw->setData(raw.x, drawable(raw.y, use_log), true);
    one.raw->setPen(QPen(withAlpha(color, back ? 0.1 : kRawAlpha), 1));
    one.raw->setAdaptiveSampling(false);
    one.drawn = static_cast<int>(raw.x.size());
  }
  if (one.decidesRange() && one.kind != SeriesKind::Compared) cut += spikes(one.x, one.y, x.lower, x.upper, columns() / 8 + 1, y.lower, y.upper);
}

void LineChart::Parts::fillGraphs() {
  cut.clear();
  for (int i = 0; i < series.size(); ++i) fillSeries(series[i], i);
}

void LineChart::Parts::style() {
  plot->setBackground(QBrush(tokens.base));
  QFont font = plot->parentWidget()->font();
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * 11 / 13);
  else
    font.setPixelSize(std::max(9, font.pixelSize() * 11 / 13));
  for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
    axis->setBasePen(Qt::NoPen);
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLength(0);
    axis->setTickLabelFont(font);
    axis->setTickLabelColor(tokens.secondary);
    axis->setTickLabelPadding(6);
    axis->grid()->setPen(QPen(withAlpha(tokens.hairline, 0.75), 1));
    axis->grid()->setZeroLinePen(QPen(tokens.hairline, 1));
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setAntialiased(false);
  }
  plot->xAxis->grid()->setVisible(false);
}

void LineChart::Parts::draw() {
  x_ticker->unit = x_unit;
  y_ticker->unit = y_unit;
  placeX();
  placeY();
  fillGraphs();
  dirty = false;
  plot->replot(QCustomPlot::rpQueuedRefresh);
}

}  // namespace trainyard::ui
