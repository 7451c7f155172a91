#include "ui/pages/runs/runs_delegate.h"

#include <QPainter>

#include "ui/models/runs_model.h"

namespace trainyard::ui {

void RunsDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->state &= ~QStyle::State_HasFocus;
  const bool broken = !index.data(RunsModel::ProblemRole).toString().isEmpty();
  QColor color = tokens_.text;
  if (broken) color = index.column() == RunsModel::State ? tokens_.bad : tokens_.secondary;
  if (index.column() == RunsModel::State && !broken) {
    switch (static_cast<runs::State>(index.data(RunsModel::StateRole).toInt())) {
      case runs::State::Running:
      case runs::State::Starting:
        color = tokens_.accent;
        break;
      case runs::State::Paused:
        color = tokens_.caution;
        break;
      case runs::State::Failed:
        color = tokens_.bad;
        break;
      case runs::State::Finished:
        color = tokens_.good;
        break;
      default:
        color = tokens_.secondary;
        break;
    }
  }
  option->palette.setColor(QPalette::Text, color);
  option->palette.setColor(QPalette::HighlightedText, color);
}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, tokens_.selection);
  if (index.column() != RunsModel::Name) cell.rect.adjust(5, 0, -5, 0);  // in line with the headings; the check box stays where clicks expect it
  QStyledItemDelegate::paint(painter, cell, index);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  if (index.column() == RunsModel::Progress && index.data(RunsModel::ProblemRole).toString().isEmpty()) {
    const QRectF track(option.rect.left() + 8, option.rect.bottom() - 4, option.rect.width() - 28, 2);
    const double share = index.data(RunsModel::ProgressRole).toDouble();
    painter->setBrush(tokens_.raised);
    painter->drawRect(track);
    painter->setBrush(share >= 1 ? tokens_.good : tokens_.accent);
    painter->drawRect(QRectF(track.left(), track.top(), track.width() * share, track.height()));
  }
  if (index.column() == RunsModel::Name) {
    const QColor swatch = swatches_.value(index.data(RunsModel::DirRole).toString());
    if (swatch.isValid()) {
      painter->setBrush(swatch);
      painter->drawRoundedRect(QRectF(option.rect.right() - 18, option.rect.center().y() - 1, 12, 3), 1.5, 1.5);
    }
  }
  painter->restore();
}

}  // namespace trainyard::ui
