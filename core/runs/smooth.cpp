#include <cmath>

#include "core/runs/verdict.h"

namespace trainyard::runs {

std::vector<double> smooth(std::span<const double> values, double half_life) {
  const double keep = half_life > 0 ? std::exp2(-1 / half_life) : 0;
  std::vector<double> smoothed;
  smoothed.reserve(values.size());
  double sum = 0, weight = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      sum = keep * sum + (1 - keep) * value;
      weight = keep * weight + (1 - keep);
    }
    smoothed.push_back(weight > 0 ? sum / weight : std::nan(""));
  }
  return smoothed;
}

}  // namespace trainyard::runs
