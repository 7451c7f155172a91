#include "core/models/head.h"

#include <algorithm>

namespace trainyard::models {

std::vector<std::string> headOf(const Model& model) {
  const auto parameters = model.parameters();
  const auto last = std::find_if(parameters.rbegin(), parameters.rend(), [](const NamedTensor& named) { return named.tensor.dim() >= 2; });
  if (last == parameters.rend() || !last->name.ends_with("weight")) return {};
  for (const auto& tied : model.ties()) {
    if (std::find(tied.begin(), tied.end(), last->name) != tied.end()) return {};
  }
  std::vector<std::string> names{last->name};
  const std::string bias = last->name.substr(0, last->name.size() - 6) + "bias";
  if (std::any_of(parameters.begin(), parameters.end(), [&](const NamedTensor& named) { return named.name == bias; })) names.push_back(bias);
  return names;
}

}  // namespace trainyard::models
