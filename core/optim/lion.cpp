#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// As published (Chen et al., 2023, algorithm 2): the sign of one average moves the weights, another is remembered.
class Lion : public GroupedOptimizer {
 public:
  Lion(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)), beta2_(betasOf(choice).second), exp_avg_("exp_avg", slots) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override { exp_avg_.collect(tensors); }

 private:
  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto average = lists.pick(exp_avg_);
    const auto grads = decayed(lists, weight_decay, hyper.lr, true);
    const auto update = at::_foreach_mul(average, hyper.momentum);
    at::_foreach_add_(update, grads, 1 - hyper.momentum);
    at::_foreach_sign_(update);
    at::_foreach_add_(lists.params, update, -hyper.lr);
    at::_foreach_mul_(average, beta2_);
    at::_foreach_add_(average, grads, 1 - beta2_);
  }

  double beta2_;
  SlotState exp_avg_;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeLion(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Lion>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
