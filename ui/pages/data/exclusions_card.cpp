#include "ui/pages/data/exclusions_card.h"

#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr int kRows = 5;  // without scrolling

}  // namespace

ExclusionsCard::ExclusionsCard(RecipeDocument* recipe, QWidget* parent) : Card(parent), recipe_(recipe) {
  count_ = makeLabel("secondary", this, true);
  list_ = new QListView(this);
  names_ = new QStringListModel(this);
  list_->setModel(names_);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setUniformItemSizes(true);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  back_ = makeButton(this);
  all_ = makeButton(this);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(back_);
  buttons->addWidget(all_);
  buttons->addStretch(1);
  body()->addWidget(count_);
  body()->addWidget(list_);
  body()->addLayout(buttons);
  connect(back_, &QPushButton::clicked, this, &ExclusionsCard::putSelectedBack);
  connect(list_, &QListView::doubleClicked, this, &ExclusionsCard::putSelectedBack);
  connect(all_, &QPushButton::clicked, this, [this] { putBack(*recipe_, shown_.pictures, shown_.classes); });
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { back_->setEnabled(list_->selectionModel()->hasSelection()); });
  retranslate();
}

// Classes come first in the list.
void ExclusionsCard::refresh() {
  Exclusions now = exclusionsOf(*recipe_);
  setVisible(!now.empty());
  if (now.pictures != shown_.pictures || now.classes != shown_.classes || names_->rowCount() == 0) {
    shown_ = std::move(now);
    QStringList lines;
    for (const QString& name : shown_.classes) lines << tr("Class “%1”").arg(name);
    names_->setStringList(lines + shown_.pictures);
  }
  QStringList counts;
  if (!shown_.pictures.isEmpty()) counts << tr("%Ln picture(s)", nullptr, int(shown_.pictures.size()));
  if (!shown_.classes.isEmpty()) counts << tr("%Ln class(es)", nullptr, int(shown_.classes.size()));
  count_->setText(tr("%1 left out of this recipe. The files are untouched.").arg(counts.join(tr(" and "))));
  const int row = std::max(list_->sizeHintForRow(0), list_->fontMetrics().height());
  list_->setFixedHeight(row * std::clamp(names_->rowCount(), 1, kRows) + 4);
  back_->setEnabled(list_->selectionModel()->hasSelection());
}

void ExclusionsCard::putSelectedBack() {
  QStringList pictures, classes;
  for (const QModelIndex& index : list_->selectionModel()->selectedRows()) {
    const int row = index.row(), first = int(shown_.classes.size());
    if (row < first) {
      classes << shown_.classes[row];
    } else {
      pictures << shown_.pictures.value(row - first);
    }
  }
  if (!pictures.isEmpty() || !classes.isEmpty()) putBack(*recipe_, pictures, classes);
}

void ExclusionsCard::retranslate() {
  setTitle(tr("Left out"));
  back_->setText(tr("Put back"));
  all_->setText(tr("Put all back"));
  names_->setStringList({});
  refresh();
}

}  // namespace trainyard::ui
