#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/schedule/makers.h"

namespace trainyard::schedule {

namespace {

struct Phase {
  double end;  // step, not always a whole one
  Hyper from, to;
};

// Up to max_lr and down to almost nothing while the momentum does the opposite. Moves with every step, whatever the unit.
class OneCycle final : public Schedule {
 public:
  OneCycle(std::vector<Phase> phases, bool cosine, bool momentum_moves, double momentum)
      : phases_(std::move(phases)), cosine_(cosine), momentum_moves_(momentum_moves), momentum_(momentum) {}

  // Behind the last step the rate stays where it arrived.
  Hyper at(uint64_t step, const ScheduleState&) const override {
    const double now = std::min(static_cast<double>(step), phases_.back().end);
    double begin = 0;
    size_t i = 0;
    for (; i + 1 < phases_.size() && now > phases_[i].end; ++i) begin = phases_[i].end;
    const Phase& phase = phases_[i];
    const double share = phase.end > begin ? (now - begin) / (phase.end - begin) : 1;
    return {between(phase.from.lr, phase.to.lr, share), momentum_moves_ ? between(phase.from.momentum, phase.to.momentum, share) : momentum_};
  }

 private:
  double between(double from, double to, double share) const {
    if (cosine_) return to + (from - to) / 2 * (std::cos(std::numbers::pi * share) + 1);
    return (to - from) * share + from;
  }

  std::vector<Phase> phases_;
  bool cosine_, momentum_moves_;
  double momentum_;
};

}  // namespace

Result<std::unique_ptr<Schedule>> makeOneCycle(const recipe::Choice& choice, const Setup& setup) {
  TRAINYARD_TRY(const uint64_t steps, lengthOf(choice, "total_steps", setup.steps));
  const double total = static_cast<double>(steps), rise = choice.number("pct_start", 0.3) * total;
  const double peak = choice.number("max_lr", setup.base.lr), start = peak / choice.number("div_factor", 25);
  const double high_momentum = choice.number("max_momentum", 0.95), low_momentum = choice.number("base_momentum", 0.85);
  const Hyper first{start, high_momentum}, top{peak, low_momentum}, last{start / choice.number("final_div_factor", 1e4), high_momentum};
  std::vector<Phase> phases{{rise - 1, first, top}};
  if (choice.flag("three_phase")) phases.push_back({2 * rise - 2, top, first});
  phases.push_back({total - 1, phases.back().to, last});
  // An optimizer without momentum keeps none.
  const bool momentum_moves = choice.params.value("cycle_momentum", true) && setup.base.momentum > 0;
  return std::make_unique<OneCycle>(std::move(phases), choice.params.value("anneal_strategy", "cos") == "cos", momentum_moves, setup.base.momentum);
}

}  // namespace trainyard::schedule
