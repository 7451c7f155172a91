#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makeStep(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t size, lengthOf(choice, "step_size", 0));
  TRAINYARD_TRY(const double gamma, gammaOf(choice));
  return byUnits(setup, [size, drops = Drops(setup.base.lr, gamma)](uint64_t unit) { return drops.after(unit / size); });
}

}  // namespace trainyard::schedule
