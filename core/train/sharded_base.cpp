#include "core/train/sharded_base.h"

#include <ATen/ATen.h>

#include <map>

#include "core/base/units.h"
#include "core/optim/slots.h"
#include "core/parallel/autocast.h"
#include "core/parallel/shard_wait.h"
#include "core/train/step_weight.h"

namespace trainyard::train {

using parallel::await;

ShardedBase::ShardedBase(const models::Model& model, std::vector<optim::ParamSlot> slots, std::unique_ptr<optim::Optimizer> optimizer, StepOptions options,
                         std::unique_ptr<TimedCommunicator> comm)
    : model_(model),
      comm_(std::move(comm)),
      slots_(std::move(slots)),
      optimizer_(std::move(optimizer)),
      options_(std::move(options)),
      device_(model.parameters().front().tensor.device()),
      host_loss_(options_.loss) {
  if (options_.scaler) scaler_.emplace(*options_.scaler, device_);
  if (options_.loss.class_weights.defined()) options_.loss.class_weights = options_.loss.class_weights.to(device_);
}

Result<StepReport> ShardedBase::run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) {
  const double begin = steadySeconds(), communicated = comm_->seconds();
  TRAINYARD_TRY(const LossWeight weight, stepWeight(options_.task, host_loss_, micros, comm_.get(), device_));
  auto report = collectively([&]() -> Result<StepReport> { return attempt(micros, weight, hyper, context, measure_norm); });
  times_.comm_s = comm_->seconds() - communicated;
  times_.compute_s = steadySeconds() - begin - times_.comm_s;
  return report;
}

StepReport ShardedBase::attempt(std::span<loader::Batch> micros, const LossWeight& weight, const schedule::Hyper& hyper, models::RunContext& context,
                                bool measure_norm) {
  begin();
  for (auto& slot : slots_) slot.grad.reset();
  StepReport report;
  report.weight = weight.own;
  report.samples = static_cast<uint64_t>(micros.front().step_weight);
  at::Tensor loss = at::zeros({1}, at::TensorOptions(at::kFloat).device(device_));
  for (auto& batch : micros) {
    context.micro = batch.micro;
    loss += accumulate(batch, weight, context, &batch == &micros.back());
  }
  const comm::WorkPtr whole = comm_->allReduce(loss, comm::ReduceOp::Sum);
  sumGradients();
  await(whole);
  report.loss_sum = loss.squeeze(0);
  if (scaler_) {
    report.loss_scale = scaler_->scale();
    report.skipped = scaler_->unscale(slots_, [this](at::Tensor& found_inf) { await(comm_->allReduce(found_inf, comm::ReduceOp::Max)); });
  }
  if (!report.skipped) update(hyper, measure_norm, report);
  if (scaler_) scaler_->update();
  return report;
}

at::Tensor ShardedBase::pass(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, const parallel::BlockHooks& hooks) {
  const Tensors tensors = toTensors(batch, device_);
  batch.lease.reset();
  parallel::Tape tape;
  at::Tensor outputs;
  {
    parallel::AutocastGuard autocast(device_.type(), options_.autocast);
    outputs = tape.forward(model_.blocks(), {tensors.images_NCHW}, options_.keep, context, hooks).front();
  }
  const at::Tensor loss = trainingLoss(options_.task, options_.loss, outputs, tensors, weight);
  tape.backwardFrom(scaler_ ? scaler_->scaled(loss) : loss);
  return loss.detach();
}

// Over all ranks: each gradient is with one of them, or in pieces.
at::Tensor ShardedBase::norm() {
  at::Tensor squares = optim::gradientNorm(slots_).square().to(device_).view({1});
  await(comm_->allReduce(squares, comm::ReduceOp::Sum));
  return squares.sqrt().squeeze(0);
}

