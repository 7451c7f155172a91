#pragma once
// Batch norm over the samples of all ranks (torch.nn.SyncBatchNorm).
#include <ATen/core/Tensor.h>

#include <functional>

namespace trainyard::models {

struct SyncedNorm {
  double eps = 1e-5;
  std::function<void(at::Tensor&)> sum;  // a vector, over all ranks in place; every rank calls it as often, forward and backward. May throw
  bool counts = true;                    // false: this rank passes a stand-in because it has no samples
};

struct Normalised {
  at::Tensor values;            // of x's type
  double count = 0;             // values of a channel, of all ranks
  at::Tensor mean, variance;    // of all ranks' values, by channel; variance unbiased. Without a graph
};

// x: N × C × …; weight, bias: C. Differentiable in all three; the gradients of weight and bias are this rank's share.
Normalised syncedBatchNorm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const SyncedNorm& norm);

}  // namespace trainyard::models
