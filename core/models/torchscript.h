#pragma once
// What a module scripted in Python needs to be known of besides its blocks.
#include "core/models/model.h"

namespace trainyard::models {

// Whether training it draws random numbers (dropout): a scripted module does so from its device's one generator, which on a CPU is the process's.
bool drawsFromOneGenerator(const Model& model);

}  // namespace trainyard::models
