#pragma once
// What every optimizer file needs: state tensors beside the parameters, and lists for the fused kernels.
#include "core/optim/optimizer.h"

namespace trainyard::optim {

// A named state ("exp_avg") with one tensor per slot, in the slot's strides.
struct SlotState {
  SlotState(std::string name, std::span<const ParamSlot> slots);
  void collect(std::vector<models::NamedTensor>& out) const;

  std::string name;
  std::vector<std::string> parameters;
  std::vector<at::Tensor> tensors;
};

// The slots that have a gradient, as lists; states follow in the same order.
struct Lists {
  std::vector<at::Tensor> params, grads;
  std::vector<size_t> slots;
  std::vector<at::Tensor> pick(const SlotState& state) const;
};
Lists listsOf(std::span<ParamSlot> slots);

// Restores states and checks that nothing else is in the file.
Result<void> restoreStates(std::span<SlotState* const> states, const models::StateReader& reader);

Result<std::unique_ptr<Optimizer>> makeSgd(const recipe::Choice& choice, std::span<const ParamSlot> slots);
Result<std::unique_ptr<Optimizer>> makeAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots);
Result<std::unique_ptr<Optimizer>> makeAdamW(const recipe::Choice& choice, std::span<const ParamSlot> slots);

}  // namespace trainyard::optim
