// Marks, triangles of cut spikes, labels at the line ends and the crosshair.
#include <algorithm>
#include <cmath>

#include "ui/plots/chart_parts.h"
#include "ui/plots/ticks.h"

namespace trainyard::ui {
namespace {

QPainterPath starAt(const QPointF& center, double radius) {
  QPolygonF star;
  for (int i = 0; i < 10; ++i) {
    const double angle = -M_PI / 2 + i * M_PI / 5, r = i % 2 == 0 ? radius : radius * 0.42;
    star << center + QPointF(r * std::cos(angle), r * std::sin(angle));
  }
  QPainterPath path;
  path.addPolygon(star);
  path.closeSubpath();
  return path;
}

void drawSymbol(QPainter& painter, const ChartMark& mark, const QPointF& foot, const Tokens& tokens) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens.secondary);
  switch (mark.kind) {
    case MarkKind::Best:
      painter.drawPath(starAt(foot - QPointF(0, 7), 5.5));
      break;
    case MarkKind::Checkpoint:
      painter.drawRect(QRectF(foot.x() - 0.75, foot.y() - 5, 1.5, 5));
      break;
    case MarkKind::Pause:
      painter.drawRect(QRectF(foot.x() - 4, foot.y() - 12, 2.5, 9));
      painter.drawRect(QRectF(foot.x() + 1.5, foot.y() - 12, 2.5, 9));
      break;
    case MarkKind::Resume:
      painter.drawPolygon(QPolygonF({foot + QPointF(-3, -12), foot + QPointF(5, -7.5), foot + QPointF(-3, -3)}));
      break;
    case MarkKind::NonFinite:
      painter.setPen(QPen(tokens.bad, 2, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(foot + QPointF(-4, -12), foot + QPointF(4, -4));
      painter.drawLine(foot + QPointF(4, -12), foot + QPointF(-4, -4));
      break;
    case MarkKind::Change:
      break;
  }
}

bool hasLine(MarkKind kind) { return kind != MarkKind::Checkpoint; }

}  // namespace

void ChartOverlay::draw(QCPPainter* painter) {
  const QRectF area = parts_.plot->axisRect()->rect();
  painter->setFont(parts_.plot->yAxis->tickLabelFont());
  drawMarks(*painter, area);
  drawSpikes(*painter, area);
  if (parts_.labels) drawLabels(*painter, area);
  if (!std::isnan(parts_.cross)) drawCrosshair(*painter, area);
}

void ChartOverlay::drawMarks(QPainter& painter, const QRectF& area) {
  const QFontMetricsF metrics(painter.font());
  double text_free_from = -1e9, tick_free_from = -1e9, symbol_free_from = -1e9;
  for (const ChartMark& mark : parts_.marks) {
    const double x = parts_.plot->xAxis->coordToPixel(mark.x);
    if (x < area.left() - 1 || x > area.right() + 1) continue;
    // Marks too close to be told apart give way, but never the best or a broken loss.
    double& free_from = mark.kind == MarkKind::Checkpoint ? tick_free_from : symbol_free_from;
    const bool must = mark.kind == MarkKind::Best || mark.kind == MarkKind::NonFinite || mark.kind == MarkKind::Change;
    if (!must && x < free_from) continue;
    free_from = x + (mark.kind == MarkKind::Checkpoint ? 6 : 12);
    const bool top = parts_.marks_top && hasLine(mark.kind);
    const double foot = top ? area.top() + 20 : area.bottom();
    if (hasLine(mark.kind)) {
      painter.setPen(QPen(mark.kind == MarkKind::NonFinite ? parts_.tokens.bad : parts_.tokens.placeholder, 1, Qt::DotLine));
      painter.drawLine(QPointF(x, top ? foot : area.top()), QPointF(x, top ? area.bottom() : foot - 14));
    }
    drawSymbol(painter, mark, QPointF(x, foot), parts_.tokens);
    if (mark.kind != MarkKind::Change || x < text_free_from) continue;
    const double width = metrics.horizontalAdvance(mark.text);
    painter.setPen(parts_.tokens.secondary);
    painter.drawText(QPointF(std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width)), foot - 3), mark.text);
    text_free_from = x + width + 6;
  }
}

void ChartOverlay::drawSpikes(QPainter& painter, const QRectF& area) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(parts_.tokens.caution);
  for (const Spike& spike : parts_.cut) {
    const double x = parts_.plot->xAxis->coordToPixel(spike.x);
    const double tip = spike.above ? area.top() + 1 : area.bottom() - 1, base = spike.above ? tip + 6 : tip - 6;
    painter.drawPolygon(QPolygonF({QPointF(x, tip), QPointF(x - 4, base), QPointF(x + 4, base)}));
  }
}

