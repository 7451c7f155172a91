#pragma once
// Which of two values of a metric is the better one. Any thread.
#include <string>

namespace trainyard::runs {

// False for losses and errors: "loss", "mae", "rmse", "perplexity".
bool higherIsBetter(const std::string& metric);

}  // namespace trainyard::runs
