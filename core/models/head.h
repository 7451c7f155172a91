#pragma once
// The head of a network: its last linear layer or convolution, whose first dimension counts the classes.
#include "core/models/model.h"

namespace trainyard::models {

// Names of the head's weight and, where there is one, bias: the last weight of two dimensions and more. Empty where it is tied to another
// parameter (a language model's embedding): then it cannot be another size by itself.
std::vector<std::string> headOf(const Model& model);

}  // namespace trainyard::models
