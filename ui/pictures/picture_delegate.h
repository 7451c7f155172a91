#pragma once
// Draws one picture of the grid: rounded thumbnail, class name below, a mark on those held out for validation.
#include <QStyledItemDelegate>

namespace trainyard::ui {

class PictureDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace trainyard::ui
