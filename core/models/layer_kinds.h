#pragma once
// The layers of a network that is written in the recipe: one maker per kind, keyed by the catalogue's ids.
#include <span>

#include "core/models/layers.h"

namespace trainyard::models {

using Sizes = std::vector<int64_t>;  // of one sample: channels, height, width; or a list of numbers

// What a layer is made from. `inputs` are the sizes of what it takes; only those kinds that combine take more than one.
struct LayerPlan {
  const Json& table;  // its keys, defaults filled in
  std::string name;   // begins the names of its parameters
  std::span<const Sizes> inputs;
  int64_t outputs;    // of a linear layer that says none; 0: it has to say
};

struct MadeLayer {
  std::function<at::Tensor(std::span<const at::Tensor>, RunContext&)> forward;
  Sizes sizes;  // of what it gives
};

// Registers the layer's parameters in `store`, drawn as PyTorch draws them. Error Recipe without a place: what does not fit, with the sizes.
Result<MadeLayer> makeLayer(Store& store, const LayerPlan& plan);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeLayerIds();

// "3 × 64 × 64"
std::string sizesText(const Sizes& sizes);

}  // namespace trainyard::models
