#pragma once
// What a recipe's network is given and has to give, found without the scan that training begins with.
#include "core/models/model.h"

namespace trainyard::train {

struct NetworkFacts {
  models::InputShape shape;
  int64_t classes = 0;
  bool tokens = false, from_data = true;
};

// From the data where it can be opened (no picture is decoded but one); else from_data is false, and what the recipe leaves open is a colour picture of
// 224 × 224 and ten classes. Error Recipe.
Result<NetworkFacts> networkFacts(const recipe::Recipe& recipe);

}  // namespace trainyard::train
