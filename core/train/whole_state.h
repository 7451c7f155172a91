#pragma once
// Loading what one rank holds out of a file that holds everything.
#include "core/models/safetensors.h"

namespace trainyard::train {

// Copies by name into `targets`, keeping their device and strides. Error Data names a tensor that is missing or has another shape or type; nothing is
// copied then. What else the file holds is other ranks'.
Result<void> copyFromWhole(std::span<const models::NamedTensor> targets, const models::SafetensorsFile& file, const std::string& where);

}  // namespace trainyard::train
