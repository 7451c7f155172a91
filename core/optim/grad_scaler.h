#pragma once
// The gradient scaler of half precision, by PyTorch's rule (torch.amp.GradScaler): small gradients survive because the loss is multiplied by a
// scale, which shrinks where a gradient overflows and grows again after a long time without.
#include <functional>
#include <span>

#include "core/optim/optimizer.h"

namespace trainyard::optim {

struct ScalerOptions {
  double init_scale = 65536, growth_factor = 2, backoff_factor = 0.5;
  int64_t growth_interval = 2000;
};

// In each step: scaled(loss), backward, unscale(), the optimizer's step unless that said true, update(). One thread; tensors stay on the device.
class GradScaler {
 public:
  GradScaler(const ScalerOptions& options, at::Device device);

  at::Tensor scaled(const at::Tensor& loss) const;

  // Divides the gradients by the scale. True: one of them is not finite, and the step must be left out. Waits for the device. `agree`: makes the
  // float that is 1 where one of this rank's is not finite the largest of all ranks', so that all decide alike.
  bool unscale(std::span<ParamSlot> slots, const std::function<void(at::Tensor& found_inf)>& agree = {});

  // Sets the scale of the next step.
  void update();

  double scale() const;  // waits for the device

  // "scaler.scale" and "scaler.growth_tracker"; what is loaded into them counts.
  void collect(std::vector<models::NamedTensor>& tensors) const;

 private:
  ScalerOptions options_;
  at::Tensor scale_, growth_tracker_, found_inf_;  // scalars: float, int32, float
};

}  // namespace trainyard::optim
