#pragma once
// An exponential moving average of the weights, as torch.optim.swa_utils.AveragedModel keeps it with get_ema_multi_avg_fn(decay): after the first
// step the average is the weights, after each further one decay · average + (1 − decay) · weights. Buffers are the model's.
#include "core/models/checkpointable.h"

namespace trainyard::optim {

// One thread. Tensors on the parameters' device, in their strides.
class Ema {
 public:
  Ema(std::vector<models::NamedTensor> parameters, double decay);

  // After each optimizer step that was done.
  void update();

  // By the parameters' names; the live tensors.
  const std::vector<models::NamedTensor>& averaged() const { return averages_; }

  // "ema.<name>" for each parameter, and "ema_updates".
  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const;
  void restoreScalars(const Json& scalars) { updates_ = scalars.value("ema_updates", uint64_t{0}); }

 private:
  std::vector<at::Tensor> parameters_;
  std::vector<models::NamedTensor> averages_;
  double decay_;
  uint64_t updates_ = 0;
};

}  // namespace trainyard::optim