void ShardedBase::update(const schedule::Hyper& hyper, bool measure_norm, StepReport& report) {
  if (options_.clip_value > 0) optim::clipGradientValue(slots_, options_.clip_value);
  if (options_.clip_norm > 0 || measure_norm) report.grad_norm = norm();
  if (options_.clip_norm > 0) {
    const std::vector<at::Tensor> grads = optim::gradientsOf(slots_);
    if (!grads.empty()) at::_foreach_mul_(grads, at::clamp_max(options_.clip_norm / (report.grad_norm + 1e-6), 1.0));
  }
  optimizer_->step(slots_, hyper, nullptr);
  spread();
  if (ema_) ema_->update();
}

void ShardedBase::collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const {
  optimizer_->collect(tensors, scalars);
  if (scaler_) scaler_->collect(tensors);
  if (ema_) ema_->collect(tensors, scalars);
}

// What collect() gives, with its place in the whole.
std::vector<HeldPart> ShardedBase::state(Json& scalars) const {
  const std::vector<HeldPart> own_weights = weights();
  std::map<std::string, const HeldPart*> weight_of;
  for (const auto& held : own_weights) weight_of.emplace(held.part.name, &held);
  std::vector<HeldPart> parts;
  const auto add = [&](const std::vector<models::NamedTensor>& tensors, bool averages) {
    for (const auto& [name, tensor] : tensors) {
      const auto weight = weight_of.find(parameterOf(name));
      if (weight == weight_of.end()) {
        parts.push_back({{name, tensor, tensor.sizes().vec(), 0}, true});  // a count, the scaler's
        continue;
      }
      const StatePart& of = weight->second->part;
      const bool alike = of.tensor.sizes() == tensor.sizes();  // else whole rows or columns of a whole matrix
      parts.push_back({{name, tensor, alike ? of.full_sizes : tensor.sizes().vec(), alike ? of.offset : 0}, averages && weight->second->everywhere});
    }
  };
  std::vector<models::NamedTensor> tensors;
  optimizer_->collect(tensors, scalars);
  if (scaler_) scaler_->collect(tensors);
  add(tensors, false);
  tensors.clear();
  if (ema_) ema_->collect(tensors, scalars);
  add(tensors, true);
  return parts;
}

Result<StateParts> ShardedBase::parts() const {
  StateParts parts;
  Json scalars = Json::object();
  const bool first = comm_->rank() == 0;
  for (auto& held : weights()) {
    if (first || !held.everywhere) parts.model.push_back(std::move(held.part));
  }
  for (auto& held : state(scalars)) {
    if (first || !held.everywhere) parts.optimizer.push_back(std::move(held.part));
  }
  if (first) parts.scalars = std::move(scalars);
  return parts;
}

Result<void> ShardedBase::restore(const models::StateReader& reader) {
  Json scalars = Json::object();
  const std::vector<HeldPart> parts = state(scalars);
  std::set<std::string> others;
  for (const auto& named : model_.parameters()) others.insert(named.name);
  for (const auto& slot : slots_) others.erase(slot.name);
  TRAINYARD_CHECK(checkParts(parts, reader.tensors, reader.where, others));
  copyParts(parts, reader.tensors);
  optimizer_->restoreScalars(reader.scalars);
  if (ema_) ema_->restoreScalars(reader.scalars);
  return {};
}

Result<void> ShardedBase::restoreParts(const models::StateReader& model, const models::StateReader& optimizer) {
  std::vector<HeldPart> whole;  // shapes alone count: every rank finds the same fault
  for (const auto& [name, tensor] : model_.state()) whole.push_back({{name, tensor, tensor.sizes().vec(), 0}, true});
  TRAINYARD_CHECK(checkParts(whole, model.tensors, model.where, {}));
  copyParts(weights(), model.tensors);
  return restore(optimizer);
}

uint64_t ShardedBase::bytesOf(std::span<const models::NamedTensor> tensors) {
  uint64_t bytes = 0;
  for (const auto& named : tensors) bytes += named.tensor.nbytes();
  return bytes;
}

uint64_t ShardedBase::optimizerBytes() const {
  std::vector<models::NamedTensor> tensors;
  Json scalars = Json::object();
  optimizer_->collect(tensors, scalars);
  return bytesOf(tensors);
}

}  // namespace trainyard::train
