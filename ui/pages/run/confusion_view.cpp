#include "ui/pages/run/confusion_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kSmallestCell = 18, kLargestCell = 64, kRoomForNumber = 22;
constexpr int kMostLabel = 110, kGap = 6, kMargin = 2;
constexpr int kCaption = 18;  // "answered" above the names

QColor between(const QColor& from, const QColor& to, double share) {
  const auto mix = [&](int a, int b) { return int(std::lround(a + share * (b - a))); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

bool isDark(const QColor& color) { return 0.299 * color.red() + 0.587 * color.green() + 0.114 * color.blue() < 140; }

}  // namespace

ConfusionView::ConfusionView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
}

void ConfusionView::setTokens(const Tokens& tokens) {
  tokens_ = tokens;
  viewport()->update();
}

void ConfusionView::setMatrix(const std::vector<std::vector<uint64_t>>& matrix, const QStringList& classes) {
  matrix_ = matrix;
  classes_ = classes;
  const QFontMetrics metrics(textFont(TextSize::Axis));
  widest_ = 0;
  for (const QString& name : classes_) widest_ = std::max(widest_, metrics.horizontalAdvance(name));
  rows_.clear();
  for (const auto& row : matrix_) rows_.push_back(std::accumulate(row.begin(), row.end(), uint64_t{0}));
  if (truth_ >= int(matrix_.size()) || answer_ >= int(matrix_.size())) truth_ = answer_ = -1;
  placeBars();
  updateGeometry();
  viewport()->update();
}

void ConfusionView::setChosen(int truth, int answer) {
  truth_ = truth;
  answer_ = answer;
  viewport()->update();
}

int ConfusionView::labelWidth() const {
  const int caption = QFontMetrics(textFont(TextSize::Axis)).horizontalAdvance(tr("true ↓"));
  return std::min(std::max(widest_, caption), kMostLabel) + kGap;
}

// Names of columns stand upright when they are short, else they are turned.
int ConfusionView::headerHeightFor(int cell_width) const {
  const int upright = QFontMetrics(textFont(TextSize::Axis)).height();
  return kCaption + (widest_ <= cell_width - 4 ? upright : std::min(widest_, kMostLabel)) + kGap;
}

int ConfusionView::headerHeight() const { return headerHeightFor(cellSize().width()); }

// Wider than high where that fills the room.
QSize ConfusionView::cellSize() const {
  const int count = std::max<int>(1, int(matrix_.size()));
  const int width = (viewport()->width() - labelWidth() - kMargin) / count;
  const int cell_width = std::clamp(width, kSmallestCell, kLargestCell);
  const int height = (viewport()->height() - headerHeightFor(cell_width) - kMargin) / count;
  return {cell_width, std::clamp(height, kSmallestCell, std::min(kLargestCell, cell_width))};
}

QSize ConfusionView::sizeHint() const { return {380, 320}; }

QRect ConfusionView::cellRect(int truth, int answer) const {
  const QSize cell = cellSize();
  return {{labelWidth() + answer * cell.width() - horizontalScrollBar()->value(), headerHeight() + truth * cell.height() - verticalScrollBar()->value()}, cell};
}

bool ConfusionView::cellAt(const QPoint& where, int& truth, int& answer) const {
  if (where.x() < labelWidth() || where.y() < headerHeight()) return false;
  const QSize cell = cellSize();
  answer = (where.x() - labelWidth() + horizontalScrollBar()->value()) / cell.width();
  truth = (where.y() - headerHeight() + verticalScrollBar()->value()) / cell.height();
  return truth >= 0 && answer >= 0 && truth < int(matrix_.size()) && answer < int(matrix_.size());
}

void ConfusionView::placeBars() {
  const QSize cell = cellSize(), whole = cell * int(matrix_.size());
  const int width = viewport()->width() - labelWidth(), height = viewport()->height() - headerHeight();
  horizontalScrollBar()->setRange(0, std::max(0, whole.width() + kMargin - width));
  horizontalScrollBar()->setPageStep(width);
  verticalScrollBar()->setRange(0, std::max(0, whole.height() + kMargin - height));
  verticalScrollBar()->setPageStep(height);
  horizontalScrollBar()->setSingleStep(cell.width());
  verticalScrollBar()->setSingleStep(cell.height());
}

void ConfusionView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  placeBars();
}

void ConfusionView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), tokens_.base);
  if (matrix_.empty()) return;
  const QRect area(labelWidth(), headerHeight(), viewport()->width() - labelWidth(), viewport()->height() - headerHeight());
  painter.save();
  painter.setClipRect(area);
  paintCells(painter, area);
  painter.restore();
  paintNames(painter);
}

