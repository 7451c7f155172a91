#pragma once
// All runs of this machine as a table, newest first. Reading happens on a worker thread, at most once a second and never for more than a
// few percent of the time; runs whose files have not changed are not read again.
#include <QAbstractTableModel>
#include <QSet>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/runs/run_directory.h"

namespace trainyard::ui {

class SummaryCache;

class RunsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, State, Architecture, Progress, Best, LastLoss, Started, Duration, kColumns };
  // DirRole: QString. StateRole: int of runs::State. SortRole: a value that sorts as people expect. ProgressRole: double 0…1.
  // ProblemRole: why a run cannot be read, or "". The check box of the first column chooses runs to compare.
  enum Role { DirRole = Qt::UserRole + 1, StateRole, SortRole, ProgressRole, ProblemRole };

  explicit RunsModel(QObject* parent = nullptr);
  ~RunsModel() override;

  // Looked at: refresh once a second. Nobody looks: no work at all. Counts its callers: each true needs its false.
  void setActive(bool active);
  void refresh();  // once, soon

  const runs::RunSummary& at(int row) const { return runs_[static_cast<size_t>(row)]; }
  int rowOf(const QString& dir) const;  // -1: not there
  QStringList checkedRuns() const;      // in the order of the table
  void setChecked(const QString& dir, bool checked);
  bool loaded() const { return loaded_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  // A state in words: "Training", "Paused", "Ended unexpectedly".
  static QString stateText(const runs::SeenState& seen);

  // Replaces the rows; what a refresh does with what it has read.
  void setRuns(std::vector<runs::RunSummary> fresh);

 Q_SIGNALS:
  void refreshed();
  void checkedChanged();

 private:
  QVariant text(const runs::RunSummary& run, int column) const;
  QVariant sortKey(const runs::RunSummary& run, int column) const;
  void read();

  std::shared_ptr<SummaryCache> cache_;  // shared with the worker
  std::vector<runs::RunSummary> runs_;
  QSet<QString> checked_;
  QTimer timer_;
  int watchers_ = 0;
  bool reading_ = false, loaded_ = false, again_ = false;
};

}  // namespace trainyard::ui
