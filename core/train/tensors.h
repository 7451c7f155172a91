#pragma once
#include <ATen/core/Tensor.h>

#include "core/loader/batch.h"

namespace trainyard::train {

// The batch's memory as tensors; the lease is freed with the last of them. Copied where the device is not the CPU.
struct Tensors {
  at::Tensor images_NCHW;  // of a text: tokens, N × T int64
  at::Tensor targets;    // classes: N × int64; tokens: N × T int64, those that follow; labels and numbers: N × K floats
  at::Tensor targets_b;  // classes of a mixed batch: the partners'; else undefined
  double mix = 1;        // the share of `targets`
};
Tensors toTensors(const loader::Batch& batch, at::Device device);

}  // namespace trainyard::train
