#pragma once
// The rows of a table, as they are read: what takes the place of the picture grid. Rows cost nothing until they are looked at.
#include <QAbstractTableModel>
#include <QTableView>

#include "ui/pictures/dataset_scan.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

class RowModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setFacts(std::shared_ptr<const DatasetScan::Facts> facts);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const data::Dataset* table() const { return facts_ && facts_->dataset->columns() != nullptr ? facts_->dataset.get() : nullptr; }

  std::shared_ptr<const DatasetScan::Facts> facts_;
};

class RowTable : public Card {
  Q_OBJECT
 public:
  explicit RowTable(QWidget* parent = nullptr);
  void setFacts(const std::shared_ptr<const DatasetScan::Facts>& facts) { model_->setFacts(facts); }
  RowModel* model() const { return model_; }

 private:
  RowModel* model_;
};

}  // namespace trainyard::ui
