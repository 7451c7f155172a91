#include "core/data/draw.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/base/random.h"
#include "core/base/units.h"

namespace trainyard::data {

namespace {

// Keeps these draws apart from all others under one seed.
constexpr uint64_t kSplitDraws = 0x73706c6974;

// The same for the same text on every machine (FNV-1a).
uint64_t nameHash(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Drawer::Drawer(const Dataset& dataset, std::vector<uint64_t> pool, const std::vector<uint32_t>& groups, uint64_t seed)
    : dataset_(dataset), seed_(seed), single_(groups.empty()), samples_(std::move(pool)) {
  const size_t classes = dataset.task() == Task::Classes ? dataset.classes().size() : 1;
  whole_.resize(classes);
  groups_left_.resize(classes);
  if (!single_) {
    std::sort(samples_.begin(), samples_.end(), [&](uint64_t a, uint64_t b) { return std::pair(groups[a], a) < std::pair(groups[b], b); });
  }
  for (size_t i = 0; i < samples_.size(); ++i) {
    const uint64_t key = nameHash(dataset.name(samples_[i]));
    if (i == 0 || single_ || groups[samples_[i]] != groups[samples_[i - 1]]) groups_.push_back({key, i, 0});
    groups_.back().key = std::min(groups_.back().key, key);
    ++groups_.back().count;
    ++whole_[classOf(samples_[i])];
  }
  std::vector<Counted> counts;
  for (const Group& group : groups_) {
    countClasses(group, counts);
    for (const auto& [c, count] : counts) ++groups_left_[c];
  }
}

void Drawer::countClasses(const Group& group, std::vector<Counted>& counts) const {
  counts.clear();
  for (size_t i = group.first; i < group.first + group.count; ++i) {
    const size_t c = classOf(samples_[i]);
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const Counted& one) { return one.class_index == c; });
    if (known == counts.end()) {
      counts.push_back({c, 1});
    } else {
      ++known->count;
    }
  }
}

std::vector<int64_t> Drawer::wanted(double share) const {
  std::vector<int64_t> wanted;
  for (const int64_t whole : whole_) wanted.push_back(std::min<int64_t>(std::llround(share * static_cast<double>(whole)), std::max<int64_t>(whole - 1, 0)));
  if (std::accumulate(wanted.begin(), wanted.end(), int64_t{0}) == 0) {
    const auto largest = std::max_element(whole_.begin(), whole_.end());
    if (largest != whole_.end() && *largest > 1) wanted[static_cast<size_t>(largest - whole_.begin())] = 1;
  }
  return wanted;
}

void Drawer::take(Group& group, std::vector<uint64_t>& into) {
  std::vector<Counted> counts;
  countClasses(group, counts);
  for (const auto& [c, count] : counts) --groups_left_[c];
  group.taken = true;
  for (size_t i = group.first; i < group.first + group.count; ++i) into.push_back(samples_[i]);
}

Result<std::vector<uint64_t>> Drawer::draw(double share, Part part, const std::string& key) {
  std::vector<uint64_t> drawn;
  if (share <= 0) return drawn;
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (!groups_[g].taken) order.emplace_back(Random({seed_, kSplitDraws, static_cast<uint64_t>(part), groups_[g].key}).next(), g);
  }
  std::sort(order.begin(), order.end());
  std::vector<int64_t> missing = wanted(share);
  std::vector<Counted> counts;
  size_t nearest = groups_.size();  // the group that overshoots least, should none fit
  int64_t least = INT64_MAX;
  for (const auto& [rank, g] : order) {
    countClasses(groups_[g], counts);
    int64_t change = 0;  // of the distance from what is wanted
    bool last = false;
    for (const auto& [c, count] : counts) {
      change += std::abs(missing[c] - count) - std::abs(missing[c]);
      last |= groups_left_[c] < 2;
    }
    if (last) continue;
    if (change >= 0) {
      if (change < least) nearest = g;
      least = std::min(least, change);
      continue;
    }
    for (const auto& [c, count] : counts) missing[c] -= count;
    take(groups_[g], drawn);
  }
  if (drawn.empty()) {
    if (nearest == groups_.size()) return tl::unexpected(nothing(key));
    take(groups_[nearest], drawn);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

Error Drawer::nothing(const std::string& key) const {
  const auto classes = static_cast<size_t>(std::count_if(whole_.begin(), whole_.end(), [](int64_t count) { return count > 0; }));
  const std::string in = dataset_.task() == Task::Classes ? " in " + formatCount(classes) + (classes == 1 ? " class" : " classes") : "";
  if (single_) {
    return {ErrorCode::Data, "there are too few samples to hold some out: " + formatCount(samples_.size()) + in, key,
            "add samples, or give a folder of its own"};
  }
  return {ErrorCode::Data,
          "no group can be held out: " + formatCount(groups_.size()) + (groups_.size() == 1 ? " group" : " groups") + in + ", and no class can spare one", key,
          "group by something finer in data.group, or give a folder of its own"};
}

std::vector<uint64_t> Drawer::removeGroupsOf(const std::vector<uint64_t>& taken) {
  const std::unordered_set<uint64_t> named(taken.begin(), taken.end());
  std::vector<uint64_t> removed;
  for (Group& group : groups_) {
    const auto begin = samples_.begin() + static_cast<std::ptrdiff_t>(group.first);
    if (group.taken || std::none_of(begin, begin + static_cast<std::ptrdiff_t>(group.count), [&](uint64_t sample) { return named.contains(sample); })) continue;
    take(group, removed);
  }
  removed.erase(std::remove_if(removed.begin(), removed.end(), [&](uint64_t sample) { return named.contains(sample); }), removed.end());
  std::sort(removed.begin(), removed.end());
  return removed;
}

std::vector<uint64_t> Drawer::rest() const {
  std::vector<uint64_t> rest;
  for (const Group& group : groups_) {
    if (group.taken) continue;
    for (size_t i = group.first; i < group.first + group.count; ++i) rest.push_back(samples_[i]);
  }
  std::sort(rest.begin(), rest.end());
  return rest;
}

}  // namespace trainyard::data
