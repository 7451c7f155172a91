#include "ui/pictures/picture_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>

#include "ui/icons/icons.h"
#include "ui/pictures/picture_model.h"
#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

constexpr int kTextGap = 4;
constexpr qreal kRadius = 4;

}  // namespace

QSize PictureDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {PictureModel::kThumbWidth, PictureModel::kThumbHeight + kTextGap + QFontMetrics(textFont(TextSize::Axis)).height()};
}

void PictureDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QPalette palette = QApplication::palette();
  const QRectF frame(option.rect.left(), option.rect.top(), PictureModel::kThumbWidth, PictureModel::kThumbHeight);
  painter->save();
  painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  QPainterPath path;
  path.addRoundedRect(frame, kRadius, kRadius);
  painter->fillPath(path, palette.color(QPalette::Button));
  const QPixmap pixmap = index.data(Qt::DecorationRole).value<QPixmap>();
  painter->setClipPath(path);
  if (!pixmap.isNull()) painter->drawPixmap(frame.topLeft(), pixmap);
  painter->setClipping(false);
  if (index.data(PictureModel::BrokenRole).toBool()) {
    icon("warning", QPalette::BrightText).paint(painter, frame.adjusted(48, 33, -48, -33).toRect());
  }
  const bool marked = option.state & (QStyle::State_Selected | QStyle::State_HasFocus);
  painter->setPen(QPen(palette.color(marked ? QPalette::Link : QPalette::Mid), marked ? 2 : 1));
  painter->drawPath(path);
  painter->setFont(textFont(TextSize::Axis));
  QRectF text(frame.left(), frame.bottom() + kTextGap, frame.width(), option.rect.bottom() - frame.bottom());
  painter->setPen(palette.color(QPalette::PlaceholderText));
  const auto part = data::Part(index.data(PictureModel::PartRole).toInt());
  if (part == data::Part::Validation || part == data::Part::Test) {
    const QString mark = part == data::Part::Validation ? tr("validation") : tr("set aside");
    painter->drawText(text, Qt::AlignRight | Qt::AlignTop, mark);
    text.setRight(text.right() - painter->fontMetrics().horizontalAdvance(mark) - kTextGap);
  }
  const QString name = index.data(PictureModel::ClassRole).toString();
  painter->setPen(palette.color(QPalette::WindowText));
  painter->drawText(text, Qt::AlignLeft | Qt::AlignTop, painter->fontMetrics().elidedText(name, Qt::ElideRight, int(text.width())));
  painter->restore();
}

}  // namespace trainyard::ui
