#include <ATen/ATen.h>

#include "core/base/units.h"
#include "core/comm/comm_error.h"
#include "core/optim/ema.h"
#include "core/optim/optimizer.h"
#include "core/parallel/autocast.h"
#include "core/parallel/gradient_sum.h"
#include "core/train/averaged_weights.h"
#include "core/train/step_weight.h"
#include "core/train/train_step.h"

namespace trainyard::train {

namespace {

// The whole network on this device: alone, or as one of the replicas that share each batch (data parallel).
class ReplicaStep : public TrainStep {
 public:
  ReplicaStep(const models::Model& model, std::vector<optim::ParamSlot> slots, std::unique_ptr<optim::Optimizer> optimizer, StepOptions options, comm::Communicator* comm)
      : model_(model), slots_(std::move(slots)), optimizer_(std::move(optimizer)), options_(std::move(options)), comm_(comm), device_(slots_.front().param.device()) {
    if (options_.scaler) scaler_.emplace(*options_.scaler, device_);
    if (options_.ema_decay > 0) ema_.emplace(model.parameters(), options_.ema_decay);
    LossOptions& loss = options_.loss;
    host_loss_ = loss;
    if (loss.class_weights.defined()) loss.class_weights = loss.class_weights.to(device_);
    if (comm_ == nullptr) return;
    std::vector<at::Tensor> parameters;
    for (const auto& slot : slots_) parameters.push_back(slot.param);
    // Blocks that are run twice, or tied, meet a parameter more than once in a backward pass.
    sum_.emplace(std::move(parameters), *comm_, parallel::SumOptions{options_.keep == parallel::Keep::Graph, options_.compress_bf16});
  }

  Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) override {
    try {
      return attempt(micros, hyper, context, measure_norm);
    } catch (const comm::CommError& error) {
      return tl::unexpected(error.error());
    }
  }
  std::vector<models::NamedTensor> averaged() const override { return ema_ ? ema_->averaged() : std::vector<models::NamedTensor>(); }

  RankTimes times() const override { return times_; }

  void useAverage(bool on) override {
    swapped_.reset();
    if (on) swapped_.emplace(model_.parameters(), ema_->averaged());
  }

  Result<at::Tensor> answer(const at::Tensor& inputs, models::RunContext& context) override {
    const parallel::AutocastGuard autocast(device_.type(), options_.autocast);
    return models::forward(model_, inputs, context);
  }

  Result<StateParts> parts() const override { return comm_ == nullptr || comm_->rank() == 0 ? wholeParts(model_, *this) : StateParts(); }

  Result<void> restoreParts(const models::StateReader& model, const models::StateReader& optimizer) override {
    TRAINYARD_CHECK(models::loadInto(model_.state(), model.tensors, model.where));
    return restore(optimizer);
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    optimizer_->collect(tensors, scalars);
    if (scaler_) scaler_->collect(tensors);
    if (ema_) ema_->collect(tensors, scalars);
  }

  Result<void> restore(const models::StateReader& reader) override {
    std::vector<models::NamedTensor> targets;
    Json scalars;
    collect(targets, scalars);
    TRAINYARD_CHECK(models::loadInto(targets, reader.tensors, reader.where));
    optimizer_->restoreScalars(reader.scalars);
    if (ema_) ema_->restoreScalars(reader.scalars);
    return {};
  }

 private:
  Result<StepReport> attempt(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) {
    const double begin = steadySeconds();
    clearGradients();
    if (comm_ != nullptr && options_.sync_batch_norm) {
      context.sum_over_ranks = [this](at::Tensor& vector) {
        if (const auto summed = comm_->allReduce(vector, comm::ReduceOp::Sum)->wait(); !summed) throw comm::CommError(summed.error());
      };
    }
    StepReport report;
    TRAINYARD_TRY(const LossWeight weight, stepWeight(options_.task, host_loss_, micros, comm_, device_));
    report.weight = weight.own;
    report.samples = static_cast<uint64_t>(micros.front().step_weight);
    for (auto& batch : micros) {
      context.micro = batch.micro;
      const bool last = &batch == &micros.back();
      if (batch.weight == 0 && !last && !options_.sync_batch_norm) continue;
      const at::Tensor loss = accumulate(batch, weight, context, last);
      report.loss_sum = report.loss_sum.defined() ? report.loss_sum + loss : loss;
    }
    if (sum_) TRAINYARD_CHECK(sumOverRanks(report));
    for (auto& slot : slots_) slot.grad = slot.param.grad();
    if (scaler_) {
      report.loss_scale = scaler_->scale();
      report.skipped = scaler_->unscale(slots_);
    }
    if (!report.skipped) update(hyper, measure_norm, report);
    if (scaler_) scaler_->update();
    times_.comm_s = sum_ ? sum_->waited_s() : 0;
    times_.compute_s = steadySeconds() - begin - times_.comm_s;
    return report;
  }

