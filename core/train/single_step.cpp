#include <ATen/ATen.h>

#include "core/optim/optimizer.h"
#include "core/parallel/autocast.h"
#include "core/parallel/tape.h"
#include "core/train/loss.h"
#include "core/train/train_step.h"

namespace trainyard::train {

namespace {

class SingleStep : public TrainStep {
 public:
  SingleStep(const models::Model& model, std::vector<optim::ParamSlot> slots, std::unique_ptr<optim::Optimizer> optimizer, StepOptions options)
      : model_(model), slots_(std::move(slots)), optimizer_(std::move(optimizer)), options_(options), device_(slots_.front().param.device()) {}

  Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) override {
    for (auto& slot : slots_) slot.param.mutable_grad().reset();
    StepReport report;
    for (auto& batch : micros) {
      context.micro = batch.micro;
      const at::Tensor loss = accumulate(batch, context);
      report.loss_sum = report.loss_sum.defined() ? report.loss_sum + loss : loss;
      report.weight += batch.weight;
    }
    for (auto& slot : slots_) slot.grad = slot.param.grad();
    if (options_.clip_norm > 0) report.grad_norm = optim::clipGradientNorm(slots_, options_.clip_norm);
    else if (measure_norm) report.grad_norm = optim::gradientNorm(slots_);
    optimizer_->step(slots_, hyper, nullptr);
    return report;
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override { optimizer_->collect(tensors, scalars); }
  Result<void> restore(const models::StateReader& reader) override { return optimizer_->restore(reader); }

 private:
  // Adds this micro-batch's gradients; gives its share of the step's loss.
  at::Tensor accumulate(loader::Batch& batch, models::RunContext& context) {
    const Tensors tensors = toTensors(batch, device_);
    batch.lease.reset();
    parallel::Tape tape;
    at::Tensor outputs_NK;
    {
      parallel::AutocastGuard autocast(device_.type(), options_.autocast);
      outputs_NK = tape.forward(model_.blocks(), {tensors.images_NCHW}, parallel::Keep::Graph, context).front();
    }
    at::Tensor loss = trainingLoss(options_.task, outputs_NK, tensors, options_.label_smoothing);
    if (batch.weight != batch.step_weight) loss = loss * (batch.weight / batch.step_weight);
    tape.backwardFrom(loss);
    return loss.detach();
  }

  const models::Model& model_;
  std::vector<optim::ParamSlot> slots_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  StepOptions options_;
  at::Device device_;
};

}  // namespace

Result<std::unique_ptr<TrainStep>> makeSingleStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options) {
  std::vector<optim::ParamSlot> slots;
  for (auto& [name, tensor] : model.parameters()) {
    optim::ParamSlot slot;
    slot.name = name;
    slot.param = tensor;
    slot.full_sizes = tensor.sizes().vec();
    slots.push_back(std::move(slot));
  }
  TRAINYARD_TRY(auto made, optim::make(optimizer, slots));
  return std::make_unique<SingleStep>(model, std::move(slots), std::move(made), options);
}

StepOptions stepOptions(const recipe::Recipe& recipe, data::Task task) {
  return {recipe.train.clip_norm, recipe.train.label_smoothing, task, recipe.precision.id == "bf16" ? std::optional(at::kBFloat16) : std::nullopt};
}

}  // namespace trainyard::train
