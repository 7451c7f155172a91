#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

class Sgd : public Optimizer {
 public:
  Sgd(const recipe::Choice& choice, std::span<const ParamSlot> slots)
      : weight_decay_(choice.number("weight_decay")),
        dampening_(choice.number("dampening")),
        nesterov_(choice.flag("nesterov")),
        momentum_buffer_("momentum_buffer", choice.number("momentum") > 0 ? slots : std::span<const ParamSlot>()) {}

  void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) override {
    const Lists lists = listsOf(slots);
    const bool momentum = !momentum_buffer_.tensors.empty();
    at::_fused_sgd_(lists.params, lists.grads, momentum ? lists.pick(momentum_buffer_) : std::vector<at::Tensor>(), weight_decay_,
                    momentum ? hyper.momentum : 0.0, hyper.lr, dampening_, nesterov_, /*maximize=*/false, /*is_first_step=*/steps_ == 0, {},
                    found_inf ? std::optional(*found_inf) : std::nullopt);
    ++steps_;
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    momentum_buffer_.collect(tensors);
    scalars["step"] = steps_;
  }

  Result<void> restore(const models::StateReader& reader) override {
    SlotState* states[] = {&momentum_buffer_};
    TRAINYARD_CHECK(restoreStates(states, reader));
    steps_ = reader.scalars.value("step", uint64_t{0});
    return {};
  }

 private:
  double weight_decay_, dampening_;
  bool nesterov_;
  SlotState momentum_buffer_;
  uint64_t steps_ = 0;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeSgd(const recipe::Choice& choice, std::span<const ParamSlot> slots) { return std::make_unique<Sgd>(choice, slots); }

}  // namespace trainyard::optim
