#include "core/train/pipeline_step.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "core/optim/ema.h"
#include "core/optim/optimizer.h"
#include "core/parallel/pipeline.h"
#include "core/parallel/stage_sums.h"
#include "core/train/averaged_weights.h"
#include "core/train/pipeline_parts.h"
#include "core/train/pipeline_tensors.h"
#include "core/train/whole_state.h"

namespace trainyard::train {

namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Parts {
  StageTensors tensors;
  at::Device device = at::kCPU;
  optim::Grouping grouping;  // of the stage's parameters
  std::unique_ptr<optim::Optimizer> optimizer;
  StepOptions options;
  PipelineLinks links;
  std::unique_ptr<comm::Communicator> backward;
  PipelineOptions pipeline;
};

class StageStep : public TrainStep {
 public:
  explicit StageStep(Parts parts)
      : own_(std::move(parts.tensors)),
        device_(parts.device),
        slots_(std::move(parts.grouping.slots)),
        optimizer_(std::move(parts.optimizer)),
        options_(std::move(parts.options)),
        links_(parts.links),
        backward_(std::move(parts.backward)),
        pipeline_(std::move(parts.pipeline)),
        stage_(own_.blocks, *links_.stages, *backward_, {device_, options_.keep, options_.autocast}) {
    if (options_.scaler) scaler_.emplace(*options_.scaler, device_);
    if (options_.ema_decay > 0) ema_.emplace(own_.parameters, options_.ema_decay);
    host_loss_ = options_.loss;
    if (options_.loss.class_weights.defined()) options_.loss.class_weights = options_.loss.class_weights.to(device_);
  }

  Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) override {
    const Stopwatch watch;
    const double waited_before = stage_.waited_s();
    comm_s_ = 0;
    for (auto& slot : slots_) slot.param.mutable_grad().reset();
    TRAINYARD_TRY(PipelineParts parts, shareOut(micros));
    StepReport report;
    report.weight = parts.weight.own;
    report.samples = parts.samples;
    report.loss_sum = at::zeros({}, at::TensorOptions(at::kFloat).device(device_));
    const auto loss = [&](const models::Values& outputs, const models::Values& targets, size_t part) {
      const at::Tensor value = trainingLoss(options_.task, options_.loss, outputs.front(), {{}, targets[0], targets[1], parts.mix[part]}, parts.weight);
      report.loss_sum += value.detach();
      return scaler_ ? scaler_->scaled(value) : value;
    };
    TRAINYARD_CHECK(stage_.train(parts.parts, pipeline_.order, context, loss));
    TRAINYARD_CHECK(timed([&] { return agree(report.loss_sum); }));
    if (scaler_) TRAINYARD_CHECK(unscale(report));
    if (!report.skipped) TRAINYARD_CHECK(update(hyper, measure_norm, report));
    if (scaler_) scaler_->update();
    times_ = {0, comm_s_, stage_.waited_s() - waited_before};
    times_.compute_s = watch.seconds() - times_.comm_s - times_.wait_s;
    return report;
  }

  RankTimes times() const override { return times_; }

  std::vector<models::NamedTensor> averaged() const override { return ema_ ? ema_->averaged() : std::vector<models::NamedTensor>(); }

  void useAverage(bool on) override {
    swapped_.reset();
    if (on) swapped_.emplace(own_.parameters, ema_->averaged());
  }

  Result<at::Tensor> answer(const at::Tensor& inputs, models::RunContext& context) override {
    PipelineParts parts;
    if (stage_.first()) parts = cutInputs(inputs, pipeline_.micro_batches);
    TRAINYARD_CHECK(announce(parts, *links_.stages, device_));
    TRAINYARD_TRY(const models::Values answers, stage_.answer(parts.parts, context));
    return answers.empty() ? at::Tensor() : at::cat(answers);
  }

