#include <ATen/ATen.h>

#include <cmath>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// Below this length of the average its variance is not to be trusted: a plain step with momentum instead.
constexpr double kTrusted = 5;

class RAdam : public GroupedOptimizer {
 public:
  RAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        beta2_(betasOf(choice).second),
        eps_(choice.number("eps")),
        decoupled_(choice.flag("decoupled_weight_decay")),
        exp_avg_("exp_avg", slots),
        exp_avg_sq_("exp_avg_sq", slots) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    exp_avg_.collect(tensors);
    exp_avg_sq_.collect(tensors);
    scalars["step"] = steps_;
  }

  void restoreScalars(const Json& scalars) override { steps_ = scalars.value("step", uint64_t{0}); }

 private:
  void begin(const schedule::Hyper&) override { ++steps_; }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto average = lists.pick(exp_avg_), square = lists.pick(exp_avg_sq_);
    const auto grads = decayed(lists, weight_decay, hyper.lr, decoupled_);
    at::_foreach_lerp_(average, grads, 1 - hyper.momentum);
    at::_foreach_mul_(square, beta2_);
    at::_foreach_addcmul_(square, grads, grads, 1 - beta2_);
    const double t = static_cast<double>(steps_), power2 = std::pow(beta2_, t), correction1 = 1 - std::pow(hyper.momentum, t), correction2 = 1 - power2;
    const double longest = 2 / (1 - beta2_) - 1, length = longest - 2 * t * power2 / correction2;
    if (length <= kTrusted) {
      at::_foreach_add_(lists.params, average, -hyper.lr / correction1);
      return;
    }
    const double rectified = std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
    const auto root = at::_foreach_sqrt(square);
    at::_foreach_add_(root, eps_);
    at::_foreach_addcdiv_(lists.params, average, root, -hyper.lr * rectified * std::sqrt(correction2) / correction1);
  }

  double beta2_, eps_;
  bool decoupled_;
  SlotState exp_avg_, exp_avg_sq_;
  uint64_t steps_ = 0;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeRAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<RAdam>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
