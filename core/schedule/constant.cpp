#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makeConstant(const recipe::Choice&, const Setup& setup) {
  return byUnits(setup, [rate = setup.base.lr](uint64_t) { return rate; });
}

}  // namespace trainyard::schedule
