#pragma once
// Loss and metrics over a part of the data: every sample counts once.
#include <atomic>
#include <functional>

#include "core/train/metrics.h"
#include "core/train/predictions.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct Evaluation {
  uint64_t samples = 0;
  double loss = 0;  // the recipe's loss, mean per sample (of texts per place), without label smoothing and weights of classes
  Json metrics;     // {name: number}, see metrics.h
  Json per_class;
  std::vector<std::vector<uint64_t>> confusion;  // classes: [true][predicted]
  std::vector<Prediction> worst;                 // as many as were asked for, the largest loss first
};

// Which predictions are wanted.
struct PredictionWishes {
  size_t worst = 0;                                     // how many of largest loss to keep
  std::function<Result<void>(const Prediction&)> each;  // every one, in the order of the indices; its error ends the evaluation
};

// `indices` into the dataset. interrupted(): asked between batches; true ends with Error Interrupted. The model's weights may be any: of an average
// too.
Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted = {}, const PredictionWishes& wishes = {});

// Answers of the network to some samples, in their order.
struct Answered {
  std::vector<uint64_t> samples;  // indices
  at::Tensor outputs, targets;    // outputs: fp32
};

// Of all that `next` gives; nothing more comes after an empty list.
Result<Evaluation> evaluateAnswers(const Input& input, const recipe::Recipe& recipe, const std::function<Result<std::vector<Answered>>()>& next,
                                   const std::function<bool()>& interrupted, const PredictionWishes& wishes);

// Samples that go through the network at once.
uint64_t evaluationBatch(const recipe::Recipe& recipe);

// What the network says of images of its shape: class probabilities, a probability per label, or numbers. On the CPU.
at::Tensor answers(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options);

}  // namespace trainyard::train
