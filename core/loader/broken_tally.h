#pragma once
// Inside the loader room: pictures that broke after the scan, and when enough is enough. One thread.
#include <functional>
#include <unordered_set>
#include <vector>

#include "core/loader/fetch.h"

namespace trainyard::loader {

class BrokenTally {
 public:
  // Of `samples` in all, one in a hundred may break, and at least one.
  BrokenTally(uint64_t samples, std::function<void(const Error&)> on_broken) : samples_(samples), on_broken_(std::move(on_broken)) {}

  // Reports those that are new. Error Data once there are too many, with their number and the first files.
  Result<void> add(const std::vector<Broken>& found);

 private:
  uint64_t samples_;
  std::function<void(const Error&)> on_broken_;
  std::unordered_set<uint64_t> known_;
  std::vector<Error> first_;
};

}  // namespace trainyard::loader
