#include "core/train/loss.h"

#include <ATen/ATen.h>

#include "core/train/cross_entropy.h"

namespace trainyard::train {

namespace {

bool hasClasses(data::Task task) { return task == data::Task::Classes || task == data::Task::Tokens; }

// Losses of targets that are values: of each value.
at::Tensor valueLosses(data::Task task, const recipe::Choice& choice, const at::Tensor& outputs_NK, const at::Tensor& targets_NK) {
  if (task == data::Task::Labels) return at::binary_cross_entropy_with_logits(outputs_NK, targets_NK, {}, {}, at::Reduction::None);
  if (choice.id == "l1") return at::l1_loss(outputs_NK, targets_NK, at::Reduction::None);
  if (choice.id == "huber") return at::huber_loss(outputs_NK, targets_NK, at::Reduction::None, choice.number("delta", 1));
  return at::mse_loss(outputs_NK, targets_NK, at::Reduction::None);
}

at::Tensor entropySum(const LossOptions& loss, const at::Tensor& outputs, const at::Tensor& labels) {
  if (!loss.class_weights.defined() && loss.label_smoothing == 0) return crossEntropySum(outputs.flatten(0, -2), labels.flatten(), kIgnored);
  const std::optional<at::Tensor> weights = loss.class_weights.defined() ? std::optional(loss.class_weights) : std::nullopt;
  return at::cross_entropy_loss(outputs.flatten(0, -2), labels.flatten(), weights, at::Reduction::Sum, kIgnored, loss.label_smoothing);
}

double weightOfLabels(const LossOptions& loss, const at::Tensor& labels) {
  const at::Tensor counted = labels.masked_select(labels.ne(kIgnored));
  if (!loss.class_weights.defined()) return static_cast<double>(counted.numel());
  return loss.class_weights.cpu().to(at::kDouble).index_select(0, counted).sum().item<double>();
}

// Where nothing counts there is nothing to divide.
double divisor(double weight) { return weight > 0 ? weight : 1; }

}  // namespace

Result<std::string> lossFor(data::Task task, const recipe::Choice& choice) {
  const std::string natural = hasClasses(task) ? "cross_entropy" : task == data::Task::Labels ? "bce_with_logits" : "mse";
  if (choice.id == "auto" || choice.id == natural) return natural;
  if (task == data::Task::Numbers && (choice.id == "l1" || choice.id == "huber")) return choice.id;
  const char* targets = task == data::Task::Classes  ? "one class a sample"
                        : task == data::Task::Tokens ? "the next token at each place"
                        : task == data::Task::Labels ? "any number of labels a sample"
                                                     : "numbers";
  return fail(ErrorCode::Recipe, "\"" + choice.id + "\" is no loss for this data: its targets are " + targets, "loss.type",
              "use \"" + natural + "\"" + (task == data::Task::Numbers ? ", \"l1\" or \"huber\"" : "") + ", or \"auto\"");
}

std::vector<double> balancedWeights(const std::vector<uint64_t>& counts) {
  double samples = 0, classes = 0;
  for (const uint64_t count : counts) {
    samples += static_cast<double>(count);
    classes += count > 0 ? 1 : 0;
  }
  std::vector<double> weights;
  for (const uint64_t count : counts) weights.push_back(count > 0 ? samples / (classes * static_cast<double>(count)) : 1);
  return weights;
}

LossWeight weightOf(data::Task task, const LossOptions& loss, const Tensors& targets) {
  if (!hasClasses(task)) {
    const auto samples = static_cast<double>(targets.targets.size(0));
    return {samples, samples};
  }
  const double own = weightOfLabels(loss, targets.targets);
  return {own, targets.targets_b.defined() ? weightOfLabels(loss, targets.targets_b) : own};
}

at::Tensor trainingLoss(data::Task task, const LossOptions& loss, const at::Tensor& outputs, const Tensors& targets, const LossWeight& step_weight) {
  const at::Tensor values = outputs.to(at::kFloat);
  const double own = divisor(step_weight.own);
  if (!hasClasses(task)) return valueLosses(task, loss.choice, values, targets.targets).mean(1).sum().div(own);
  if (!targets.targets_b.defined()) return entropySum(loss, values, targets.targets).div(own);
  return entropySum(loss, values, targets.targets).mul(targets.mix / own) +
         entropySum(loss, values, targets.targets_b).mul((1 - targets.mix) / divisor(step_weight.partners));
}

at::Tensor evaluationLosses(data::Task task, const LossOptions& loss, const at::Tensor& outputs, const at::Tensor& targets) {
  const at::Tensor values = outputs.to(at::kFloat);
  if (!hasClasses(task)) return valueLosses(task, loss.choice, values, targets).mean(1);
  return at::cross_entropy_loss(values.flatten(0, -2), targets.flatten(), {}, at::Reduction::None, kIgnored).view_as(targets);
}

}  // namespace trainyard::train
