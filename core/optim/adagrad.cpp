#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class Adagrad : public GroupedOptimizer {
 public:
  Adagrad(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)), lr_decay_(choice.number("lr_decay")), eps_(choice.number("eps")), sum_("sum", slots), step_(stepCount(slots)) {
    for (const at::Tensor& tensor : sum_.tensors) tensor.fill_(choice.number("initial_accumulator_value"));
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override {
    sum_.collect(tensors);
    tensors.push_back({"step", step_});
  }

 private:
  void begin(const schedule::Hyper&) override { step_.add_(1); }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const std::vector<at::Tensor> steps(lists.slots.size(), step_);
    at::_fused_adagrad_(lists.params, lists.grads, lists.pick(sum_), steps, hyper.lr, lr_decay_, weight_decay, eps_, /*maximize=*/false);
  }

  double lr_decay_, eps_;
  SlotState sum_;
  at::Tensor step_;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeAdagrad(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Adagrad>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
