#pragma once
// What a recipe trains on: the dataset, its split and the chains from pictures to tensors.
#include <ATen/core/Tensor.h>

#include <memory>

#include "core/loader/loader.h"
#include "core/models/model.h"

namespace trainyard::train {

struct Input {
  std::shared_ptr<const data::Dataset> dataset;
  data::Split parts;
  std::shared_ptr<const loader::Preparer> training, evaluation;
  models::InputShape shape;
  int64_t classes = 0;
};

// Error Data or Recipe; also where the batch is larger than the training part.
Result<Input> openInput(const recipe::Recipe& recipe);

// Loader threads for "auto": one for data in memory, else what training leaves over.
int loaderWorkers(const recipe::Recipe& recipe, const Input& input);

// The batch's memory as tensors; the lease is freed with the last of them. Copied where the device is not the CPU.
struct Tensors {
  at::Tensor images_NCHW, labels_N;
};
Tensors toTensors(const loader::Batch& batch, at::Device device);

}  // namespace trainyard::train
