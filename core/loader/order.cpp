#include "core/loader/order.h"

#include <unordered_map>

#include "core/base/random.h"

namespace trainyard::loader {

namespace {

constexpr uint64_t kBalancedDraws = 0x62616c616e6365;

}  // namespace

BalancedOrder::BalancedOrder(const data::Dataset& dataset, std::span<const uint64_t> indices) : by_class_(dataset.classes().size()), count_(indices.size()) {
  for (const uint64_t index : indices) by_class_[static_cast<size_t>(dataset.label(index))].push_back(index);
  std::erase_if(by_class_, [](const std::vector<uint64_t>& samples) { return samples.empty(); });
}

std::vector<Draw> BalancedOrder::draw(uint64_t seed, uint64_t epoch) const {
  Random random({seed, epoch, kBalancedDraws});
  std::unordered_map<uint64_t, uint64_t> seen;
  std::vector<Draw> draws;
  draws.reserve(count_);
  for (uint64_t i = 0; i < count_; ++i) {
    const std::vector<uint64_t>& samples = by_class_[random.below(by_class_.size())];
    const uint64_t sample = samples[random.below(samples.size())];
    draws.push_back({sample, seen[sample]++});
  }
  return draws;
}

}  // namespace trainyard::loader
