#include "core/optim/grad_scaler.h"

#include <ATen/ATen.h>

#include "core/optim/slots.h"

namespace trainyard::optim {

GradScaler::GradScaler(const ScalerOptions& options, at::Device device)
    : options_(options),
      scale_(at::full({}, options.init_scale, at::TensorOptions(at::kFloat).device(device))),
      growth_tracker_(at::zeros({}, at::TensorOptions(at::kInt).device(device))),
      found_inf_(at::zeros({}, at::TensorOptions(at::kFloat).device(device))) {}

at::Tensor GradScaler::scaled(const at::Tensor& loss) const { return loss * scale_; }

bool GradScaler::unscale(std::span<ParamSlot> slots, const std::function<void(at::Tensor& found_inf)>& agree) {
  found_inf_.zero_();
  const std::vector<at::Tensor> grads = gradientsOf(slots);
  if (!grads.empty()) at::_amp_foreach_non_finite_check_and_unscale_(grads, found_inf_, scale_.to(at::kDouble).reciprocal().to(at::kFloat));
  if (agree) agree(found_inf_);
  return found_inf_.item<float>() != 0;
}

void GradScaler::update() {
  at::_amp_update_scale_(scale_, growth_tracker_, found_inf_, options_.growth_factor, options_.backoff_factor, options_.growth_interval);
}

double GradScaler::scale() const { return scale_.item<double>(); }

void GradScaler::collect(std::vector<models::NamedTensor>& tensors) const {
  tensors.push_back({"scaler.scale", scale_});
  tensors.push_back({"scaler.growth_tracker", growth_tracker_});
}

}  // namespace trainyard::optim
