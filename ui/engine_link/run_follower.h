#pragma once
// Tails one run: its events and its state, five times a second while it lives, every two seconds once it has ended (somebody may resume
// it). A long history is read in slices, so that the window answers in between. Reads only.
#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/runs/event_log.h"
#include "core/runs/run_directory.h"

namespace trainyard::ui {

class RunFollower : public QObject {
  Q_OBJECT
 public:
  explicit RunFollower(QObject* parent = nullptr);
  ~RunFollower() override;

  void open(const QString& run_dir);  // restarted() comes at once, the events with the next turns of the event loop
  void close();
  void pollNow();  // after something was asked of the engine

  const QString& dir() const { return dir_; }
  // What counts now (see dropUndone). Of the `device` events only the newest few minutes are kept.
  const std::vector<runs::Event>& history() const { return history_; }
  const runs::SeenState& seen() const { return seen_; }
  bool caughtUp() const { return caught_up_; }  // everything that was there at open() has been delivered
  bool live() const;                            // starting, running or paused, with an engine that holds the lock
  QString problem() const { return state_problem_.isEmpty() ? problem_ : state_problem_; }  // why the run cannot be read, or ""

 Q_SIGNALS:
  void restarted();  // forget everything; the events come again
  // New events, in order. A `resumed` among them undoes later steps: history() has already dropped them.
  void appended(const std::vector<trainyard::runs::Event>& events);
  void stateChanged(const trainyard::runs::SeenState& seen);
  void caughtUpNow();  // once after open()

 private:
  void poll();
  void readStateNow();
  void keep(const std::vector<runs::Event>& events);
  void pruneDevices();

  QString dir_, problem_, state_problem_;
  std::unique_ptr<runs::EventReader> reader_;
  std::vector<runs::Event> history_;
  runs::SeenState seen_;
  bool state_known_ = false, caught_up_ = false;
  size_t device_events_ = 0;
  QTimer timer_;
};

}  // namespace trainyard::ui
