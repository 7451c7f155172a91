#pragma once
// What the rules of the verdict look at: the events of a run, sorted into series. Internal to this room.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runs/event.h"

namespace trainyard::runs {

struct StepPoint {
  int64_t step = 0;
  double time = 0, loss = 0, lr = 0, skipped = 0;
  double step_ms = 0, wait_ms = 0, compute_ms = 0, comm_ms = 0, speed = 0;  // speed: samples per second; NaN where a line lacks a value
};

struct EvalPoint {
  int64_t step = 0, epoch = 0;
  double time = 0, loss = 0, accuracy = 0, samples = 0;  // accuracy: NaN when it was not measured
};

struct DevicePoint {
  double time = 0, utilization = 0, temperature = 0;  // NaN where unknown
};

struct RunSeries {
  std::vector<StepPoint> steps;
  std::vector<EvalPoint> evals;                              // validation only
  std::map<std::string, std::vector<DevicePoint>> gpus;      // by device
  std::vector<std::pair<int64_t, std::string>> checkpoints;  // step, path
  double session_start = 0;                                  // the last run_started, resumed or continued
  double engine_start = 0;                                   // the last run_started or resumed
  double last_device_time = 0, last_activity = 0;            // any device; step, eval or checkpoint
  double longest_break = 0;                                  // s from a step line to the end of the evaluation or checkpoint after it
  int64_t steps_total = 0, epochs = 0;
  std::vector<double> smoothed;  // T, one per step
  double first_loss = 0;         // L₀
  double noise = 0;              // σ
  size_t warm = 0;               // the first point after warm-up
  double stride = 1;             // updates between two step lines

  double stepsPerEpoch() const { return epochs > 0 ? static_cast<double>(steps_total) / static_cast<double>(epochs) : 0; }
};

RunSeries seriesOf(std::span<const Event> events);

// NaN for none. Values that are not finite are left out.
double median(std::vector<double> values);

// Median of data_wait_ms / step_ms over the last 50 points; NaN with fewer than 10.
double waitingShare(const RunSeries& series);

}  // namespace trainyard::runs