  Result<StateParts> parts() const override {
    StateParts parts;
    if (links_.data != nullptr && links_.data->rank() > 0) return parts;
    const auto add = [](std::vector<StatePart>& to, const models::NamedTensor& named) {
      to.push_back({named.name, named.tensor, named.tensor.sizes().vec(), 0});
    };
    for (const auto& named : own_.parameters) {
      if (!own_.copies.contains(named.name)) add(parts.model, named);
    }
    for (const auto& named : own_.buffers) add(parts.model, named);
    std::vector<models::NamedTensor> tensors;
    Json scalars = Json::object();
    collect(tensors, scalars);
    for (const auto& named : tensors) {
      const std::string parameter = parameterOf(named.name);
      if (parameter.empty() ? stage_.first() : !own_.copies.contains(parameter)) add(parts.optimizer, named);
    }
    if (stage_.first()) parts.scalars = std::move(scalars);  // counts: the same on all stages
    return parts;
  }

  Result<void> restoreParts(const models::StateReader& model, const models::StateReader& optimizer) override {
    std::vector<models::NamedTensor> targets = own_.parameters;
    targets.insert(targets.end(), own_.buffers.begin(), own_.buffers.end());
    TRAINYARD_CHECK(copyFromWhole(targets, model.tensors, model.where));
    return restore(optimizer);
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    optimizer_->collect(tensors, scalars);
    if (scaler_) scaler_->collect(tensors);
    if (ema_) ema_->collect(tensors, scalars);
  }

  // Other stages' tensors may be there as well.
  Result<void> restore(const models::StateReader& reader) override {
    std::vector<models::NamedTensor> targets;
    Json scalars;
    collect(targets, scalars);
    TRAINYARD_CHECK(copyFromWhole(targets, reader.tensors, reader.where));
    optimizer_->restoreScalars(reader.scalars);
    if (ema_) ema_->restoreScalars(reader.scalars);
    return {};
  }

 private:
  Result<PipelineParts> shareOut(std::span<loader::Batch> micros) {
    PipelineParts parts;
    if (stage_.first()) {
      parts = cutBatches(micros, pipeline_.micro_batches, options_.task, host_loss_, device_);
      if (!parts.whole && links_.data != nullptr) TRAINYARD_CHECK(timed([&] { return sumWeights(parts); }));
    }
    const Stopwatch watch;  // the first stage may still be fetching its batch
    TRAINYARD_CHECK(announce(parts, *links_.stages, device_));
    comm_s_ += watch.seconds();
    return parts;
  }

  Result<void> sumWeights(PipelineParts& parts) {
    at::Tensor sums = at::tensor({parts.weight.own, parts.weight.partners, static_cast<double>(parts.samples)}, at::kDouble).to(device_);
    TRAINYARD_CHECK(links_.data->allReduce(sums, comm::ReduceOp::Sum)->wait());
    const at::Tensor here = sums.cpu();
    const double* values = here.const_data_ptr<double>();
    parts.weight = {values[0], values[1]};
    parts.samples = static_cast<uint64_t>(values[2]);
    return {};
  }

  // The whole step's gradients, and its loss on every rank. Shared parameters come last, so that nothing sums them in another order afterwards.
  Result<void> agree(at::Tensor& loss_sum) {
    for (auto& slot : slots_) slot.grad = slot.param.grad();
    if (links_.data != nullptr) TRAINYARD_CHECK(parallel::sumOverReplicas(slots_, *links_.data));
    TRAINYARD_CHECK(parallel::sumShared(slots_, pipeline_.cut.shared, *links_.stages, *backward_));
    if (links_.data != nullptr) TRAINYARD_CHECK(links_.data->allReduce(loss_sum, comm::ReduceOp::Sum)->wait());
    return links_.stages->broadcast(loss_sum, static_cast<int>(stage_.stages()) - 1)->wait();
  }

  Result<void> unscale(StepReport& report) {
    Result<void> agreed;
    report.loss_scale = scaler_->scale();
    report.skipped = scaler_->unscale(
        slots_, [&](at::Tensor& found_inf) { agreed = timed([&] { return links_.stages->allReduce(found_inf, comm::ReduceOp::Max)->wait(); }); });
    return agreed;
  }

