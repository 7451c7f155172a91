#include "core/loader/broken_tally.h"

#include <algorithm>

namespace trainyard::loader {

namespace {

constexpr uint64_t kOneOf = 100;
constexpr size_t kNamed = 5;

}  // namespace

Result<void> BrokenTally::add(const std::vector<Broken>& found) {
  for (const auto& [sample, error] : found) {
    if (!known_.insert(sample).second) continue;
    if (first_.size() < kNamed) first_.push_back(error);
    if (on_broken_) on_broken_(error);
  }
  if (known_.size() <= std::max<uint64_t>(samples_ / kOneOf, 1)) return {};
  std::string names;
  for (const auto& error : first_) names += (names.empty() ? "" : ", ") + error.where;
  if (known_.size() > first_.size()) names += ", …";
  return fail(
      ErrorCode::Data,
      std::to_string(known_.size()) + " of " + std::to_string(samples_) + " pictures cannot be read any more, which is above 1 %; the first " + first_[0].what,
      names, "check the disk and the folder of the data; `trainyard data scan` names every picture that cannot be read");
}

}  // namespace trainyard::loader
