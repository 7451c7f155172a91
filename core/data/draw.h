#pragma once
// Inside the data room: draws samples for a part, whole groups at a time, about the same share of every class.
#include <cstdint>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

// What is drawn is a function of (seed, part, the samples' names, their groups): neither their order nor, mostly, which others there are matters.
class Drawer {
 public:
  // `pool`: the samples to draw from. `groups`: a number for each sample of the dataset; samples of one number stay together. Empty: each for itself.
  // O(n log n).
  Drawer(const Dataset& dataset, std::vector<uint64_t> pool, const std::vector<uint32_t>& groups, uint64_t seed);

  // Takes `share` of each class as it was in the whole pool, rounded (of all samples where they have no class); at least one sample. A class keeps
  // a group in the pool. Groups are taken in a drawn order as long as each brings the classes it holds closer to their shares, so a class of
  // groups of its own misses its share by at most half of its largest group. Error Data naming `key` when nothing can be taken.
  Result<std::vector<uint64_t>> draw(double share, Part part, const std::string& key);

  // Takes out whatever shares a group with `taken` and those themselves; ascending, without `taken`.
  std::vector<uint64_t> removeGroupsOf(const std::vector<uint64_t>& taken);

  // What is left; ascending.
  std::vector<uint64_t> rest() const;

 private:
  struct Group {
    uint64_t key;         // of its names
    size_t first, count;  // in samples_
    bool taken = false;
  };
  struct Counted {
    size_t class_index;
    int64_t count;
  };
  size_t classOf(uint64_t sample) const { return dataset_.task() == Task::Classes ? static_cast<size_t>(dataset_.label(sample)) : 0; }
  void countClasses(const Group& group, std::vector<Counted>& counts) const;
  std::vector<int64_t> wanted(double share) const;
  void take(Group& group, std::vector<uint64_t>& into);
  Error nothing(const std::string& key) const;

  const Dataset& dataset_;
  uint64_t seed_;
  bool single_;                    // every sample for itself
  std::vector<uint64_t> samples_;  // group by group
  std::vector<Group> groups_;
  std::vector<int64_t> whole_;        // samples of each class in the pool at first
  std::vector<int64_t> groups_left_;  // of each class, in the pool now
};

}  // namespace trainyard::data
