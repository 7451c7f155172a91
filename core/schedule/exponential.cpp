#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makeExponential(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const double gamma, gammaOf(choice));
  return byUnits(setup, [drops = Drops(setup.base.lr, gamma)](uint64_t unit) { return drops.after(unit); });
}

}  // namespace trainyard::schedule
