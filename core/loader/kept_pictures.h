#pragma once
// Datasets that fit in memory are decoded once: a dataset that keeps the pixels of the pictures it has decoded.
#include <memory>
#include <span>

#include "core/augment/chain.h"
#include "core/data/dataset.h"

namespace trainyard::loader {

// What keeping would take.
struct Keeping {
  bool worth = false;
  uint64_t bytes = 0;   // estimated from some pictures' headers: pixels of all `used` samples
  uint64_t budget = 0;  // no more is ever kept
};

// recipe data.cache: "off": never. "on": always, without limit. "auto": when the pixels fit into a quarter of `available_bytes`, and most
// pictures are not so large beside the `target` that their decoder reduces them anyway. Never for data in memory and tables.
Keeping keeping(const data::Dataset& dataset, std::span<const uint64_t> used, const recipe::Data& data, augment::Shape target, uint64_t available_bytes);

// The dataset itself where keeping is not worth it; else one that decodes a picture when it is first asked for. Any thread. What training gets
// does not depend on it: parts that the dataset's own decoder would reduce still come from there.
std::shared_ptr<const data::Dataset> withKeptPictures(std::shared_ptr<const data::Dataset> dataset, const Keeping& keeping);

}  // namespace trainyard::loader
