#pragma once
// Cells of the table of runs: states in their colours, progress as a bar, a swatch before runs whose curves are shown.
#include <QHash>
#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

namespace trainyard::ui {

class RunsDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setTokens(const Tokens& tokens) { tokens_ = tokens; }
  void setSwatches(const QHash<QString, QColor>& swatches) { swatches_ = swatches; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  Tokens tokens_;
  QHash<QString, QColor> swatches_;
};

}  // namespace trainyard::ui
