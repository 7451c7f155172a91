#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class Sgd : public GroupedOptimizer {
 public:
  Sgd(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        dampening_(choice.number("dampening")),
        nesterov_(choice.flag("nesterov")),
        momentum_buffer_("momentum_buffer", choice.number("momentum") > 0 ? slots : std::span<const ParamSlot>()) {}

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    momentum_buffer_.collect(tensors);
    scalars["step"] = steps_;
  }
  void restoreScalars(const Json& scalars) override { steps_ = scalars.value("step", uint64_t{0}); }

 private:
  void begin(const schedule::Hyper&) override { ++steps_; }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const bool momentum = !momentum_buffer_.tensors.empty();
    at::_fused_sgd_(flat(lists.params), flat(lists.grads), momentum ? flat(lists.pick(momentum_buffer_)) : std::vector<at::Tensor>(), weight_decay,
                    momentum ? hyper.momentum : 0.0, hyper.lr, dampening_, nesterov_, /*maximize=*/false, /*is_first_step=*/steps_ == 1);
  }

  double dampening_;
  bool nesterov_;
  SlotState momentum_buffer_;
  uint64_t steps_ = 0;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeSgd(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Sgd>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
