#include <ATen/ATen.h>

#include <cmath>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class NAdam : public GroupedOptimizer {
 public:
  NAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        beta2_(betasOf(choice).second),
        eps_(choice.number("eps")),
        momentum_decay_(choice.number("momentum_decay")),
        decoupled_(choice.flag("decoupled_weight_decay")),
        exp_avg_("exp_avg", slots),
        exp_avg_sq_("exp_avg_sq", slots) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    exp_avg_.collect(tensors);
    exp_avg_sq_.collect(tensors);
    scalars["step"] = steps_;
    scalars["mu_product"] = mu_product_;
  }

  void restoreScalars(const Json& scalars) override {
    steps_ = scalars.value("step", uint64_t{0});
    mu_product_ = scalars.value("mu_product", 1.0F);
  }

 private:
  void begin(const schedule::Hyper& hyper) override {
    ++steps_;
    mu_product_ *= static_cast<float>(momentumAt(hyper.momentum, steps_));
  }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto average = lists.pick(exp_avg_), square = lists.pick(exp_avg_sq_);
    const double mu = momentumAt(hyper.momentum, steps_), mu_next = momentumAt(hyper.momentum, steps_ + 1);
    const auto grads = decayed(lists, weight_decay, hyper.lr, decoupled_);
    at::_foreach_lerp_(average, grads, 1 - hyper.momentum);
    at::_foreach_mul_(square, beta2_);
    at::_foreach_addcmul_(square, grads, grads, 1 - beta2_);
    const auto root = at::_foreach_div(square, 1 - std::pow(beta2_, static_cast<double>(steps_)));
    at::_foreach_sqrt_(root);
    at::_foreach_add_(root, eps_);
    const double product = mu_product_;
    at::_foreach_addcdiv_(lists.params, grads, root, -hyper.lr * (1 - mu) / (1 - product));
    at::_foreach_addcdiv_(lists.params, average, root, -hyper.lr * mu_next / (1 - product * mu_next));
  }

  double momentumAt(double beta1, uint64_t step) const { return beta1 * (1 - 0.5 * std::pow(0.96, static_cast<double>(step) * momentum_decay_)); }

  double beta2_, eps_, momentum_decay_;
  bool decoupled_;
  SlotState exp_avg_, exp_avg_sq_;
  uint64_t steps_ = 0;
  float mu_product_ = 1;  // of all momenta so far, rounded as torch's
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeNAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<NAdam>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
