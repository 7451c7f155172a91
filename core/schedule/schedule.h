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
  double momentum = 0;  // of optimizers with betas, the first of them; 0 where there is neither
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
  // The value of an epoch's evaluation that the schedule goes by: "loss", "accuracy", or "" where it needs none.
  virtual std::string watches() const { return {}; }
  // Tells that value, once an epoch; `step`: optimizer steps done. Evaluations during the warm-up do not count.
  virtual void evaluated(double value, uint64_t step, ScheduleState& state) const;
};

// The rate and momentum that the optimizer's own keys ask for.
Hyper hyperOf(const recipe::Choice& optimizer);

// The recipe's schedule with its warm-up. `steps_per_epoch` turns epochs into steps. Error Recipe.
// Lengths are in units; with unit "epoch" the rate moves once an epoch, as a torch scheduler stepped once an epoch (one_cycle always moves with
// every step). A length left out is the whole training behind the warm-up, of `steps_total` steps.
// Warm-up is linear over `warmup` units: step k of W has (k+1)/(W+1) of the rate, and the schedule itself starts after it, at W.
Result<std::unique_ptr<Schedule>> make(const recipe::Recipe& recipe, uint64_t steps_per_epoch, uint64_t steps_total);

// The learning rate (and momentum) of every step; of a schedule that watches the evaluation, as long as it sees no reason to act.
std::vector<Hyper> previewAll(const Schedule& schedule, uint64_t steps_total);
std::vector<double> preview(const Schedule& schedule, uint64_t steps_total);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

}  // namespace trainyard::schedule
