#pragma once
// The loader's side of speed comparisons.
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::cli {

struct LoaderBench {
  std::string folder;             // class folders; not for cifar
  std::string workload = "full";  // full | crop | cifar
  int workers = 2;
  uint64_t batch = 64;
};

// {workload, workers, images_per_s} of the second epoch. Error Data or Usage.
Result<Json> benchLoader(const LoaderBench& options);

}  // namespace trainyard::cli
