#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class Rmsprop : public GroupedOptimizer {
 public:
  Rmsprop(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        alpha_(choice.number("alpha")),
        eps_(choice.number("eps")),
        square_avg_("square_avg", slots),
        grad_avg_("grad_avg", choice.flag("centered") ? slots : std::span<const ParamSlot>()),
        momentum_buffer_("momentum_buffer", choice.number("momentum") > 0 ? slots : std::span<const ParamSlot>()) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json&) const override {
    square_avg_.collect(tensors);
    grad_avg_.collect(tensors);
    momentum_buffer_.collect(tensors);
  }

 private:
  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto square = lists.pick(square_avg_);
    const auto grads = decayed(lists, weight_decay, hyper.lr, false);
    at::_foreach_mul_(square, alpha_);
    at::_foreach_addcmul_(square, grads, grads, 1 - alpha_);
    const auto root = spread(lists, square, grads);
    if (momentum_buffer_.tensors.empty()) {
      at::_foreach_addcdiv_(lists.params, grads, root, -hyper.lr);
      return;
    }
    const auto buffer = lists.pick(momentum_buffer_);
    at::_foreach_mul_(buffer, hyper.momentum);
    at::_foreach_addcdiv_(buffer, grads, root);
    at::_foreach_add_(lists.params, buffer, -hyper.lr);
  }

  // What the gradient is divided by: its root mean square, or around its mean.
  std::vector<at::Tensor> spread(const Lists& lists, const std::vector<at::Tensor>& square, const std::vector<at::Tensor>& grads) {
    std::vector<at::Tensor> root;
    if (grad_avg_.tensors.empty()) {
      root = at::_foreach_sqrt(square);
    } else {
      const auto mean = lists.pick(grad_avg_);
      at::_foreach_lerp_(mean, grads, 1 - alpha_);
      root = at::_foreach_addcmul(square, mean, mean, -1);
      at::_foreach_sqrt_(root);
    }
    at::_foreach_add_(root, eps_);
    return root;
  }

  double alpha_, eps_;
  SlotState square_avg_, grad_avg_, momentum_buffer_;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeRmsprop(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Rmsprop>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