  Result<void> update(const schedule::Hyper& hyper, bool measure_norm, StepReport& report) {
    if (options_.clip_value > 0) optim::clipGradientValue(slots_, options_.clip_value);
    if (options_.clip_norm > 0 || measure_norm) {
      TRAINYARD_CHECK(timed([&]() -> Result<void> {
        TRAINYARD_TRY(report.grad_norm, parallel::normOverStages(slots_, own_.copies, *links_.stages, device_));
        return {};
      }));
    }
    if (options_.clip_norm > 0) {
      std::vector<at::Tensor> gradients;
      for (const auto& slot : slots_) {
        if (slot.grad.defined()) gradients.push_back(slot.grad);
      }
      if (!gradients.empty()) at::_foreach_mul_(gradients, at::clamp_max(options_.clip_norm / (report.grad_norm + 1e-6), 1.0));
    }
    optimizer_->step(slots_, hyper, nullptr);
    if (ema_) ema_->update();
    return {};
  }

  // The parameter that a state tensor ("exp_avg.fc.weight") belongs to; empty: none.
  std::string parameterOf(const std::string& state) const {
    std::string found;
    for (const auto& named : own_.parameters) {
      if (named.name.size() > found.size() && state.ends_with("." + named.name)) found = named.name;
    }
    return found;
  }

  Result<void> timed(const std::function<Result<void>()>& exchange) {
    const Stopwatch watch;
    auto done = exchange();
    comm_s_ += watch.seconds();
    return done;
  }

  StageTensors own_;
  at::Device device_;
  std::vector<optim::ParamSlot> slots_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  StepOptions options_;
  LossOptions host_loss_;  // with the weights of the classes on the CPU
  PipelineLinks links_;
  std::unique_ptr<comm::Communicator> backward_;
  PipelineOptions pipeline_;
  parallel::PipelineStage stage_;
  std::optional<optim::GradScaler> scaler_;
  std::optional<optim::Ema> ema_;
  std::optional<AveragedWeights> swapped_;
  double comm_s_ = 0;
  RankTimes times_;
};

}  // namespace

Result<std::unique_ptr<TrainStep>> makePipelineStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options, PipelineLinks links,
                                                       PipelineOptions pipeline) {
  const auto ranks = static_cast<size_t>(links.stages->size());
  if (pipeline.cut.stages.size() != ranks) {
    return fail(ErrorCode::Recipe, std::to_string(pipeline.cut.stages.size()) + " stages cannot be shared out over " + std::to_string(ranks) + " devices",
                "parallel.stages", "use as many devices as stages, or a multiple");
  }
  Parts parts;
  TRAINYARD_TRY(parts.grouping,
                optim::groupsOf(optimizer, options.rules, options.freeze, model.parameters()));  // of the whole: so patterns are checked against it
  const auto stage = static_cast<size_t>(links.stages->rank());
  parts.device = model.parameters().front().tensor.device();
  moveStage(model, pipeline.cut, stage, parts.device);
  parts.tensors = tensorsOf(model, pipeline.cut, stage);
  std::set<std::string> own;
  for (const auto& named : parts.tensors.parameters) own.insert(named.name);
  std::erase_if(parts.grouping.slots, [&own](const optim::ParamSlot& slot) { return !own.contains(slot.name); });
  TRAINYARD_TRY(parts.optimizer, optim::make(optimizer, parts.grouping.slots, parts.grouping.groups));
  std::vector<int> all(ranks);
  for (size_t r = 0; r < ranks; ++r) all[r] = static_cast<int>(r);
  TRAINYARD_TRY(parts.backward, links.stages->split(all));
  parts.options = std::move(options);
  parts.links = links;
  parts.pipeline = std::move(pipeline);
  return std::make_unique<StageStep>(std::move(parts));
}

}  // namespace trainyard::train
