#include "core/runs/metric_order.h"

#include <set>

namespace trainyard::runs {

bool higherIsBetter(const std::string& metric) {
  static const std::set<std::string> kLowerIsBetter{"loss", "mae", "rmse", "perplexity"};
  return !kLowerIsBetter.contains(metric);
}

}  // namespace trainyard::runs
