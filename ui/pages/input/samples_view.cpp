#include "ui/pages/input/samples_view.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kGap = 12;
constexpr int kLabelGap = 3;
constexpr qreal kRadius = 4;
constexpr qreal kPale = 0.55;
constexpr int kEnlargeSharply = 2;  // times: from there pixels are shown as squares

}  // namespace

SamplesView::SamplesView(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding); }

void SamplesView::setCells(const QVector<Cell>& cells) {
  cells_ = cells;
  stale_ = false;
  update();
}

void SamplesView::setStale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  update();
}

void SamplesView::paintEvent(QPaintEvent*) {
  if (cells_.isEmpty()) return;
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  painter.setFont(textFont(TextSize::Axis));
  const int text_height = painter.fontMetrics().height() + kLabelGap;
  // As many columns as give the largest squares.
  int columns = 1, edge = 0;
  const int count = int(cells_.size());
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const int fits = std::min((width() - (c - 1) * kGap) / c, (height() - (rows - 1) * kGap) / rows - text_height);
    if (fits > edge) {
      edge = fits;
      columns = c;
    }
  }
  if (edge < 8) return;
  const QPalette palette = QApplication::palette();
  const int left = (width() - columns * edge - (columns - 1) * kGap) / 2;
  for (int i = 0; i < count; ++i) {
    const QRectF square(left + (i % columns) * (edge + kGap), (i / columns) * (edge + text_height + kGap), edge, edge);
    const QImage& image = cells_[i].image;
    painter.setOpacity(1);
    QPainterPath outline;
    QRectF frame = square;
    if (!image.isNull()) {
      QSizeF size = QSizeF(image.size()).scaled(square.size(), Qt::KeepAspectRatio);
      frame = QRectF(square.center() - QPointF(size.width() / 2, size.height() / 2), size);
    }
    outline.addRoundedRect(frame, kRadius, kRadius);
    painter.fillPath(outline, palette.color(QPalette::Button));
    if (!image.isNull()) {
      painter.setOpacity(stale_ ? kPale : 1);
      painter.setClipPath(outline);
      painter.setRenderHint(QPainter::SmoothPixmapTransform, frame.width() < kEnlargeSharply * image.width());
      // Shrinking by much in one go leaves out pixels.
      const QSize target = (frame.size() * devicePixelRatioF()).toSize();
      const bool shrink = target.width() * 2 < image.width();
      painter.drawImage(frame, shrink ? image.scaled(target, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image);
      painter.setClipping(false);
      painter.setOpacity(1);
    }
    painter.setPen(QPen(palette.color(i == 0 ? QPalette::Link : QPalette::Mid), i == 0 ? 2 : 1));
    painter.drawPath(outline);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(QRectF(square.left(), square.bottom() + kLabelGap, edge, text_height), Qt::AlignHCenter | Qt::AlignTop,
                     painter.fontMetrics().elidedText(cells_[i].label, Qt::ElideRight, edge));
  }
}

}  // namespace trainyard::ui
