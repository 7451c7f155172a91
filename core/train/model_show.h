#pragma once
// `trainyard model show`: the network of a recipe as a table.
#include "core/train/engine.h"

namespace trainyard::train {

// {arch, input: [sizes], classes, from_data, parameters, trainable, bytes, multiply_adds, activation_bytes,
//  layers: [{name, kind, output: [sizes], parameters, multiply_adds, activation_bytes, frozen}]}.
// Sizes and classes are the data's where it can be opened (no picture is decoded but one); else from_data is false, and what the recipe leaves open is a colour
// picture of 224 × 224 and ten classes. Error Recipe as models::make gives it.
Result<Json> showModel(const recipe::Recipe& recipe);

}  // namespace trainyard::train
