#include "core/parallel/shard_layout.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

namespace trainyard::parallel {

namespace {

constexpr int64_t kAlignment = 16;  // values: 64 bytes of fp32, what kernels over whole cache lines and vectors like

int64_t aligned(int64_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }

std::set<std::string> tiedNames(const models::Model& model) {
  std::set<std::string> names;
  for (const auto& group : model.ties()) names.insert(group.begin(), group.end());
  return names;
}

int64_t place(Unit& unit, int64_t end, size_t parameter, int64_t count) {
  unit.places.push_back({parameter, end});
  return end + aligned(count);
}

}  // namespace

Users usersOf(const models::Model& model) {
  std::map<std::string, size_t> block_of;
  const auto blocks = model.blocks();
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (const auto& name : blocks[i].parameters) block_of.emplace(name, i);
  }
  const std::set<std::string> tied = tiedNames(model);
  Users users;
  for (const auto& [name, tensor] : model.parameters()) {
    users.first.push_back(block_of.at(name));
    users.last.push_back(tied.contains(name) ? blocks.size() - 1 : users.first.back());
  }
  return users;
}

std::vector<int> ownersOf(std::span<const int64_t> counts, int ranks) {
  std::vector<size_t> order(counts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&counts](size_t a, size_t b) { return counts[a] > counts[b]; });
  std::vector<int64_t> loads(static_cast<size_t>(ranks), 0);
  std::vector<int> owners(counts.size(), 0);
  for (const size_t parameter : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    owners[parameter] = static_cast<int>(least - loads.begin());
    *least += counts[parameter];
  }
  return owners;
}

std::vector<Bucket> bucketsOf(std::span<const int64_t> counts, std::span<const int> owners, std::span<const size_t> blocks, int ranks, int64_t largest) {
  std::vector<size_t> order(counts.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&blocks](size_t a, size_t b) { return blocks[a] > blocks[b]; });
  std::vector<Bucket> buckets;
  std::vector<std::deque<size_t>> waiting(static_cast<size_t>(ranks));
  size_t left = 0;
  for (const size_t parameter : order) {
    if (counts[parameter] > largest) {
      buckets.push_back({{{parameter, owners[parameter], 0}}, counts[parameter], blocks[parameter], true});
    } else {
      waiting[static_cast<size_t>(owners[parameter])].push_back(parameter);
      ++left;
    }
  }
  while (left > 0) {
    int64_t room = aligned((largest + ranks - 1) / ranks);
    for (const auto& queue : waiting) room = std::max(room, queue.empty() ? 0 : aligned(counts[queue.front()]));
    Bucket bucket;
    bucket.block = SIZE_MAX;
    for (size_t owner = 0; owner < waiting.size(); ++owner) {
      int64_t begin = 0;
      for (auto& queue = waiting[owner]; !queue.empty() && begin + aligned(counts[queue.front()]) <= room; queue.pop_front(), --left) {
        bucket.members.push_back({queue.front(), static_cast<int>(owner), begin});
        bucket.block = std::min(bucket.block, blocks[queue.front()]);
        begin += aligned(counts[queue.front()]);
      }
      bucket.segment = std::max(bucket.segment, begin);
    }
    buckets.push_back(std::move(bucket));
  }
  std::stable_sort(buckets.begin(), buckets.end(), [](const Bucket& a, const Bucket& b) { return a.block > b.block; });
  return buckets;
}

bool Units::needs(size_t block, size_t unit) const {
  return block < of_block.size() && std::find(of_block[block].begin(), of_block[block].end(), unit) != of_block[block].end();
}

Units unitsOf(const models::Model& model, int ranks, int64_t join_below) {
  const Users users = usersOf(model);
  const auto parameters = model.parameters();
  Units units;
  units.of_block.resize(model.blocks().size());
  std::vector<int64_t> ends;
  const auto open = [&] {
    units.units.emplace_back();
    ends.push_back(0);
  };
  size_t last_block = 0;  // that the open unit serves
  bool joinable = false;
  for (size_t block = 0; block < units.of_block.size(); ++block) {
    bool any = false;
    for (size_t i = 0; i < parameters.size(); ++i) any = any || (users.first[i] == block && !users.tied(i));
    if (!any) continue;
    if (!joinable || ends.back() >= join_below)
      open();
    else
      for (size_t between = last_block + 1; between < block; ++between) units.of_block[between].push_back(units.units.size() - 1);
    joinable = true;
    last_block = block;
    units.of_block[block].push_back(units.units.size() - 1);
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (users.first[i] == block && !users.tied(i)) ends.back() = place(units.units.back(), ends.back(), i, parameters[i].tensor.numel());
    }
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!users.tied(i)) continue;
    open();
    units.of_block[users.first[i]].push_back(units.units.size() - 1);
    units.of_block[users.last[i]].push_back(units.units.size() - 1);
    ends.back() = place(units.units.back(), 0, i, parameters[i].tensor.numel());
  }
  for (size_t unit = 0; unit < units.units.size(); ++unit) units.units[unit].slice = aligned((ends[unit] + ranks - 1) / ranks);
  return units;
}

}  // namespace trainyard::parallel
