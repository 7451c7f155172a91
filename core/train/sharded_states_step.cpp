// Stage 1: the optimizer's state is divided.
#include <ATen/ATen.h>

#include "core/parallel/autocast.h"
#include "core/parallel/shard_buckets.h"
#include "core/train/averaged_weights.h"
#include "core/train/sharded_base.h"

namespace trainyard::train {

namespace {

std::vector<size_t> blocksOf(const models::Model& model, std::span<const optim::ParamSlot> slots) {
  const parallel::Users users = parallel::usersOf(model);
  std::map<std::string, size_t> first;
  const auto parameters = model.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) first.emplace(parameters[i].name, users.first[i]);
  std::vector<size_t> blocks;
  for (const auto& slot : slots) blocks.push_back(first.at(slot.name));
  return blocks;
}

class ShardedStatesStep : public ShardedBase {
 public:
  ShardedStatesStep(const models::Model& model, std::unique_ptr<parallel::ShardBuckets> buckets, std::vector<optim::ParamSlot> all,
                    std::vector<optim::ParamSlot> own, std::unique_ptr<optim::Optimizer> optimizer, StepOptions options,
                    std::unique_ptr<TimedCommunicator> comm)
      : ShardedBase(model, std::move(own), std::move(optimizer), std::move(options), std::move(comm)), buckets_(std::move(buckets)), all_(std::move(all)) {
    if (options_.ema_decay > 0) ema_.emplace(model.parameters(), options_.ema_decay);
  }

  std::vector<models::NamedTensor> averaged() const override { return ema_ ? ema_->averaged() : std::vector<models::NamedTensor>(); }

  void useAverage(bool on) override {
    swapped_.reset();
    if (on) swapped_.emplace(model_.parameters(), ema_->averaged());
  }

  Result<at::Tensor> answer(const at::Tensor& inputs, models::RunContext& context) override {
    if (!inputs.defined() || inputs.size(0) == 0) return at::Tensor();
    const parallel::AutocastGuard autocast(device_.type(), options_.autocast);
    return models::forward(model_, inputs, context);
  }

  parallel::ShardMemory held() const override {
    parallel::ShardMemory memory;
    memory.weights = bytesOf(model_.parameters());
    for (const auto& slot : slots_) memory.gradients += slot.grad.defined() ? slot.grad.nbytes() : 0;
    memory.optimizer = optimizerBytes();
    memory.average = ema_ ? bytesOf(ema_->averaged()) : 0;
    memory.gathered = buckets_->peakBytes();
    return memory;
  }

 private:
  void begin() override {
    for (auto& slot : all_) slot.param.mutable_grad().reset();
  }

  // Sums over ranks start behind each block of the last micro-batch's backward.
  at::Tensor accumulate(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, bool last) override {
    if (batch.weight == 0) {
      if (last) buckets_->reached(0);
      return at::zeros({}, at::TensorOptions(at::kFloat).device(device_));
    }
    parallel::BlockHooks hooks;
    const parallel::Block* first = model_.blocks().data();
    if (last) hooks.after_backward = [this, first](const parallel::Block& block) { buckets_->reached(static_cast<size_t>(&block - first)); };
    return pass(batch, weight, context, hooks);
  }

  void sumGradients() override {
    std::vector<at::Tensor> sums = buckets_->finish();
    for (size_t i = 0; i < slots_.size(); ++i) slots_[i].grad = std::move(sums[i]);
  }

  void spread() override { buckets_->spread(); }

  std::vector<HeldPart> weights() const override {
    std::vector<HeldPart> parts;
    for (const auto& [name, tensor] : model_.state()) parts.push_back({{name, tensor, tensor.sizes().vec(), 0}, true});
    return parts;
  }

  std::unique_ptr<parallel::ShardBuckets> buckets_;
  std::vector<optim::ParamSlot> all_;
  std::optional<AveragedWeights> swapped_;
};

}  // namespace

Result<std::unique_ptr<ShardedStep>> makeShardedStatesStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options,
                                                           comm::Communicator& comm) {
  TRAINYARD_TRY(optim::Grouping grouping, optim::groupsOf(optimizer, options.rules, options.freeze, model.parameters()));
  auto timed = std::make_unique<TimedCommunicator>(comm);
  auto buckets = std::make_unique<parallel::ShardBuckets>(grouping.slots, blocksOf(model, grouping.slots), *timed);
  std::vector<optim::ParamSlot> own;
  for (const size_t slot : buckets->owned()) own.push_back(grouping.slots[slot]);
  TRAINYARD_TRY(auto made, optim::make(optimizer, own, grouping.groups));
  return std::make_unique<ShardedStatesStep>(model, std::move(buckets), std::move(grouping.slots), std::move(own), std::move(made), std::move(options),
                                             std::move(timed));
}

}  // namespace trainyard::train