  void clearGradients() {
    if (sum_) return sum_->begin();
    for (auto& slot : slots_) slot.param.mutable_grad().reset();
  }

  Result<void> sumOverRanks(StepReport& report) {
    sum_->finish();
    at::Tensor loss = report.loss_sum.reshape({1});
    TRAINYARD_CHECK(comm_->allReduce(loss, comm::ReduceOp::Sum)->wait());
    report.loss_sum = loss.squeeze(0);
    return {};
  }

  // Adds this micro-batch's gradients; gives its share of the step's loss.
  at::Tensor accumulate(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, bool last) {
    Tensors tensors = toTensors(batch, device_);
    batch.lease.reset();
    // The last of a step is met by every rank, and with batch norm over all ranks each: one without samples passes one of zeros that counts nothing.
    const bool empty = batch.weight == 0;
    context.stands_in = empty;
    if (empty) tensors.images_NCHW = at::zeros_like(tensors.images_NCHW.new_empty(oneOf(tensors.images_NCHW)));
    if (sum_) sum_->beforeForward(last);
    parallel::Tape tape;
    at::Tensor outputs;
    {
      parallel::AutocastGuard autocast(device_.type(), options_.autocast);
      outputs = tape.forward(model_.blocks(), {tensors.images_NCHW}, options_.keep, context).front();
    }
    const at::Tensor loss = empty ? outputs.sum(at::kFloat) * 0 : trainingLoss(options_.task, options_.loss, outputs, tensors, weight);
    if (sum_) sum_->beforeBackward(last);
    tape.backwardFrom(scaler_ ? scaler_->scaled(loss) : loss);
    return loss.detach();
  }

  static std::vector<int64_t> oneOf(const at::Tensor& batch) {
    std::vector<int64_t> sizes = batch.sizes().vec();
    sizes.front() = 1;
    return sizes;
  }

  void update(const schedule::Hyper& hyper, bool measure_norm, StepReport& report) {
    if (options_.clip_value > 0) optim::clipGradientValue(slots_, options_.clip_value);
    if (options_.clip_norm > 0)
      report.grad_norm = optim::clipGradientNorm(slots_, options_.clip_norm);
    else if (measure_norm)
      report.grad_norm = optim::gradientNorm(slots_);
    optimizer_->step(slots_, hyper, nullptr);
    if (ema_) ema_->update();
  }

  const models::Model& model_;
  std::vector<optim::ParamSlot> slots_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  StepOptions options_;
  LossOptions host_loss_;    // with the weights of the classes on the CPU
  comm::Communicator* comm_;  // of the replicas; null: alone
  at::Device device_;
  std::optional<optim::GradScaler> scaler_;
  std::optional<optim::Ema> ema_;
  std::optional<AveragedWeights> swapped_;
  std::optional<parallel::GradientSum> sum_;
  RankTimes times_;
};

}  // namespace

Result<std::unique_ptr<TrainStep>> makeReplicaStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options, comm::Communicator* comm) {
  TRAINYARD_TRY(optim::Grouping grouping, optim::groupsOf(optimizer, options.rules, options.freeze, model.parameters()));
  TRAINYARD_TRY(auto made, optim::make(optimizer, grouping.slots, grouping.groups));
  return std::make_unique<ReplicaStep>(model, std::move(grouping.slots), std::move(made), std::move(options), comm);
}

Result<std::unique_ptr<TrainStep>> makeSingleStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options) {
  return makeReplicaStep(model, optimizer, std::move(options), nullptr);
}

StateParts wholeParts(const models::Model& model, const models::Checkpointable& state) {
  const auto whole = [](const models::NamedTensor& named) { return StatePart{named.name, named.tensor, named.tensor.sizes().vec(), 0}; };
  StateParts parts;
  for (const auto& named : model.state()) parts.model.push_back(whole(named));
  std::vector<models::NamedTensor> tensors;
  state.collect(tensors, parts.scalars);
  for (const auto& named : tensors) parts.optimizer.push_back(whole(named));
  return parts;
}

}  // namespace trainyard::train
