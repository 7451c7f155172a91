#include <cmath>
#include <map>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

Result<std::unique_ptr<Schedule>> makeMultistep(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const double gamma, gammaOf(choice));
  std::map<uint64_t, int> milestones;  // how often each is named: torch multiplies as often
  for (const Json& milestone : choice.params.value("milestones", Json::array())) {
    const double unit = numberFrom(milestone);
    if (!(unit >= 1) || unit > 9e18) {
      return fail(ErrorCode::Recipe, "milestones must be at least 1", "schedule.milestones",
                  "Give the epochs (or steps) at which the rate drops, as [30, 60, 80].");
    }
    ++milestones[static_cast<uint64_t>(unit)];
  }
  std::map<uint64_t, double> rates{{0, setup.base.lr}};  // from this unit on
  for (const auto& [unit, times] : milestones) rates[unit] = rates.rbegin()->second * std::pow(gamma, times);
  return byUnits(setup, [rates = std::move(rates)](uint64_t unit) { return std::prev(rates.upper_bound(unit))->second; });
}

}  // namespace trainyard::schedule
