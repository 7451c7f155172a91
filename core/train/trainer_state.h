#pragma once
// Where a training stands, apart from weights and optimizer: what trainer.json of a checkpoint holds.
#include <optional>
#include <utility>
#include <vector>

#include "core/loader/loader.h"
#include "core/schedule/schedule.h"

namespace trainyard::train {

struct Best {
  std::string metric;
  double value = 0;
  uint64_t step = 0;
};

struct TrainerState {
  uint64_t step = 0;               // steps done
  loader::Cursor cursor;           // the next sample to train on
  double lr_factor = 1;            // live changes of the learning rate, times the schedule's
  double seconds = 0;              // spent training, over all sessions
  std::optional<Best> best;
  uint64_t skipped = 0;            // of `step`, those that the gradient scaler left out: neither optimizer nor schedule moved
  uint64_t not_finite = 0;         // steps in a row, up to the last one read, whose loss was not finite
  std::optional<double> reached;   // early stopping: the value that has to be improved on …
  uint64_t waited = 0;             // … and the evaluations since then
  schedule::ScheduleState schedule;
  std::vector<std::pair<double, double>> pending;  // loss and weight of the steps since the last `step` event

  Json toJson() const;
  static Result<TrainerState> fromJson(const Json& json, const std::string& where);
};

}  // namespace trainyard::train
