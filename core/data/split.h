#pragma once
// Which samples train, which validate and which are set aside for the end; and in what order an epoch goes through them.
#include <cstdint>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::data {

struct Split {
  std::vector<uint64_t> train, validation, test;  // indices into the dataset, ascending
};

// recipe validation: "auto" takes the data's own validation part, else a share of 0.1; a share is drawn seeded and stratified (each class
// gives its share, rounded, and at least one sample stays in training; other targets give a share of all); a path is handled by openWithSplit.
// What the data itself says is its test part is never trained on. Error Recipe or Data.
Result<Split> split(const Dataset& dataset, const Json& validation, uint64_t seed);

// A dataset ready for training: where validation or test is a path, those samples are joined behind the training ones, by class name.
struct Opened {
  std::shared_ptr<const Dataset> dataset;
  Split parts;
};

// The test part is drawn first, then validation from what is left; shares are of all samples that are not in a part of their own. Groups (data.group)
// are drawn whole: a class misses its share by at most about half a group, and a class of a single group stays in training. `set_aside`: the names
// of the test part where it is settled already (test_part.h); those no longer there are dropped, and samples that share a group with one of them are
// in no part. Parts are a function of (seed, the samples' names), whatever their order. Error Recipe or Data.
Result<Opened> openWithSplit(const recipe::Data& data, uint64_t seed, const std::vector<std::string>* set_aside = nullptr);

// The order of an epoch: a permutation of 0 … count-1, a function of (seed, epoch) alone. O(count).
std::vector<uint64_t> epochOrder(uint64_t count, uint64_t seed, uint64_t epoch);

// Samples per class of some indices; a sample of several labels counts to each; empty where numbers are predicted.
std::vector<uint64_t> classCounts(const Dataset& dataset, const std::vector<uint64_t>& indices);

}  // namespace trainyard::data
