#include "core/train/loss.h"

#include <ATen/ATen.h>

namespace trainyard::train {

namespace {

at::Tensor perSampleLoss(data::Task task, const at::Tensor& outputs_NK, const at::Tensor& targets_NK) {
  const at::Tensor loss_NK = task == data::Task::Labels ? at::binary_cross_entropy_with_logits(outputs_NK, targets_NK, {}, {}, at::Reduction::None)
                                                        : at::mse_loss(outputs_NK, targets_NK, at::Reduction::None);
  return loss_NK.mean(1);
}

}  // namespace

at::Tensor trainingLoss(data::Task task, const at::Tensor& outputs_NK, const Tensors& targets, double label_smoothing) {
  const at::Tensor outputs = outputs_NK.to(at::kFloat);
  if (task != data::Task::Classes) return perSampleLoss(task, outputs, targets.targets).mean();
  const auto entropy = [&](const at::Tensor& labels_N) { return at::cross_entropy_loss(outputs, labels_N, {}, at::Reduction::Mean, -100, label_smoothing); };
  if (!targets.targets_b.defined()) return entropy(targets.targets);
  return entropy(targets.targets) * targets.mix + entropy(targets.targets_b) * (1 - targets.mix);
}

at::Tensor evaluationLoss(data::Task task, const at::Tensor& outputs_NK, const at::Tensor& targets) {
  if (task != data::Task::Classes) return perSampleLoss(task, outputs_NK, targets).sum();
  return at::cross_entropy_loss(outputs_NK, targets, {}, at::Reduction::Sum);
}

}  // namespace trainyard::train
