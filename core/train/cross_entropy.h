#pragma once
// Cross-entropy over a large vocabulary.
#include <ATen/core/Tensor.h>

namespace trainyard::train {

// As at::cross_entropy_loss without weights, summed: logits N × K, labels N; those of `ignored` do not count. On a processor, from a few hundred classes
// on, in two passes over the logits that keep nothing but one number a row. Any thread.
at::Tensor crossEntropySum(const at::Tensor& logits_NK, const at::Tensor& labels_N, int64_t ignored);

}  // namespace trainyard::train
