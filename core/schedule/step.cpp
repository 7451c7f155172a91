#include <cmath>
#include <vector>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

// torch multiplies at each drop; a power would differ from that product in its last bits.
constexpr uint64_t kExactDrops = 4096;

class Step final : public Schedule {
 public:
  Step(const Hyper& base, uint64_t steps_per_drop, double gamma) : base_(base), steps_per_drop_(steps_per_drop), gamma_(gamma) {
    rates_.push_back(base.lr);
    while (rates_.size() <= kExactDrops && rates_.back() != rates_.back() * gamma) rates_.push_back(rates_.back() * gamma);
  }

  Hyper at(uint64_t step, const ScheduleState&) const override {
    const uint64_t drops = step / steps_per_drop_;
    if (drops < rates_.size()) return {rates_[drops], base_.momentum};
    const uint64_t last = rates_.size() - 1;
    return {rates_[last] * std::pow(gamma_, static_cast<double>(drops - last)), base_.momentum};
  }

 private:
  Hyper base_;
  uint64_t steps_per_drop_;
  double gamma_;
  std::vector<double> rates_;  // by the number of drops behind; shorter where a drop changes nothing more
};

}  // namespace

Result<std::unique_ptr<Schedule>> makeStep(const recipe::Choice& choice, const Setup& setup) {
  const double size = choice.number("step_size", 0), gamma = choice.number("gamma");
  if (!(size >= 1)) {
    return fail(ErrorCode::Recipe, "step_size must be at least 1", "schedule.step_size", "Give the number of epochs (or steps) between two drops.");
  }
  if (!(gamma > 0) || !std::isfinite(gamma)) {
    return fail(ErrorCode::Recipe, "gamma must be greater than 0", "schedule.gamma", "0.1 leaves a tenth of the learning rate at each drop.");
  }
  const double steps = size * static_cast<double>(setup.steps_per_unit);
  const uint64_t steps_per_drop = steps < 9e18 ? static_cast<uint64_t>(size) * setup.steps_per_unit : UINT64_MAX;
  return std::make_unique<Step>(setup.base, steps_per_drop, gamma);
}

}  // namespace trainyard::schedule
