#include "core/models/head.h"

#include <algorithm>

namespace trainyard::models {

std::vector<std::string> headOf(const Model& model) {
  const auto parameters = model.parameters();
  const auto last = std::find_if(parameters.rbegin(), parameters.rend(), [](const NamedTensor& named) { return named.tensor.dim() >= 2; });
  if (last == parameters.rend() || !last->name.ends_with("weight")) return {};
  if (!model.ties().empty()) return {};  // the head is another layer's weight
  std::vector<std::string> names{last->name};
  const std::string bias = last->name.substr(0, last->name.size() - 6) + "bias";
  if (std::any_of(parameters.begin(), parameters.end(), [&](const NamedTensor& named) { return named.name == bias; })) names.push_back(bias);
  return names;
}

}  // namespace trainyard::models
