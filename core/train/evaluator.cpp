#include "core/train/evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/parallel/autocast.h"
#include "core/train/loss.h"
#include "core/train/step_options.h"

namespace trainyard::train {

namespace {

at::Tensor outputsOf(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  models::RunContext context;
  parallel::AutocastGuard autocast(images_NCHW.device().type(), options.autocast);
  return models::forward(model, images_NCHW, context).to(at::kFloat);
}

// Every sample's loss, metrics and prediction, batch by batch.
class Collector {
 public:
  Collector(const Input& input, LossOptions loss, const PredictionWishes& wishes)
      : task_(input.task), loss_options_(std::move(loss)), wishes_(wishes), tally_(metricsTally(input.task, input.outputs)), worst_(wishes.worst) {}

  Result<void> add(const std::vector<uint64_t>& samples, const at::Tensor& outputs, const at::Tensor& targets) {
    const at::Tensor losses = evaluationLosses(task_, loss_options_, outputs, targets);
    loss_ += losses.sum(at::kDouble).item<double>();
    samples_ += samples.size();
    counted_ += task_ == data::Task::Tokens ? targets.ne(kIgnored).sum().item<double>() : static_cast<double>(samples.size());
    tally_->add(outputs, targets, losses);
    if (wishes_.worst == 0 && !wishes_.each) return {};
    for (auto& prediction : predictionsOf(task_, samples, outputs, targets, losses)) {
      if (wishes_.each) TRAINYARD_CHECK(wishes_.each(prediction));
      worst_.add(std::move(prediction));
    }
    return {};
  }

  Evaluation done() {
    Metrics metrics = tally_->done();
    return {samples_, loss_ / std::max(counted_, 1.0), std::move(metrics.values), std::move(metrics.per_class), std::move(metrics.confusion), worst_.take()};
  }

 private:
  data::Task task_;
  LossOptions loss_options_;
  const PredictionWishes& wishes_;
  std::unique_ptr<MetricsTally> tally_;
  Worst worst_;
  uint64_t samples_ = 0;
  double loss_ = 0, counted_ = 0;
};

}  // namespace

uint64_t evaluationBatch(const recipe::Recipe& recipe) { return std::clamp<uint64_t>(recipe.train.batch_size, 1, 256); }

Result<Evaluation> evaluateAnswers(const Input& input, const recipe::Recipe& recipe, const std::function<Result<std::vector<Answered>>()>& next,
                                   const std::function<bool()>& interrupted, const PredictionWishes& wishes) {
  Collector collector(input, stepOptions(recipe, input.task).loss, wishes);
  while (true) {
    if (interrupted && interrupted()) return fail(ErrorCode::Interrupted, "evaluation was stopped", "");
    TRAINYARD_TRY(const std::vector<Answered> some, next());
    if (some.empty()) break;
    for (const auto& answered : some) TRAINYARD_CHECK(collector.add(answered.samples, answered.outputs, answered.targets));
  }
  return collector.done();
}

Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted, const PredictionWishes& wishes) {
  at::NoGradGuard no_grad;
  if (indices.empty()) return Evaluation{};
  loader::Options options;
  options.batch_size = evaluationBatch(recipe);
  options.shuffle = false;
  options.workers = input.workers;
  auto loader = loader::make(input.dataset, indices, input.evaluation, options);
  const at::Device device = model.parameters().front().tensor.device();
  const StepOptions step_options = stepOptions(recipe, input.task);
  const auto next = [&]() -> Result<std::vector<Answered>> {
    TRAINYARD_TRY(auto batch, loader->next());
    if (!batch) return std::vector<Answered>();
    const Tensors tensors = toTensors(*batch, device);
    return std::vector<Answered>{{batch->samples, outputsOf(model, tensors.images_NCHW, step_options), tensors.targets}};
  };
  return evaluateAnswers(input, recipe, next, interrupted, wishes);
}

at::Tensor answers(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  at::NoGradGuard no_grad;
  const at::Tensor outputs_NK = outputsOf(model, images_NCHW, options);
  switch (options.task) {
    case data::Task::Classes:
      return at::softmax(outputs_NK, 1).cpu();
    case data::Task::Labels:
      return at::sigmoid(outputs_NK).cpu();
    case data::Task::Numbers:
    case data::Task::Tokens:
      break;
  }
  return outputs_NK.cpu();
}

}  // namespace trainyard::train
