#pragma once
// The learning-rate range test (Smith 2015, arXiv 1506.01186): the rate rises with every update until the loss explodes; a good rate lies where
// the loss falls most steeply.
#include <vector>

#include "core/train/engine.h"

namespace trainyard::train {

// The rate where `smoothed` falls most steeply over the logarithm of the rate; the first ten points and the last are left out. nullopt where there
// are too few points or the loss never falls. Both of the same length, `lr` rising by a constant factor.
std::optional<double> suggestRate(const std::vector<double>& lr, const std::vector<double>& smoothed);

// Average with a weight of 0.98 on the past, corrected for its start at 0.
class Smoother {
 public:
  double next(double loss);

 private:
  double average_ = 0, weight_ = 0;
};

// `--json` of lr-find. Trains a model of its own; nothing is written. Stops when the smoothed loss is 4 times its best, or not finite. Error
// Interrupted where the observer asks for a stop.
Result<Json> findRate(const recipe::Recipe& recipe, const RateTest& test, const Observer& observer);

}  // namespace trainyard::train
