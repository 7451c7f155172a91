#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// Adam and AdamW differ in one kernel: weight decay through the gradient, or on the weights.
class Adam : public Optimizer {
 public:
  Adam(const recipe::Choice& choice, std::span<const ParamSlot> slots, bool decoupled)
      : decoupled_(decoupled),
        weight_decay_(choice.number("weight_decay")),
        beta2_(betasOf(choice).second),
        eps_(choice.number("eps")),
        amsgrad_(choice.flag("amsgrad")),
        exp_avg_("exp_avg", slots),
        exp_avg_sq_("exp_avg_sq", slots),
        max_exp_avg_sq_("max_exp_avg_sq", amsgrad_ ? slots : std::span<const ParamSlot>()),
        step_(stepCount(slots)) {}

  void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) override {
    const Lists lists = listsOf(slots);
    const std::vector<at::Tensor> none, steps(lists.slots.size(), step_);
    const std::optional<at::Tensor> skip = found_inf ? std::optional(*found_inf) : std::nullopt;
    step_.add_(1);
    if (decoupled_) {
      at::_fused_adamw_(lists.params, lists.grads, lists.pick(exp_avg_), lists.pick(exp_avg_sq_), amsgrad_ ? lists.pick(max_exp_avg_sq_) : none, steps,
                        hyper.lr, hyper.momentum, beta2_, weight_decay_, eps_, amsgrad_, false, {}, skip);
    } else {
      at::_fused_adam_(lists.params, lists.grads, lists.pick(exp_avg_), lists.pick(exp_avg_sq_), amsgrad_ ? lists.pick(max_exp_avg_sq_) : none, steps, hyper.lr,
                       hyper.momentum, beta2_, weight_decay_, eps_, amsgrad_, false, {}, skip);
    }
    if (found_inf != nullptr) step_.sub_(*found_inf);
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override {
    exp_avg_.collect(tensors);
    exp_avg_sq_.collect(tensors);
    max_exp_avg_sq_.collect(tensors);
    tensors.push_back({"step", step_});
  }

  Result<void> restore(const models::StateReader& reader) override { return restoreCollected(*this, reader); }

 private:
  bool decoupled_;
  double weight_decay_, beta2_, eps_;  // the first beta is the schedule's to move
  bool amsgrad_;
  SlotState exp_avg_, exp_avg_sq_, max_exp_avg_sq_;
  at::Tensor step_;  // one count for all parameters, on their device
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots) {
  return std::make_unique<Adam>(choice, slots, false);
}

Result<std::unique_ptr<Optimizer>> makeAdamW(const recipe::Choice& choice, std::span<const ParamSlot> slots) {
  return std::make_unique<Adam>(choice, slots, true);
}

}  // namespace trainyard::optim
