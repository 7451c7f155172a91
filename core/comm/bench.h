#pragma once
// How quick the collectives between CPU ranks are.
#include <cstdint>

#include "core/base/result.h"

namespace trainyard::comm {

struct AllReduceBenchOptions {
  int ranks = 2;
  int64_t bytes = 25 * 1024 * 1024;  // a gradient bucket
  int rounds = 40;                   // of each backend, in turn
};

// {bytes, ranks, rounds, backends: [{id, median_ms, min_ms, gb_per_s}], local_over_gloo}: threads of this process over shared memory, and over Gloo
// through the loopback. gb_per_s counts the tensor's bytes once. Every sum is checked: Error Device where one is wrong.
Result<Json> benchAllReduce(const AllReduceBenchOptions& options);

}  // namespace trainyard::comm
