#pragma once
// What training minimises. The loss of a step is a sum over its samples (over the places of a text) divided by the step's weight, which is known
// before the forward pass; so gradients add up to the same however the step is cut. Equal to torch.nn's losses with their mean reduction.
#include "core/data/task.h"
#include "core/recipe/recipe.h"
#include "core/train/tensors.h"

namespace trainyard::train {

struct LossOptions {
  recipe::Choice choice{"auto", Json::object()};
  double label_smoothing = 0;  // of cross-entropy
  at::Tensor class_weights;    // of cross-entropy: K floats; undefined: all alike
};

// The id of the loss that a recipe's choice means for these targets. Error Recipe where it is none for them.
Result<std::string> lossFor(data::Task task, const recipe::Choice& choice);

// n / (K · n_c), K counting the classes that occur; 1 for those that do not.
std::vector<double> balancedWeights(const std::vector<uint64_t>& counts);

// What sums are divided by. Classes: samples, or the sum of their classes' weights; texts: the places that count (target not -100).
struct LossWeight {
  double own = 0, partners = 0;  // partners: of the second labels of a mixed batch
};
// Of one micro-batch, whose targets are on the CPU.
LossWeight weightOf(data::Task task, const LossOptions& loss, const Tensors& targets);

// A micro-batch's part of the step's loss, an fp32 scalar. outputs: N × K, of texts N × T × V. class_weights on the outputs' device.
at::Tensor trainingLoss(data::Task task, const LossOptions& loss, const at::Tensor& outputs, const Tensors& targets, const LossWeight& step_weight);

// One value a sample (N), without label smoothing and weights of classes: for evaluation. Of texts one value a place (N × T), 0 where it does not
// count.
at::Tensor evaluationLosses(data::Task task, const LossOptions& loss, const at::Tensor& outputs, const at::Tensor& targets);

constexpr int64_t kIgnored = -100;  // a target that does not count

}  // namespace trainyard::train
