// Warm-up and the unit (epoch or step) belong to the section, not to an entry: they mean the same for every schedule.
#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

std::span<const Descriptor> schedules() {
  static const std::vector<Descriptor> kTable = {
      {"constant", "Constant", "The same learning rate from the end of the warm-up to the end of the training.", {}},
      {"step",
       "Steps down",
       "Multiplies the learning rate by a factor at regular intervals; the usual choice with SGD.",
       {integer("step_size", "Lower it every", "How many units lie between two drops of the learning rate.", 10, 1, 1e9),
        above(real("gamma", "Multiply it by", "The factor of each drop: 0.1 leaves a tenth.", 0.1, 0, 10))}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
