#include "ui/pages/run/class_table.h"

#include <QHeaderView>
#include <cmath>

#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

void ClassModel::setFigures(std::vector<ClassFigures> figures) {
  beginResetModel();
  figures_ = std::move(figures);
  endResetModel();
}

int ClassModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(figures_.size()); }
int ClassModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(Count); }

QVariant ClassModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ClassFigures& one = figures_[size_t(index.row())];
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | Qt::AlignLeft);
  if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
  const bool shown = role == Qt::DisplayRole;
  if (index.column() == Name) return one.name;
  if (index.column() == Samples) return shown ? QVariant(formatNumber(qlonglong(one.samples))) : QVariant(qulonglong(one.samples));
  const double share = index.column() == Precision ? one.precision : index.column() == Recall ? one.recall : one.f1;
  return shown ? QVariant(percentText(share)) : QVariant(std::isnan(share) ? -1.0 : share);
}

QVariant ClassModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | Qt::AlignLeft);
  const QString titles[] = {tr("Class"), tr("Pictures"), tr("Precision"), tr("Recall"), tr("F1")};
  const QString tips[] = {QString(), QString(), tr("Of those that were named so, how many are."), tr("Of those that are, how many were found."),
                          tr("The harmonic mean of precision and recall.")};
  if (section < 0 || section >= Count) return {};
  if (role == Qt::DisplayRole) return titles[section];
  return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

ClassTable::ClassTable(QWidget* parent) : QTableView(parent), model_(new ClassModel(this)), sorted_(new QSortFilterProxyModel(this)) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(Qt::UserRole);
  setModel(sorted_);
  setSortingEnabled(true);
  sortByColumn(ClassModel::F1, Qt::AscendingOrder);
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setFrameShape(QFrame::NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(26);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
}

}  // namespace trainyard::ui