void ConfusionView::paintCells(QPainter& painter, const QRect& area) {
  painter.setFont(textFont(TextSize::Axis));
  const QRect first = cellRect(0, 0);
  const bool numbers = first.width() >= kRoomForNumber;
  for (int truth = 0; truth < int(matrix_.size()); ++truth) {
    for (int answer = 0; answer < int(matrix_.size()); ++answer) {
      const QRect cell = first.translated(answer * first.width(), truth * first.height());
      if (!cell.intersects(area)) continue;
      const uint64_t count = matrix_[size_t(truth)][size_t(answer)];
      const double share = rows_[size_t(truth)] > 0 ? double(count) / double(rows_[size_t(truth)]) : 0;
      const QColor full = truth == answer ? tokens_.series.value(0) : tokens_.series.value(1);
      // The root lets a few mistakes among many right answers show.
      const QColor ground = count == 0 ? tokens_.raised : between(tokens_.raised, full, 0.15 + 0.85 * std::sqrt(share));
      painter.fillRect(cell.adjusted(0, 0, -1, -1), ground);
      if (numbers && count > 0) {
        painter.setPen(isDark(ground) ? QColor(Qt::white) : QColor(Qt::black));
        painter.drawText(cell.adjusted(1, 0, -2, -1), Qt::AlignCenter, painter.fontMetrics().elidedText(formatNumber(qlonglong(count)), Qt::ElideRight, cell.width() - 3));
      }
      if (truth == truth_ && answer == answer_) {
        painter.setPen(QPen(tokens_.text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell.adjusted(1, 1, -2, -2));
      }
    }
  }
}

void ConfusionView::paintNames(QPainter& painter) {
  painter.setFont(textFont(TextSize::Axis));
  const QFontMetrics metrics = painter.fontMetrics();
  const QRect first = cellRect(0, 0);
  const int cell = first.width(), height = first.height(), left = labelWidth(), top = headerHeight();
  painter.setPen(tokens_.placeholder);
  painter.drawText(QRect(left, 0, viewport()->width() - left, kCaption), Qt::AlignLeft | Qt::AlignTop, tr("answered →"));
  painter.drawText(QRect(0, 0, left - kGap, kCaption), Qt::AlignRight | Qt::AlignTop, tr("true ↓"));
  for (int i = 0; i < int(matrix_.size()); ++i) {
    const QString name = classes_.value(i);
    painter.setPen(i == truth_ ? tokens_.text : tokens_.secondary);
    const int y = first.top() + i * height;
    if (y + height > top && y < viewport()->height()) {
      painter.setClipRect(0, top, left, viewport()->height() - top);
      painter.drawText(QRect(0, y, left - kGap, height - 1), Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, left - kGap));
    }
    const int x = first.left() + i * cell;
    if (x + cell <= left || x >= viewport()->width()) continue;
    painter.setClipRect(left, 0, viewport()->width() - left, top);
    painter.setPen(i == answer_ ? tokens_.text : tokens_.secondary);
    if (metrics.horizontalAdvance(name) <= cell - 4) {
      painter.drawText(QRect(x, kCaption, cell, top - kCaption - kGap), Qt::AlignHCenter | Qt::AlignBottom, name);
      continue;
    }
    painter.save();
    painter.translate(x + cell / 2, top - kGap);
    painter.rotate(-90);
    const int room = top - kCaption - kGap;
    painter.drawText(QRect(0, -cell / 2, room, cell), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, room));
    painter.restore();
  }
}

void ConfusionView::pick(int truth, int answer) {
  if (truth == truth_ && answer == answer_) truth = answer = -1;
  setChosen(truth, answer);
  Q_EMIT chosen(truth, answer);
}

void ConfusionView::mouseReleaseEvent(QMouseEvent* event) {
  int truth = 0, answer = 0;
  if (cellAt(event->position().toPoint(), truth, answer)) pick(truth, answer);
}

void ConfusionView::keyPressEvent(QKeyEvent* event) {
  const int last = int(matrix_.size()) - 1;
  int truth = std::max(0, truth_), answer = std::max(0, answer_);
  switch (event->key()) {
    case Qt::Key_Left: --answer; break;
    case Qt::Key_Right: ++answer; break;
    case Qt::Key_Up: --truth; break;
    case Qt::Key_Down: ++truth; break;
    case Qt::Key_Escape: truth = answer = -1; break;
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  if (event->key() != Qt::Key_Escape) {
    truth = std::clamp(truth, 0, last);
    answer = std::clamp(answer, 0, last);
  }
  if (truth == truth_ && answer == answer_) return;
  setChosen(truth, answer);
  Q_EMIT chosen(truth, answer);
}

bool ConfusionView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    int truth = 0, answer = 0;
    if (!cellAt(help->pos(), truth, answer)) return true;
    const uint64_t count = matrix_[size_t(truth)][size_t(answer)], all = rows_[size_t(truth)];
    const QString share = all > 0 ? percentText(double(count) / double(all)) : QStringLiteral("–");
    const QString text = truth == answer ? tr("%1: %2 of %3 right (%4)") : tr("%1 taken for %5: %2 of %3 (%4)");
    QString filled = text.arg(classes_.value(truth), formatNumber(qlonglong(count)), formatNumber(qlonglong(all)), share);
    if (truth != answer) filled = filled.arg(classes_.value(answer));
    QToolTip::showText(help->globalPos(), filled, this);
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace trainyard::ui
