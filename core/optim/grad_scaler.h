#pragma once
// The gradient scaler of half precision, by PyTorch's rule (torch.amp.GradScaler): small gradients survive because the loss is multiplied by a
// scale, which shrinks where a gradient overflows and grows again after a long time without.
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

  // Divides the gradients by the scale. True: one of them is not finite, and the step must be left out. Waits for the device.
  bool unscale(std::span<ParamSlot> slots);

  // The two halves of it: divides, and gives the scalar that says whether one is not finite (1, else 0), of which ranks make the maximum; then
  // reads it. update() goes by it too.
  at::Tensor& check(std::span<ParamSlot> slots);
  bool found() const;  // waits for the device

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
