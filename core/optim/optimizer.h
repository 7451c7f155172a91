#pragma once
// Optimizers over parameter slots, on LibTorch's fused kernels where it has them, else on its kernels over lists. Numbers equal torch.optim's.
#include <memory>
#include <span>

#include "core/models/checkpointable.h"
#include "core/schedule/schedule.h"

namespace trainyard::optim {

// One parameter as the optimizer sees it. Sharding will hand in flat slices: full_sizes and offset then say of what.
struct ParamSlot {
  std::string name;
  at::Tensor param, grad, mask;  // grad: of this step, with the parameter's strides; mask: undefined where nothing is pruned
  int group = 0;
  std::vector<int64_t> full_sizes;
  int64_t offset = 0;
};

// State tensors share the parameter's strides: the fused kernels walk memory, not indices. step() checks it.
class Optimizer : public models::Checkpointable {
 public:
  // Slots are the same parameters in the same order at every call. A slot without a gradient is left alone.
  // found_inf: a scalar on the device, 1 where this step must be skipped; nullptr outside fp16.
  virtual void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) = 0;
};

// Error Recipe for an unknown id.
Result<std::unique_ptr<Optimizer>> make(const recipe::Choice& choice, std::span<const ParamSlot> slots);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

// The 2-norm over all gradients together, as a scalar tensor on their device.
at::Tensor gradientNorm(std::span<const ParamSlot> slots);

// Scales the gradients so that their norm is at most max_norm, as torch.nn.utils.clip_grad_norm_. Returns the norm before.
at::Tensor clipGradientNorm(std::span<ParamSlot> slots, double max_norm);

}  // namespace trainyard::optim
