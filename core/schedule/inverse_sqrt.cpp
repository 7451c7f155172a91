#include <cmath>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {
constexpr uint64_t kUsualSteps = 10000;  // where there is neither a timescale nor a warm-up
}

// The usual definition falls with the root of the steps since the start, the warm-up's among them; the warm-up is behind us here.
Result<std::unique_ptr<Schedule>> makeInverseSqrt(const recipe::Choice& choice, const Setup& setup) {
  const uint64_t usual = setup.warmup > 0 ? setup.warmup : std::max<uint64_t>(1, kUsualSteps / setup.steps_per_unit);
  TRAINYARD_TRY(const uint64_t timescale, lengthOf(choice, "timescale", usual));
  return byUnits(setup, [base = setup.base.lr, scale = static_cast<double>(timescale)](uint64_t unit) {
    return base / std::sqrt((static_cast<double>(unit) + scale) / scale);
  });
}

}  // namespace trainyard::schedule
