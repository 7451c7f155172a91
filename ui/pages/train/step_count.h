#pragma once
// How many updates the recipe comes to with the data as it is.
#include <cstdint>

#include "ui/context.h"

namespace trainyard::ui {

struct StepCount {
  uint64_t training = 0, validation = 0;  // pictures; 0: the data is not read
  uint64_t per_epoch = 0, epochs = 0, total = 0;
  bool known() const { return total > 0; }
};

StepCount countSteps(const Context& context);

}  // namespace trainyard::ui
