#include <algorithm>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makeLinear(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t total, lengthOf(choice, "total_iters", setup.units));
  const double start = choice.number("start_factor", 1), end = choice.number("end_factor", 0);
  return byUnits(setup, [total, start, end, base = setup.base.lr](uint64_t unit) {
    return base * (start + (end - start) * static_cast<double>(std::min(unit, total)) / static_cast<double>(total));
  });
}

}  // namespace trainyard::schedule
