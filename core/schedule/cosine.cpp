#include <cmath>
#include <numbers>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

double annealed(double high, double low, double turn) { return low + (high - low) * (1 + std::cos(std::numbers::pi * turn)) / 2; }

}  // namespace

// Beyond T_max the rate rises again, as torch's does.
Result<std::unique_ptr<Schedule>> makeCosine(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t half, lengthOf(choice, "T_max", setup.units));
  return byUnits(setup, [half, high = setup.base.lr, low = choice.number("eta_min")](uint64_t unit) {
    return annealed(high, low, static_cast<double>(unit % (2 * half)) / static_cast<double>(half));
  });
}

Result<std::unique_ptr<Schedule>> makeCosineRestarts(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t first, lengthOf(choice, "T_0", 0));
  TRAINYARD_TRY(const uint64_t growth, lengthOf(choice, "T_mult", 1));
  return byUnits(setup, [first, growth, high = setup.base.lr, low = choice.number("eta_min")](uint64_t unit) {
    uint64_t since = unit, period = first;
    if (growth == 1) since %= period;
    while (since >= period) {
      since -= period;
      period *= growth;
    }
    return annealed(high, low, static_cast<double>(since) / static_cast<double>(period));
  });
}

}  // namespace trainyard::schedule
