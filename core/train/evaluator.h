#pragma once
// Loss and accuracy over a part of the data: every sample counts once.
#include <atomic>
#include <functional>

#include "core/train/input.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct Evaluation {
  uint64_t samples = 0;
  double loss = 0;      // mean cross-entropy per sample, without label smoothing
  double accuracy = 0;  // share of samples whose largest logit is the right class
  std::vector<std::vector<uint64_t>> confusion;  // [true][predicted]
  Json metrics() const { return {{"accuracy", accuracy}}; }
};

// `indices` into the dataset. interrupted(): asked between batches; true ends with Error Interrupted.
Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted = {});

// Class probabilities of images of the network's shape.
at::Tensor probabilities(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options);

}  // namespace trainyard::train
