#include <algorithm>
#include <cmath>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makePolynomial(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t total, lengthOf(choice, "total_iters", setup.units));
  return byUnits(setup, [total, high = setup.base.lr, power = choice.number("power", 1)](uint64_t unit) {
    return high * std::pow(1 - static_cast<double>(std::min(unit, total)) / static_cast<double>(total), power);
  });
}

}  // namespace trainyard::schedule
