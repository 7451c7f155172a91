#include "core/train/evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/parallel/autocast.h"

namespace trainyard::train {

namespace {

at::Tensor logits(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  models::RunContext context;
  parallel::AutocastGuard autocast(images_NCHW.device().type(), options.autocast);
  return models::forward(model, images_NCHW, context).to(at::kFloat);
}

}  // namespace

Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted) {
  at::NoGradGuard no_grad;
  Evaluation result;
  const auto classes = static_cast<size_t>(input.classes);
  result.confusion.assign(classes, std::vector<uint64_t>(classes, 0));
  if (indices.empty()) return result;
  loader::Options options;
  options.batch_size = std::clamp<uint64_t>(recipe.train.batch_size, 1, 256);
  options.shuffle = false;
  options.workers = loaderWorkers(recipe, input);
  auto loader = loader::make(input.dataset, indices, input.evaluation, options);
  const at::Device device = model.parameters().front().tensor.device();
  const StepOptions precision = stepOptions(recipe);
  double loss_sum = 0;
  uint64_t right = 0;
  while (true) {
    if (interrupted && interrupted()) return fail(ErrorCode::Interrupted, "evaluation was stopped", "");
    TRAINYARD_TRY(auto batch, loader->next());
    if (!batch) break;
    const Tensors tensors = toTensors(*batch, device);
    const at::Tensor logits_NK = logits(model, tensors.images_NCHW, precision);
    loss_sum += at::cross_entropy_loss(logits_NK, tensors.labels_N, {}, at::Reduction::Sum).item<double>();
    const at::Tensor predicted_N = logits_NK.argmax(1).cpu(), labels_N = tensors.labels_N.cpu();
    const auto *guess = predicted_N.const_data_ptr<int64_t>(), *truth = labels_N.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < predicted_N.numel(); ++i) {
      right += guess[i] == truth[i] ? 1 : 0;
      ++result.confusion[static_cast<size_t>(truth[i])][static_cast<size_t>(guess[i])];
    }
    result.samples += static_cast<uint64_t>(predicted_N.numel());
  }
  result.loss = loss_sum / static_cast<double>(result.samples);
  result.accuracy = static_cast<double>(right) / static_cast<double>(result.samples);
  return result;
}

at::Tensor probabilities(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options) {
  at::NoGradGuard no_grad;
  return at::softmax(logits(model, images_NCHW, options), 1).cpu();
}

}  // namespace trainyard::train
