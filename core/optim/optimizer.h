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
  int group = 0;                 // index into the optimizer's groups
  std::vector<int64_t> full_sizes;
  int64_t offset = 0;
};

// What parameters have in common.
struct Group {
  double lr_factor = 1;  // times the schedule's rate
  double weight_decay = 0;
  bool operator==(const Group&) const = default;
};

// State tensors share the parameter's strides: the fused kernels walk memory, not indices. step() checks it.
class Optimizer : public models::Checkpointable {
 public:
  // Slots are the same parameters in the same order at every call. A slot without a gradient is left alone. hyper.lr is the rate of groups whose
  // factor is 1. found_inf: a scalar on the device, 1 where this step must be skipped (it is read back); nullptr where nobody asks.
  virtual void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) = 0;

  // restore() loads exactly what collect() gives, then takes the scalars.
  Result<void> restore(const models::StateReader& reader) override;
  virtual void restoreScalars(const Json&) {}
};

// No groups: one, with the choice's weight_decay. Error Recipe for an unknown id.
Result<std::unique_ptr<Optimizer>> make(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups = {});

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

// The parameters that train, with their groups. A parameter whose name fits `freeze`, or whose rule (of those that match, the last) says so, is
// frozen: it gets no slot and no longer asks for a gradient. The others have the rule's factor and weight decay, or the optimizer's, which
// weight_decay_on = "weights" keeps from parameters of fewer than two dimensions. Error Recipe for a pattern that fits nothing, and where nothing
// is left to train.
struct Grouping {
  std::vector<ParamSlot> slots;
  std::vector<Group> groups;
};
Result<Grouping> groupsOf(const recipe::Choice& optimizer, std::span<const recipe::ParameterRule> rules, std::span<const std::string> freeze,
                          std::span<const models::NamedTensor> parameters);

// The 2-norm over all gradients together, as a scalar tensor on their device.
at::Tensor gradientNorm(std::span<const ParamSlot> slots);

// Scales the gradients so that their norm is at most max_norm, as torch.nn.utils.clip_grad_norm_. Returns the norm before.
at::Tensor clipGradientNorm(std::span<ParamSlot> slots, double max_norm);

// Brings every value of the gradients between -limit and limit, as torch.nn.utils.clip_grad_value_.
void clipGradientValue(std::span<ParamSlot> slots, double limit);

}  // namespace trainyard::optim