void ChartOverlay::drawLabels(QPainter& painter, const QRectF& area) {
  struct Label {
    QString text;
    QColor color;
    double x, y;
    bool beside;
  };
  std::vector<Label> labels;
  const QFontMetricsF metrics(painter.font());
  for (auto& one : parts_.series) {
    if (one.kind == SeriesKind::Planned || !one.line || one.x.isEmpty()) continue;
    const auto& values = parts_.lineValues(one);
    auto last = std::upper_bound(one.x.begin(), one.x.end(), parts_.plot->xAxis->range().upper) - one.x.begin() - 1;
    while (last >= 0 && !std::isfinite(values[last])) --last;
    if (last < 0) continue;
    const double x = parts_.plot->xAxis->coordToPixel(one.x[last]), y = parts_.plot->yAxis->coordToPixel(values[last]);
    if (x < area.left()) continue;
    const double width = metrics.horizontalAdvance(one.name);
    const bool beside = x + 8 + width <= area.right();
    labels.push_back(
        {one.name, parts_.colorOf(one), beside ? x + 8 : area.right() - width, std::clamp(beside ? y : y - 12, area.top() + 6, area.bottom() - 6), beside});
  }
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  const double line = metrics.height();
  for (size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + line);
  double limit = area.bottom() - 4;
  for (auto it = labels.rbegin(); it != labels.rend(); ++it) {
    it->y = std::min(it->y, limit);
    limit = it->y - line;
  }
  for (const Label& label : labels) {
    const QRectF ground(label.x - 2, label.y - line / 2, metrics.horizontalAdvance(label.text) + 4, line);
    QColor veil = parts_.tokens.base;
    veil.setAlphaF(0.75f);
    painter.fillRect(ground, veil);
    painter.setPen(label.color);
    painter.drawText(QPointF(label.x, label.y + metrics.ascent() / 2 - 1), label.text);
  }
}

void ChartOverlay::drawCrosshair(QPainter& painter, const QRectF& area) {
  const double x = parts_.plot->xAxis->coordToPixel(parts_.cross);
  if (x < area.left() - 1 || x > area.right() + 1) return;
  painter.setPen(QPen(parts_.tokens.edge, 1));
  painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  struct Row {
    QString text;
    QColor color;
  };
  std::vector<Row> rows{{valueText(parts_.cross, parts_.x_unit), QColor()}};
  for (auto& one : parts_.series) {
    const auto index = nearestIndex(one.x, parts_.cross);
    if (index < 0 || parts_.cross > one.x.last() + (one.x.size() > 1 ? one.x.last() - one.x[one.x.size() - 2] : 1)) continue;
    if (parts_.cross < one.x.first() && one.kind == SeriesKind::Planned) continue;
    const double value = parts_.lineValues(one)[index];
    rows.push_back({one.name + QStringLiteral("  ") + valueText(value, parts_.y_unit), parts_.colorOf(one)});
    if (!std::isfinite(value)) continue;
    const QPointF at(parts_.plot->xAxis->coordToPixel(one.x[index]), parts_.plot->yAxis->coordToPixel(value));
    if (!area.adjusted(-1, -1, 1, 1).contains(at)) continue;
    painter.setPen(QPen(parts_.tokens.base, 1.5));
    painter.setBrush(parts_.colorOf(one));
    painter.drawEllipse(at, 4, 4);
  }
  for (const ChartMark& mark : parts_.marks) {
    if (!mark.text.isEmpty() && std::fabs(parts_.plot->xAxis->coordToPixel(mark.x) - x) <= 5) rows.push_back({mark.text, QColor()});
  }
  const QFontMetricsF metrics(painter.font());
  double width = 0;
  for (const Row& row : rows) width = std::max(width, metrics.horizontalAdvance(row.text) + (row.color.isValid() ? 14 : 0));
  const double line = metrics.height() + 2;
  QRectF box(x + 10, area.top() + 4, width + 16, line * static_cast<double>(rows.size()) + 10);
  if (box.right() > area.right()) box.moveRight(x - 10);
  if (box.left() < area.left()) box.moveLeft(area.left());
  painter.setPen(QPen(parts_.tokens.hairline, 1));
  painter.setBrush(parts_.tokens.base);
  painter.drawRoundedRect(box, 4, 4);
  double y = box.top() + 5 + metrics.ascent();
  for (const Row& row : rows) {
    const bool swatch = row.color.isValid();
    if (swatch) painter.fillRect(QRectF(box.left() + 8, y - metrics.ascent() / 2 + 1, 8, 3), row.color);
    painter.setPen(swatch ? parts_.tokens.text : parts_.tokens.secondary);
    painter.drawText(QPointF(box.left() + 8 + (swatch ? 14 : 0), y), row.text);
    y += line;
  }
}

}  // namespace trainyard::ui
