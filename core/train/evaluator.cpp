#include "core/train/evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/parallel/autocast.h"
#include "core/train/loss.h"

namespace trainyard::train {

namespace {

at::Tensor outputsOf(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  models::RunContext context;
  parallel::AutocastGuard autocast(images_NCHW.device().type(), options.autocast);
  return models::forward(model, images_NCHW, context).to(at::kFloat);
}

// Counts what the metrics are made of, batch by batch.
class Tally {
 public:
  Tally(data::Task task, int64_t outputs) : task_(task) {
    if (task == data::Task::Classes) confusion_.assign(static_cast<size_t>(outputs), std::vector<uint64_t>(static_cast<size_t>(outputs), 0));
  }

  void add(const at::Tensor& outputs_NK, const at::Tensor& targets) {
    loss_ += evaluationLosses(task_, {}, outputs_NK, targets).sum(at::kDouble).item<double>();
    samples_ += static_cast<uint64_t>(outputs_NK.size(0));
    switch (task_) {
      case data::Task::Classes: return addClasses(outputs_NK.argmax(1).cpu(), targets.cpu());
      case data::Task::Labels: return addLabels(outputs_NK.gt(0).eq(targets.gt(0.5)));
      case data::Task::Numbers: return addNumbers((outputs_NK - targets).to(at::kDouble));
      case data::Task::Tokens: break;
    }
  }

  Evaluation done() {
    const auto count = static_cast<double>(samples_), values = static_cast<double>(values_);
    Evaluation result{samples_, loss_ / count, Json::object(), std::move(confusion_)};
    if (task_ == data::Task::Classes) result.metrics = {{"accuracy", right_ / count}};
    if (task_ == data::Task::Labels) result.metrics = {{"accuracy", right_ / values}, {"exact_match", exact_ / count}};
    if (task_ == data::Task::Numbers) result.metrics = {{"mae", jsonNumber(absolute_ / values)}, {"rmse", jsonNumber(std::sqrt(squares_ / values))}};
    return result;
  }

 private:
  void addClasses(const at::Tensor& predicted_N, const at::Tensor& labels_N) {
    const auto *guess = predicted_N.const_data_ptr<int64_t>(), *truth = labels_N.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < predicted_N.numel(); ++i) {
      right_ += guess[i] == truth[i] ? 1 : 0;
      ++confusion_[static_cast<size_t>(truth[i])][static_cast<size_t>(guess[i])];
    }
  }
  void addLabels(const at::Tensor& right_NK) {
    values_ += static_cast<uint64_t>(right_NK.numel());
    right_ += right_NK.sum().item<double>();
    exact_ += right_NK.all(1).sum().item<double>();
  }
  void addNumbers(const at::Tensor& difference_NK) {
    values_ += static_cast<uint64_t>(difference_NK.numel());
    absolute_ += difference_NK.abs().sum().item<double>();
    squares_ += difference_NK.square().sum().item<double>();
  }

  data::Task task_;
  uint64_t samples_ = 0, values_ = 0;
  double loss_ = 0, right_ = 0, exact_ = 0, absolute_ = 0, squares_ = 0;
  std::vector<std::vector<uint64_t>> confusion_;
};

}  // namespace

Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted) {
  at::NoGradGuard no_grad;
  Tally tally(input.task, input.outputs);
  if (indices.empty()) return Evaluation{};
  loader::Options options;
  options.batch_size = std::clamp<uint64_t>(recipe.train.batch_size, 1, 256);
  options.shuffle = false;
  options.workers = input.workers;
  auto loader = loader::make(input.dataset, indices, input.evaluation, options);
  const at::Device device = model.parameters().front().tensor.device();
  const StepOptions precision = stepOptions(recipe, input.task);
  while (true) {
    if (interrupted && interrupted()) return fail(ErrorCode::Interrupted, "evaluation was stopped", "");
    TRAINYARD_TRY(auto batch, loader->next());
    if (!batch) break;
    const Tensors tensors = toTensors(*batch, device);
    tally.add(outputsOf(model, tensors.images_NCHW, precision), tensors.targets);
  }
  return tally.done();
}

at::Tensor answers(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  at::NoGradGuard no_grad;
  const at::Tensor outputs_NK = outputsOf(model, images_NCHW, options);
  switch (options.task) {
    case data::Task::Classes: return at::softmax(outputs_NK, 1).cpu();
    case data::Task::Labels: return at::sigmoid(outputs_NK).cpu();
    case data::Task::Numbers:
    case data::Task::Tokens: break;
  }
  return outputs_NK.cpu();
}

}  // namespace trainyard::train
