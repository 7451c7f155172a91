// Stage 3: weights, gradients and the optimizer's state are divided.
#include <ATen/ATen.h>

#include "core/parallel/autocast.h"
#include "core/parallel/shard_units.h"
#include "core/train/sharded_base.h"

namespace trainyard::train {

namespace {

Result<void> checkDivisible(const recipe::Choice& optimizer) {
  if (optimizer.id != "muon" && optimizer.id != "adafactor") return {};
  return fail(ErrorCode::Recipe, "\"" + optimizer.id + "\" works on whole matrices, and with parallel.stage = 3 each device has only slices of them",
              "optimizer.type", "set parallel.stage = 1, or choose another optimizer, as \"adamw\"");
}

class FullyShardedStep : public ShardedBase {
 public:
  FullyShardedStep(const models::Model& model, std::unique_ptr<parallel::ShardUnits> units, std::vector<optim::ParamSlot> slots,
                   std::unique_ptr<optim::Optimizer> optimizer, StepOptions options, std::unique_ptr<TimedCommunicator> comm)
      : ShardedBase(model, std::move(slots), std::move(optimizer), std::move(options), std::move(comm)), units_(std::move(units)) {
    std::vector<models::NamedTensor> pieces;
    for (const auto& piece : units_->pieces()) {
      pieces.push_back({piece.name, piece.weight});
      if (piece.trains) trained_.push_back(pieces.size() - 1);
    }
    if (options_.ema_decay > 0) ema_.emplace(std::move(pieces), options_.ema_decay);
  }

  std::vector<models::NamedTensor> averaged() const override {
    if (!ema_) return {};
    std::vector<at::Tensor> values;
    for (const auto& named : ema_->averaged()) values.push_back(named.tensor);
    return units_->gather(values);
  }

  // What is gathered are the slices, so their contents change places.
  void useAverage(bool on) override {
    const at::NoGradGuard no_grad;
    const auto average = ema_->averaged();
    for (size_t i = 0; i < average.size(); ++i) {
      const at::Tensor& own = units_->pieces()[i].weight;
      if (on) {
        kept_.push_back(own.clone());
        own.copy_(average[i].tensor);
      } else {
        own.copy_(kept_[i]);
      }
    }
    if (!on) kept_.clear();
  }

  Result<at::Tensor> answer(const at::Tensor& inputs, models::RunContext& context) override {
    return collectively([&]() -> Result<at::Tensor> {
      if (!inputs.defined() || inputs.size(0) == 0) {
        units_->passBy(false);
        return at::Tensor();
      }
      const at::NoGradGuard no_grad;
      const parallel::AutocastGuard autocast(device_.type(), options_.autocast);
      models::Values values{inputs};
      const auto blocks = model_.blocks();
      for (size_t i = 0; i < blocks.size(); ++i) {
        units_->before(i);
        values = blocks[i].forward(values, context);
        units_->after(i);
      }
      return values.front();
    });
  }

  parallel::ShardMemory held() const override {
    parallel::ShardMemory memory;
    memory.weights = units_->weightBytes();
    memory.gradients = units_->gradientBytes();
    memory.optimizer = optimizerBytes();
    memory.average = ema_ ? bytesOf(ema_->averaged()) : 0;
    memory.gathered = units_->peakBytes();
    return memory;
  }

 private:
  void begin() override { units_->forgetGradients(); }

  // Gradients go into the slices with every micro-batch: nothing whole outlives a block.
  at::Tensor accumulate(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, bool) override {
    if (batch.weight == 0) {
      units_->passBy(true);
      return at::zeros({}, at::TensorOptions(at::kFloat).device(device_));
    }
    parallel::BlockHooks hooks = units_->hooks();
    if (options_.autocast) {  // else whole weights would stay in the cache, in half precision
      hooks.after_forward = [inner = std::move(hooks.after_forward)](const parallel::Block& block) {
        at::autocast::clear_cache();
        inner(block);
      };
    }
    return pass(batch, weight, context, hooks);
  }

  void sumGradients() override {
    units_->finish();
    for (size_t i = 0; i < slots_.size(); ++i) slots_[i].grad = units_->gradient(units_->pieces()[trained_[i]]);
  }

  void spread() override {}

  std::vector<HeldPart> weights() const override {
    std::vector<HeldPart> parts;
    for (const auto& piece : units_->pieces()) parts.push_back({{piece.name, piece.weight, piece.full_sizes, piece.offset}, false});
    for (const auto& [name, tensor] : model_.buffers()) parts.push_back({{name, tensor, tensor.sizes().vec(), 0}, true});
    return parts;
  }

  std::unique_ptr<parallel::ShardUnits> units_;
  std::vector<size_t> trained_;  // the slots' pieces
  std::vector<at::Tensor> kept_; // own weights while the average is in use
};

}  // namespace

Result<std::unique_ptr<ShardedStep>> makeFullyShardedStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options,
                                                          comm::Communicator& comm, int64_t join_below) {
  TRAINYARD_CHECK(checkDivisible(optimizer));
  TRAINYARD_TRY(optim::Grouping grouping, optim::groupsOf(optimizer, options.rules, options.freeze, model.parameters()));
  auto timed = std::make_unique<TimedCommunicator>(comm);
  auto units = std::make_unique<parallel::ShardUnits>(model, *timed, join_below);
  std::vector<optim::ParamSlot> slots;
  for (const auto& piece : units->pieces()) {
    if (!piece.trains) continue;
    const auto whole = std::find_if(grouping.slots.begin(), grouping.slots.end(), [&piece](const optim::ParamSlot& slot) { return slot.name == piece.name; });
    slots.push_back({piece.name, piece.weight, {}, {}, whole->group, piece.full_sizes, piece.offset});
  }
  TRAINYARD_TRY(auto made, optim::make(optimizer, slots, grouping.groups));
  return std::make_unique<FullyShardedStep>(model, std::move(units), std::move(slots), std::move(made), std::move(options), std::move(timed));
}

Result<void> checkSharded(const recipe::Recipe& recipe) {
  return recipe.parallel.strategy.number("stage", 1) == 3 ? checkDivisible(recipe.optimizer) : Result<void>();
}

}  // namespace trainyard::train
