#pragma once
// Inside the room: one maker for each schedule, keyed by its catalogue id in schedules.cpp, and what several of them share.
#include <functional>

#include "core/schedule/schedule.h"

namespace trainyard::schedule {

// What every schedule starts from. Steps and units are counted from the end of the warm-up.
struct Setup {
  Hyper base;                   // the optimizer's lr and momentum
  uint64_t steps_per_unit = 1;  // optimizer steps in one unit of the schedule's keys: 1, or those of an epoch
  uint64_t steps = 1;           // behind the warm-up to the end of the training, at least 1
  uint64_t units = 1;           // the same in units, a last part of one counted whole
  uint64_t warmup = 0;          // units
};

using Maker = Result<std::unique_ptr<Schedule>> (*)(const recipe::Choice& choice, const Setup& setup);

Result<std::unique_ptr<Schedule>> makeConstant(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeStep(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeMultistep(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeExponential(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeCosine(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeCosineRestarts(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makePolynomial(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeLinear(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeOneCycle(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeInverseSqrt(const recipe::Choice& choice, const Setup& setup);
Result<std::unique_ptr<Schedule>> makeReduceOnPlateau(const recipe::Choice& choice, const Setup& setup);

// Linear warm-up over `steps` steps, then `inner` from its own step 0.
std::unique_ptr<Schedule> withWarmup(std::unique_ptr<Schedule> inner, uint64_t steps);

// A schedule that moves once a unit, as a scheduler of torch whose step() is called once a unit: `rate` gives the learning rate of unit 0, 1, …
std::unique_ptr<Schedule> byUnits(const Setup& setup, std::function<double(uint64_t unit)> rate);

// `rate` after so many multiplications by gamma, one after the other as torch does it: a power differs from that product in its last bits.
class Drops {
 public:
  Drops(double rate, double gamma);
  double after(uint64_t drops) const;

 private:
  double gamma_;
  std::vector<double> rates_;  // shorter where a drop changes nothing more
};

// Keys that several schedules have. Error Recipe naming the key. A length is in whole units, at least 1; an absent one is `fallback`.
Result<uint64_t> lengthOf(const recipe::Choice& choice, const char* key, uint64_t fallback);
Result<double> gammaOf(const recipe::Choice& choice);

}  // namespace trainyard::schedule
