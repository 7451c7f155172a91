#pragma once
// The layers that a network written in the recipe is made of ([model] layers). Names and defaults are PyTorch's.
#include "core/catalogue/catalogue.h"

namespace trainyard::catalogue {

std::span<const Descriptor> layers();

// How one of them stands in the recipe: a table inside a table, so no section of its own at the top.
const Section& layerSection();

// A small network for pictures, every default written out: what `layers` holds until somebody writes another.
Json usualLayers();

}  // namespace trainyard::catalogue
