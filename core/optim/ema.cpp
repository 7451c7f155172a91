#include "core/optim/ema.h"

#include <ATen/ATen.h>

namespace trainyard::optim {

Ema::Ema(std::vector<models::NamedTensor> parameters, double decay) : decay_(decay) {
  for (auto& [name, tensor] : parameters) {
    averages_.push_back({name, tensor.detach().clone()});
    parameters_.push_back(tensor.detach());
  }
}

void Ema::update() {
  at::NoGradGuard no_grad;
  std::vector<at::Tensor> averages;
  averages.reserve(averages_.size());
  for (const auto& named : averages_) averages.push_back(named.tensor);
  if (updates_++ == 0)
    at::_foreach_copy_(averages, parameters_);
  else
    at::_foreach_lerp_(averages, parameters_, 1 - decay_);
}

void Ema::collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const {
  for (const auto& [name, tensor] : averages_) tensors.push_back({"ema." + name, tensor});
  scalars["ema_updates"] = updates_;
}

}  // namespace trainyard::optim
