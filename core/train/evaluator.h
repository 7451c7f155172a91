#pragma once
// Loss and metrics over a part of the data: every sample counts once.
#include <atomic>
#include <functional>

#include "core/train/input.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct Evaluation {
  uint64_t samples = 0;
  double loss = 0;  // mean per sample, without label smoothing
  Json metrics;     // classes: {accuracy}; labels: {accuracy (over all yes-or-no answers), exact_match}; numbers: {mae, rmse}
  std::vector<std::vector<uint64_t>> confusion;  // classes: [true][predicted]
};

// `indices` into the dataset. interrupted(): asked between batches; true ends with Error Interrupted.
Result<Evaluation> evaluate(const models::Model& model, const Input& input, const std::vector<uint64_t>& indices, const recipe::Recipe& recipe,
                            const std::function<bool()>& interrupted = {});

// What the network says of images of its shape: class probabilities, a probability per label, or numbers. On the CPU.
at::Tensor answers(const models::Model& model, const at::Tensor& images_NCHW, const StepOptions& options);

}  // namespace trainyard::train
