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

// A group's slots that have a gradient, as lists; states follow in the same order.
struct Lists {
  std::vector<at::Tensor> params, grads;
  std::vector<size_t> slots;
  std::vector<at::Tensor> pick(const SlotState& state) const;
};
Lists listsOf(std::span<const ParamSlot> slots, int group);

// Those that are not contiguous as the one row of numbers that they are in memory. The fused kernels copy channels_last tensors first, an eighth of a
// ResNet's step.
std::vector<at::Tensor> flat(std::vector<at::Tensor> tensors);

// All gradients there are.
std::vector<at::Tensor> gradientsOf(std::span<const ParamSlot> slots);

// An optimizer that treats its groups one after the other.
class GroupedOptimizer : public Optimizer {
 public:
  explicit GroupedOptimizer(std::vector<Group> groups) : groups_(std::move(groups)) {}
  void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) override;

 protected:
  const std::vector<Group>& groups() const { return groups_; }

 private:
  // Once a step, before the groups: what is counted over all parameters.
  virtual void begin(const schedule::Hyper&) {}
  // One group's step; hyper.lr is the group's. Never empty.
  virtual void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) = 0;

  std::vector<Group> groups_;
};

// One count of steps for all parameters, as the fused kernels want it: on the parameters' device.
at::Tensor stepCount(std::span<const ParamSlot> slots);

// The two averages of the Adam family, and the weight decay that goes before either: through the gradients (which are given back, new tensors
// where there is any), or decoupled, on the weights.
std::pair<double, double> betasOf(const recipe::Choice& choice);
std::vector<at::Tensor> decayed(const Lists& lists, double weight_decay, double lr, bool decoupled);

Result<std::unique_ptr<Optimizer>> makeSgd(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeAdamW(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeNAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeRAdam(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeRmsprop(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeAdagrad(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeAdafactor(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeLion(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);
Result<std::unique_ptr<Optimizer>> makeMuon(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups);

}  // namespace trainyard::optim
