#pragma once
// Runs the scan of the recipe's data on threads of its own whenever the data changes, with the system's other work going first. GUI thread.
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/scan.h"
#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {

class DataDoctor : public QObject {
  Q_OBJECT
 public:
  enum class State { Nothing, Running, Ready, Stopped, Failed };
  using Scan = std::function<Result<data::ScanReport>(const recipe::Data&, uint64_t seed, const data::ScanOptions&)>;

  // `busy` says whether a training is live now: the scan then takes half of the cores.
  DataDoctor(RecipeDocument* recipe, DatasetScan* dataset, std::function<bool()> busy, QObject* parent = nullptr);
  ~DataDoctor() override;  // stops the scan and waits for it: up to a second

  State state() const { return state_; }
  // Of the last scan that came to its end for this data; stays while the next one runs. Null before.
  const std::shared_ptr<const data::ScanReport>& report() const { return report_; }
  const std::optional<Error>& error() const { return error_; }

  // Of the scan that runs.
  uint64_t done() const { return done_; }
  uint64_t total() const { return total_; }
  double secondsLeft() const;  // negative: not known yet

  void stop();                                          // what has been looked at is remembered for the next time
  void setScan(Scan scan) { scan_ = std::move(scan); }  // instead of data::scan

 Q_SIGNALS:
  void changed();     // state or report
  void progressed();  // a few times a second

 private:
  struct Job;
  void consider();
  void start();
  void finished(const Job* job, const Result<std::shared_ptr<const data::ScanReport>>& found);
  void look();
  void dismiss();  // the running job's answer no longer counts

  RecipeDocument* recipe_;
  DatasetScan* dataset_;
  std::function<bool()> busy_;
  Scan scan_;
  State state_ = State::Nothing;
  std::shared_ptr<const DatasetScan::Facts> scanned_;  // what the report, or the scan that runs, belongs to
  Json source_;                                        // path and format of it
  std::shared_ptr<const data::ScanReport> report_;
  std::optional<Error> error_;
  std::shared_ptr<Job> job_;
  std::vector<std::shared_ptr<Job>> ending_;  // told to stop, not ended yet
  QTimer timer_;
  QElapsedTimer since_;
  uint64_t done_ = 0, total_ = 0;
};

}  // namespace trainyard::ui
