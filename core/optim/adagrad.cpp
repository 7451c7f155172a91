#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class Adagrad : public Optimizer {
 public:
  Adagrad(const recipe::Choice& choice, std::span<const ParamSlot> slots)
      : weight_decay_(choice.number("weight_decay")),
        lr_decay_(choice.number("lr_decay")),
        eps_(choice.number("eps")),
        sum_("sum", slots),
        step_(stepCount(slots)) {
    for (const at::Tensor& tensor : sum_.tensors) tensor.fill_(choice.number("initial_accumulator_value"));
  }

  void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) override {
    const Lists lists = listsOf(slots);
    const std::vector<at::Tensor> steps(lists.slots.size(), step_);
    step_.add_(1);
    at::_fused_adagrad_(lists.params, lists.grads, lists.pick(sum_), steps, hyper.lr, lr_decay_, weight_decay_, eps_, /*maximize=*/false, {},
                        found_inf ? std::optional(*found_inf) : std::nullopt);
    if (found_inf != nullptr) step_.sub_(*found_inf);
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override {
    sum_.collect(tensors);
    tensors.push_back({"step", step_});
  }

  Result<void> restore(const models::StateReader& reader) override { return restoreCollected(*this, reader); }

 private:
  double weight_decay_, lr_decay_, eps_;
  SlotState sum_;
  at::Tensor step_;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeAdagrad(const recipe::Choice& choice, std::span<const ParamSlot> slots) {
  return std::make_unique<Adagrad>(choice, slots);
}

}  // namespace trainyard::optim
