#pragma once
// What a loader hands out.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard::loader {

enum class Element { U8, F32, BF16, I64 };

struct TensorView {
  std::byte* data = nullptr;
  Element element = Element::F32;
  std::vector<int64_t> sizes, strides;  // in elements
};

// One rank's micro-batch. inputs: N × C × H × W floats, channels innermost in memory (strides say so). targets: Task::Classes: N × int64 class
// indices; Labels, Numbers: N × K floats; Tokens: inputs and targets are N × T int64. A mixed batch (mixup, cutmix) of classes has the partners' in targets_b, and
// `mix` says how much of the loss is that of `targets` (1 - mix: of targets_b); of the other tasks the targets themselves are mixed, targets_b
// has no data and mix is 1. The memory belongs to a slot of the loader's ring; the slot is used again once the last copy of `lease` is gone. All
// micro-batches of a step may be held at once. A rank's micro-batch holds no samples when the step has fewer than there are ranks and
// micro-batches.
struct Batch {
  uint64_t epoch = 0, step = 0;  // step: optimizer step within the epoch, from 0
  uint32_t micro = 0;            // 0 … accumulate-1 within the step
  TensorView inputs, targets, targets_b;
  float mix = 1;
  double weight = 0, step_weight = 0;  // samples here; samples in the whole step over all ranks
  bool last_of_step = false;
  std::vector<uint64_t> samples;  // indices into the dataset, in order; of those that were taken where pictures are broken
  std::shared_ptr<void> lease;
};

}  // namespace trainyard::loader
