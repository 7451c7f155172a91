#include "ui/pages/train/stage_bar.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::ui {
namespace {

constexpr int kBarHeight = 34, kCaptionHeight = 18, kOverhang = 4, kMargin = 6;
constexpr int kHandleWidth = 5, kGrasp = 7;  // pixels; how near the pointer has to be
constexpr double kLeastShare = 0.004;        // of the bar: a block without work can be seen all the same

}  // namespace

StageBar::StageBar(QWidget* parent) : QWidget(parent), tokens_(lightTokens()) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StageBar::setTokens(const Tokens& tokens) {
  tokens_ = tokens;
  update();
}

void StageBar::setBlocks(const QVector<double>& shares, const QStringList& tips) {
  tips_ = tips;
  QVector<double> widths;
  for (const double share : shares) widths << std::max(std::isfinite(share) ? share : 0, kLeastShare);
  const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
  edges_ = {0};
  for (const double width : widths) edges_ << edges_.last() + width / all;
  const int blocks = int(shares.size());
  if (!cuts_.isEmpty() && cuts_.last() >= blocks) cuts_.clear();
  update();
}

void StageBar::setCuts(const QVector<int>& cuts) {
  int before = 0;
  for (const int cut : cuts) {
    if (cut <= before || cut >= edges_.size() - 1) return;
    before = cut;
  }
  if (dragging_ || cuts == cuts_) return;
  cuts_ = cuts;
  selected_ = std::clamp(selected_, 0, std::max(0, int(cuts_.size()) - 1));
  update();
}

void StageBar::setCaptions(const QStringList& captions) {
  captions_ = captions;
  update();
}

QColor StageBar::stageColor(int stage) const { return tokens_.series.isEmpty() ? tokens_.accent : tokens_.series[stage % tokens_.series.size()]; }

QSize StageBar::minimumSizeHint() const { return {160, kCaptionHeight + kBarHeight + 2 * kOverhang}; }
QSize StageBar::sizeHint() const { return {480, minimumSizeHint().height()}; }

QRectF StageBar::barRect() const { return {double(kMargin), double(kCaptionHeight + kOverhang), double(width() - 2 * kMargin), double(kBarHeight)}; }

double StageBar::edgeX(int block) const { return barRect().left() + barRect().width() * edges_.value(block); }

double StageBar::cutX(int cut) const { return edgeX(cuts_.value(cut)); }

int StageBar::blockAt(double x) const {
  for (int block = 0; block + 1 < edges_.size(); ++block) {
    if (x >= edgeX(block) && x < edgeX(block + 1)) return block;
  }
  return -1;
}

int StageBar::cutAt(double x) const {
  int nearest = -1;
  for (int cut = 0; cut < cuts_.size(); ++cut) {
    const double away = std::abs(cutX(cut) - x);
    if (away <= kGrasp && (nearest < 0 || away < std::abs(cutX(nearest) - x))) nearest = cut;
  }
  return nearest;
}

// Every stage keeps a block.
int StageBar::leastOf(int cut) const { return cut > 0 ? cuts_[cut - 1] + 1 : 1; }
int StageBar::mostOf(int cut) const { return cut + 1 < cuts_.size() ? cuts_[cut + 1] - 1 : int(edges_.size()) - 2; }

bool StageBar::moveTo(int cut, int block) {
  if (cut < 0 || cut >= cuts_.size()) return false;
  const int place = std::clamp(block, leastOf(cut), mostOf(cut));
  if (place == cuts_[cut]) return false;
  cuts_[cut] = place;
  update();
  return true;
}

void StageBar::select(int cut) {
  if (cuts_.isEmpty()) return;
  selected_ = std::clamp(cut, 0, int(cuts_.size()) - 1);
  update();
}

void StageBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const int cut = cutAt(event->position().x());
  dragging_ = cut >= 0;
  dragged_ = false;
  if (dragging_) select(cut);
}

void StageBar::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (!dragging_) return setCursor(cutAt(x) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
  int nearest = 0;
  for (int block = 0; block < edges_.size(); ++block) {
    if (std::abs(edgeX(block) - x) < std::abs(edgeX(nearest) - x)) nearest = block;
  }
  if (!moveTo(selected_, nearest)) return;
  dragged_ = true;
  Q_EMIT moved();
}

void StageBar::mouseReleaseEvent(QMouseEvent*) {
  if (!dragging_) return;
  dragging_ = false;
  if (dragged_) Q_EMIT chosen();
}

void StageBar::keyPressEvent(QKeyEvent* event) {
  if (cuts_.isEmpty()) return QWidget::keyPressEvent(event);
  const int now = cuts_[selected_];
  bool moved = false;
  switch (event->key()) {
    case Qt::Key_Left:
      moved = moveTo(selected_, now - 1);
      break;
    case Qt::Key_Right:
      moved = moveTo(selected_, now + 1);
      break;
    case Qt::Key_Home:
      moved = moveTo(selected_, leastOf(selected_));
      break;
    case Qt::Key_End:
      moved = moveTo(selected_, mostOf(selected_));
      break;
    case Qt::Key_Up:
      select(selected_ - 1);
      break;
    case Qt::Key_Down:
      select(selected_ + 1);
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  if (moved) Q_EMIT chosen();
}

bool StageBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int block = blockAt(help->pos().x());
    if (block >= 0) QToolTip::showText(help->globalPos(), tips_.value(block), this);
    return true;
  }
  return QWidget::event(event);
}

void StageBar::paintCaptions(QPainter& painter) const {
  painter.setFont(textFont(TextSize::Secondary));
  painter.setPen(tokens_.secondary);
  for (int stage = 0; stage <= cuts_.size(); ++stage) {
    const double left = stage == 0 ? edgeX(0) : cutX(stage - 1), right = stage == cuts_.size() ? edgeX(int(edges_.size()) - 1) : cutX(stage);
    const QRectF room(left, 0, right - left - kMargin, kCaptionHeight);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(captions_.value(stage), Qt::ElideRight, int(room.width())));
  }
}

void StageBar::paintEvent(QPaintEvent*) {
  if (edges_.size() < 2) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintCaptions(painter);
  const QRectF bar = barRect();
  int stage = 0;
  for (int block = 0; block + 1 < edges_.size(); ++block) {
    if (stage < cuts_.size() && cuts_[stage] == block) ++stage;
    const QRectF area(edgeX(block), bar.top(), edgeX(block + 1) - edgeX(block), bar.height());
    // A hair of ground between two blocks, where there is room for it.
    painter.fillRect(area.adjusted(0, 0, area.width() > 3 ? -1 : 0, 0), stageColor(stage));
  }
  for (int cut = 0; cut < cuts_.size(); ++cut) {
    const bool held = cut == selected_ && hasFocus();
    const QRectF handle(cutX(cut) - kHandleWidth / 2.0 - 0.5, bar.top() - kOverhang, kHandleWidth, bar.height() + 2 * kOverhang);
    painter.setPen(QPen(tokens_.base, 2));
    painter.setBrush(held ? tokens_.accent : tokens_.text);
    painter.drawRoundedRect(handle, 2.5, 2.5);
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(tokens_.accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, kCaptionHeight - 0.5, -0.5, -0.5), 4, 4);
}

}  // namespace trainyard::ui
