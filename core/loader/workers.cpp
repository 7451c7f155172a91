#include "core/loader/workers.h"

#include <algorithm>

namespace trainyard::loader {

namespace {

constexpr int kMost = 16;

}  // namespace

int workersFor(int asked, bool in_memory, int cores, int training_threads) {
  if (asked > 0) return asked;
  if (in_memory) return 1;
  return std::clamp(cores - training_threads, 1, kMost);
}

}  // namespace trainyard::loader
