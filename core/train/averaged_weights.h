#pragma once
// The model with the averaged weights in place of its own, for a scope.
#include <map>
#include <span>
#include <string>

#include "core/models/model.h"

namespace trainyard::train {

// Swaps the memory of the parameters with that of `average` (by name; on the same device); ends by swapping back.
class AveragedWeights {
 public:
  AveragedWeights(const std::vector<models::NamedTensor>& parameters, std::span<const models::NamedTensor> average) {
    std::map<std::string, at::Tensor> own;
    for (const auto& [name, tensor] : parameters) own.emplace(name, tensor);
    for (const auto& [name, tensor] : average) {
      const auto found = own.find(name);
      if (found == own.end()) continue;
      swaps_.push_back({found->second, found->second.detach()});
      found->second.set_data(tensor);
    }
  }
  ~AveragedWeights() {
    for (auto& swap : swaps_) swap.parameter.set_data(swap.own);
  }
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  struct Swap {
    at::Tensor parameter, own;
  };
  std::vector<Swap> swaps_;
};

}  // namespace trainyard::train
