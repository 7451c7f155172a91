#include <algorithm>
#include <limits>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

class ReduceOnPlateau final : public Schedule {
 public:
  ReduceOnPlateau(const recipe::Choice& choice, const Hyper& base)
      : base_(base),
        highest_(choice.params.value("mode", "min") == "max"),
        relative_(choice.params.value("threshold_mode", "rel") == "rel"),
        factor_(choice.number("factor", 0.1)),
        patience_(choice.number("patience", 10)),
        threshold_(choice.number("threshold", 1e-4)),
        cooldown_(choice.number("cooldown", 0)),
        min_lr_(choice.number("min_lr", 0)),
        eps_(choice.number("eps", 1e-8)) {}

  Hyper at(uint64_t, const ScheduleState& state) const override { return {valueOf(state, "lr", base_.lr), base_.momentum}; }

  std::string watches() const override { return highest_ ? "accuracy" : "loss"; }

  void evaluated(double value, uint64_t, ScheduleState& state) const override {
    const double worst = highest_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    const double best = valueOf(state, "best", worst), lr = valueOf(state, "lr", base_.lr);
    const bool better = isBetter(value, best);
    double bad = better ? 0 : valueOf(state, "bad", 0) + 1, cooldown = valueOf(state, "cooldown", 0), next = lr;
    if (cooldown > 0) {
      --cooldown;
      bad = 0;
    }
    if (bad > patience_) {
      const double lower = std::max(lr * factor_, min_lr_);
      if (lr - lower > eps_) next = lower;
      cooldown = cooldown_;
      bad = 0;
    }
    state.values = {{"lr", next}, {"best", jsonNumber(better ? value : best)}, {"bad", bad}, {"cooldown", cooldown}};
  }

 private:
  static double valueOf(const ScheduleState& state, const char* key, double fallback) {
    return state.values.contains(key) ? numberFrom(state.values.at(key), fallback) : fallback;
  }

  bool isBetter(double value, double best) const {
    if (highest_) return value > (relative_ ? best * (1 + threshold_) : best + threshold_);
    return value < (relative_ ? best * (1 - threshold_) : best - threshold_);
  }

  Hyper base_;
  bool highest_, relative_;
  double factor_, patience_, threshold_, cooldown_, min_lr_, eps_;
};

}  // namespace

Result<std::unique_ptr<Schedule>> makeReduceOnPlateau(const recipe::Choice& choice, const Setup& setup) {
  return std::make_unique<ReduceOnPlateau>(choice, setup.base);
}

}  // namespace trainyard::schedule
