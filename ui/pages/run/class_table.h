#pragma once
// Precision, recall and F1 of each class; sorted by clicking a heading, the weakest first to begin with.
#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "ui/pages/run/run_samples.h"

namespace trainyard::ui {

class ClassModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Samples, Precision, Recall, F1, Count };
  using QAbstractTableModel::QAbstractTableModel;
  void setFigures(std::vector<ClassFigures> figures);
  void retranslate() { Q_EMIT headerDataChanged(Qt::Horizontal, 0, Count - 1); }
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;  // Qt::UserRole: what is sorted by
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<ClassFigures> figures_;
};

class ClassTable : public QTableView {
  Q_OBJECT
 public:
  explicit ClassTable(QWidget* parent = nullptr);
  ClassModel* classes() const { return model_; }

 private:
  ClassModel* model_;
  QSortFilterProxyModel* sorted_;
};

}  // namespace trainyard::ui
