#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// Adam and AdamW differ in one kernel: weight decay through the gradient, or on the weights.
class Adam : public GroupedOptimizer {
 public:
  Adam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups, bool decoupled)
      : GroupedOptimizer(std::move(groups)),
        decoupled_(decoupled),
        beta2_(betasOf(choice).second),
        eps_(choice.number("eps")),
        amsgrad_(choice.flag("amsgrad")),
        exp_avg_("exp_avg", slots),
        exp_avg_sq_("exp_avg_sq", slots),
        max_exp_avg_sq_("max_exp_avg_sq", amsgrad_ ? slots : std::span<const ParamSlot>()),
        step_(stepCount(slots)) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override {
    exp_avg_.collect(tensors);
    exp_avg_sq_.collect(tensors);
    max_exp_avg_sq_.collect(tensors);
    tensors.push_back({"step", step_});
  }

 private:
  void begin(const schedule::Hyper&) override { step_.add_(1); }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto params = flat(lists.params), grads = flat(lists.grads), averages = flat(lists.pick(exp_avg_)), squares = flat(lists.pick(exp_avg_sq_));
    const auto largest = amsgrad_ ? flat(lists.pick(max_exp_avg_sq_)) : std::vector<at::Tensor>();
    const std::vector<at::Tensor> steps(lists.slots.size(), step_);
    if (decoupled_) at::_fused_adamw_(params, grads, averages, squares, largest, steps, hyper.lr, hyper.momentum, beta2_, weight_decay, eps_, amsgrad_, /*maximize=*/false);
    else at::_fused_adam_(params, grads, averages, squares, largest, steps, hyper.lr, hyper.momentum, beta2_, weight_decay, eps_, amsgrad_, /*maximize=*/false);
  }

  bool decoupled_;
  double beta2_, eps_;  // the first beta is the schedule's to move
  bool amsgrad_;
  SlotState exp_avg_, exp_avg_sq_, max_exp_avg_sq_;
  at::Tensor step_;  // one count for all parameters, on their device
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Adam>(choice, slots, std::move(groups), false);
}

Result<std::unique_ptr<Optimizer>> makeAdamW(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Adam>(choice, slots, std::move(groups), true);
}

}  // namespace trainyard::optim
