#pragma once
// Inside the room: one maker for each schedule, keyed by its catalogue id in schedules.cpp.
#include "core/schedule/schedule.h"

namespace trainyard::schedule {

// What every schedule starts from. Steps are counted from the end of the warm-up.
struct Setup {
  Hyper base;                   // the optimizer's lr and momentum
  uint64_t steps_per_unit = 1;  // optimizer steps in one unit of the schedule's keys: 1, or those of an epoch
};

using Maker = Result<std::unique_ptr<Schedule>> (*)(const recipe::Choice& choice, const Setup& setup);

Result<std::unique_ptr<Schedule>> makeConstant(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeStep(const recipe::Choice& choice, const Setup& setup);

// Linear warm-up over `steps` steps, then `inner` from its own step 0.
std::unique_ptr<Schedule> withWarmup(std::unique_ptr<Schedule> inner, uint64_t steps);

}  // namespace trainyard::schedule
