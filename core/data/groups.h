#pragma once
// Samples that belong together, such as a burst of photographs: no split may part them, or the network is tested on what it has seen.
#include <cstdint>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

// A number for each sample of the dataset; those of `pool` that share one stay together. Empty for data.group = "none". `folder`: the folder right
// above the file. `name`: what data.group_pattern finds in the file's name, whatever folder it is in; a name without it stands for itself. `time`:
// chains of pictures each taken within a minute of the one before, by the cameras' clocks. `similar`: chains of pictures that look the same. The last
// two look at every picture, or into what a scan has kept. Error Recipe: no such grouping for this data, a broken pattern.
Result<std::vector<uint32_t>> groupsOf(const Dataset& dataset, const std::vector<uint64_t>& pool, const recipe::Data& data);

}  // namespace trainyard::data
