#pragma once
// Inside the loader room: in what order an epoch goes through the samples.
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/dataset.h"

namespace trainyard::loader {

struct Draw {
  uint64_t sample = 0;  // index into the dataset
  uint64_t repeat = 0;  // how often the epoch had it before
  bool operator==(const Draw&) const = default;
};

// indices.size() draws with replacement, each class alike however many samples it has, as torch.utils.data.WeightedRandomSampler draws with weights
// 1 / n_c. A function of (seed, epoch, labels). Classes without samples among `indices` are left out.
class BalancedOrder {
 public:
  BalancedOrder(const data::Dataset& dataset, std::span<const uint64_t> indices);
  std::vector<Draw> draw(uint64_t seed, uint64_t epoch) const;

 private:
  std::vector<std::vector<uint64_t>> by_class_;  // none empty
  uint64_t count_ = 0;
};

}  // namespace trainyard::loader
