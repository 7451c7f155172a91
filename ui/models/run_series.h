#pragma once
// The curves of one run, gathered from its events as they come. No thread of its own.
#include <QString>
#include <QVector>
#include <map>
#include <string>
#include <vector>

#include "core/runs/event.h"

namespace trainyard::ui {

// What a chart may have along x.
enum class RunAxis { Updates, Epochs, Seconds };

// Points in the order of the run; every point knows its place on each axis.
struct Curve {
  QVector<double> step, epoch, seconds, value;
  const QVector<double>& along(RunAxis axis) const { return axis == RunAxis::Updates ? step : axis == RunAxis::Epochs ? epoch : seconds; }
  bool isEmpty() const { return value.isEmpty(); }
  double last() const { return value.isEmpty() ? qQNaN() : value.last(); }
  void add(double at_step, double at_epoch, double at_seconds, double what);
  void dropAfter(double last_step);
};

enum class RunMarkKind { Best, Checkpoint, Set, Pause, Resume, NonFinite, Skipped };
struct RunMark {
  RunMarkKind kind = RunMarkKind::Checkpoint;
  double step = 0, epoch = 0, seconds = 0;
  std::string key;  // of a live change: "lr"
  double from = 0, to = 0;  // of Skipped: `to` updates; NaN: no numbers
  std::string text;         // of a live change: what `to` is, where it is no number
};

struct DeviceFigures {
  std::string device;
  double memory_used = qQNaN(), memory_total = qQNaN(), utilization = qQNaN(), power_w = qQNaN(), temperature_c = qQNaN();  // NaN: unknown
  double time = 0;
};

// What a rank does with the time of an update, in ms.
struct RankTimes {
  int rank = 0;
  std::string device;
  double compute = 0, communication = 0, data_wait = 0, idle = 0;
  double all() const { return compute + communication + data_wait + idle; }
};

struct EvalRow {
  int64_t step = 0, epoch = 0;
  std::string split;
  double loss = qQNaN(), metric = qQNaN();
  int64_t samples = 0;
  double time = 0;
  bool best = false;
};

class RunSeries {
 public:
  void clear();
  void add(const runs::Event& event);
  void add(const std::vector<runs::Event>& events);

  Curve loss, rate, speed, waiting, gradient;  // speed: samples a second; waiting: share of the step
  Curve loss_scale;  // of fp16
  Curve eval_loss, metric;
  Curve average_loss, average_metric;  // of the averaged weights
  std::map<std::string, Curve> memory, use;  // bytes used; share of the time at work, 0…1; by device
  std::vector<RunMark> marks;
  std::vector<DeviceFigures> devices;  // the newest of each
  std::vector<EvalRow> evals;
  std::vector<std::string> device_names;  // where it trains: "cpu", "cuda:0"

  // What makes a checkpoint the best; set before adding. Becomes "loss" where the run's data has no such value.
  std::string metric_name = "accuracy";
  std::string shown_metric = "accuracy";  // drawn besides the loss: metric_name, or where that is the loss, one that there is
  int64_t steps_total = 0, epochs = 0, samples = 0, parameters = 0, step = 0;
  std::vector<RankTimes> rankTimes() const;  // means over the newest few reports; empty: none came
  double started = 0, last_time = 0;  // s since the epoch
  double seconds = 0;                 // of training: pauses and the time between a stop and its resuming left out
  double best = qQNaN();
  int64_t best_step = -1, best_epoch = -1;

  double stepsPerEpoch() const { return steps_total > 0 && epochs > 0 ? static_cast<double>(steps_total) / static_cast<double>(epochs) : 0; }
  double epochAt(double at_step) const { return stepsPerEpoch() > 0 ? at_step / stepsPerEpoch() : 0; }
  // Seconds to the end at the pace of the last `log` points; NaN when unknown.
  double secondsLeft() const;
  // Half-life of the smoothing in points of the loss: a 200th of all updates.
  double halfLife() const;

 private:
  void onStep(const runs::Event& event);
  void onEval(const runs::Event& event);
  void onDevice(const runs::Event& event);
  void onRanks(const runs::Event& event);
  void addToCurves(const EvalRow& row);
  void onResumed(const runs::Event& event);
  void mark(RunMarkKind kind, const runs::Event& event);
  void findBest();
  bool betterIsLower() const { return metric_name == "loss" || metric_name == "mae" || metric_name == "rmse"; }
  double scoreOf(const EvalRow& row) const { return metric_name == "loss" ? row.loss : row.metric; }
  void readMetric(const Json& metrics, EvalRow& row);

  std::vector<std::vector<RankTimes>> rank_reports_;  // the newest last
  double clock_offset_ = 0;                           // s that do not count as training
  double paused_at_ = qQNaN();
};

}  // namespace trainyard::ui
