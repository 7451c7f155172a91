#pragma once
// Which samples train and which validate; and in what order an epoch goes through them.
#include <cstdint>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

struct Split {
  std::vector<uint64_t> train, validation, test;  // indices into the dataset, ascending
};

// recipe validation: "auto" takes the data's own validation part, else a share of 0.1; a share is drawn seeded and stratified (each class
// gives its share, rounded, and at least one sample stays in training); a path is handled by openWithSplit. Error Recipe or Data.
Result<Split> split(const Dataset& dataset, const Json& validation, uint64_t seed);

// A dataset ready for training: where validation is a path, its samples are joined behind the training ones, by class name.
struct Opened {
  std::shared_ptr<const Dataset> dataset;
  Split parts;
};
Result<Opened> openWithSplit(const recipe::Data& data, uint64_t seed);

// The order of an epoch: a permutation of 0 … count-1, a function of (seed, epoch) alone. O(count).
std::vector<uint64_t> epochOrder(uint64_t count, uint64_t seed, uint64_t epoch);

// Samples per class of some indices.
std::vector<uint64_t> classCounts(const Dataset& dataset, const std::vector<uint64_t>& indices);

}  // namespace trainyard::data
