#pragma once
// Learning-rate schedules as functions of the optimizer step.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::schedule {

struct Hyper {
  double lr = 0;
  double momentum = 0;
};

// What stateful schedules (reduce_on_plateau) remember; travels in the checkpoint.
struct ScheduleState {
  Json values = Json::object();
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  // For the step that is about to be done: 0 is the first. Steps count real optimizer steps, skipped ones not.
  virtual Hyper at(uint64_t step, const ScheduleState& state) const = 0;
};

// The recipe's schedule with its warm-up. `steps_per_epoch` turns epochs into steps. Error Recipe.
// Warm-up is linear over `warmup` units: step k of W has (k+1)/(W+1) of the rate, and the schedule itself starts after it, at W.
Result<std::unique_ptr<Schedule>> make(const recipe::Recipe& recipe, uint64_t steps_per_epoch, uint64_t steps_total);

// The learning rate of every step.
std::vector<double> preview(const Schedule& schedule, uint64_t steps_total);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

}  // namespace trainyard::schedule
