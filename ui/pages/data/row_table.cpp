#include "ui/pages/data/row_table.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/forms/number_text.h"

namespace trainyard::ui {
namespace {

QString targetText(const data::Dataset& table, uint64_t row) {
  const auto& names = table.classes();
  if (table.task() == data::Task::Classes) {
    const int label = table.label(row);
    return label >= 0 && size_t(label) < names.size() ? QString::fromStdString(names[size_t(label)]) : QString();
  }
  std::vector<float> values(names.size());
  table.target(row, values);
  QStringList parts;
  for (size_t i = 0; i < values.size(); ++i) {
    if (table.task() == data::Task::Numbers) parts << numberText(double(values[i]));
    if (table.task() == data::Task::Labels && values[i] > 0) parts << QString::fromStdString(names[i]);
  }
  return parts.join(", ");
}

}  // namespace

void RowModel::setFacts(std::shared_ptr<const DatasetScan::Facts> facts) {
  if (facts == facts_) return;
  beginResetModel();
  facts_ = std::move(facts);
  endResetModel();
}

int RowModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || table() == nullptr) return 0;
  return int(std::min<uint64_t>(table()->size(), std::numeric_limits<int>::max()));
}

// The target comes first.
int RowModel::columnCount(const QModelIndex& parent) const { return parent.isValid() || table() == nullptr ? 0 : int(table()->columns()->size()) + 1; }

QVariant RowModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || table() == nullptr) return {};
  const auto row = uint64_t(index.row());
  const size_t column = size_t(index.column()) - 1;
  const bool target = index.column() == 0;
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (target || !table()->columns()->at(column).numeric() ? Qt::AlignLeft : Qt::AlignRight));
  if (role != Qt::DisplayRole) return {};
  if (target) return targetText(*table(), row);
  const auto values = table()->row(row);
  if (column >= values.size() || std::isnan(values[column])) return QStringLiteral("–");
  const data::Column& kind = table()->columns()->at(column);
  if (kind.numeric()) return numberText(double(values[column]));
  const auto category = size_t(values[column]);
  return category < kind.categories.size() ? QString::fromStdString(kind.categories[category]) : QStringLiteral("–");
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || table() == nullptr) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return section == 0 ? tr("Target") : QString::fromStdString(table()->columns()->at(size_t(section) - 1).name);
}

RowTable::RowTable(QWidget* parent) : Card(parent), model_(new RowModel(this)) {
  auto* view = new QTableView(this);
  view->setModel(model_);
  view->setShowGrid(false);
  view->setAlternatingRowColors(true);
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->verticalHeader()->setDefaultSectionSize(26);
  view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  body()->addWidget(view, 1);
}

}  // namespace trainyard::ui
