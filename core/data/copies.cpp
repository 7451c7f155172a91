#include "core/data/copies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/units.h"
#include "core/data/phash.h"

namespace trainyard::data {

namespace {

using Group = std::vector<uint64_t>;  // samples, ascending

enum Where : uint8_t { kNowhere = 0, kTrain = 1, kValidation = 2, kTest = 4 };

std::vector<uint8_t> wheres(uint64_t count, const Split& parts) {
  std::vector<uint8_t> where(count, kNowhere);
  for (const uint64_t i : parts.train) where[i] = kTrain;
  for (const uint64_t i : parts.validation) where[i] = kValidation;
  for (const uint64_t i : parts.test) where[i] = kTest;
  return where;
}

// Every readable sample is in exactly one group; most have one member.
std::vector<Group> groupsByContent(const std::vector<Look>& looks) {
  Group order;
  for (uint64_t i = 0; i < looks.size(); ++i) {
    if (looks[i].verdict == Verdict::Fine) order.push_back(i);
  }
  // The size in pixels is part of what in-memory pictures are.
  const auto key = [&](uint64_t i) { return std::tie(looks[i].content, looks[i].width, looks[i].height); };
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  std::vector<Group> groups;
  for (const uint64_t i : order) {
    if (groups.empty() || key(groups.back()[0]) != key(i)) groups.emplace_back();
    groups.back().push_back(i);
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

}  // namespace

bool alike(const Look& a, const Look& b) {
  constexpr double kShape = 1.2, kCorrelation = 0.98;
  constexpr uint32_t kLeast = 16;  // pixels of the shorter side: smaller pictures hold too little to tell likeness from chance
  if (std::min({a.width, a.height, b.width, b.height}) < kLeast) return false;
  const double shape = static_cast<double>(a.width) * b.height / (static_cast<double>(a.height) * b.width);
  if (shape > kShape || shape < 1 / kShape) return false;
  int sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, products = 0;
  for (size_t i = 0; i < a.thumbnail.size(); ++i) {
    const int x = a.thumbnail[i], y = b.thumbnail[i];
    sum_a += x;
    sum_b += y;
    squares_a += x * x;
    squares_b += y * y;
    products += x * y;
  }
  const auto count = static_cast<double>(a.thumbnail.size());
  const double spread_a = squares_a - sum_a * (sum_a / count), spread_b = squares_b - sum_b * (sum_b / count);
  return products - sum_a * (sum_b / count) >= kCorrelation * std::sqrt(spread_a * spread_b);
}

namespace {

class Copies {
 public:
  Copies(const Dataset& dataset, const Split& parts, const std::vector<Look>& looks)
      : dataset_(dataset), looks_(looks), where_(wheres(looks.size(), parts)), groups_(groupsByContent(looks)) {}

  void exact() {
    for (const Group& group : groups_) {
      if (group.size() < 2) continue;
      const bool leaks = straddles(group), conflicts = labelsDiffer(group);
      if (leaks)
        add(Severity::Bad, "leak", group, "the same picture is in " + partsOf(group) + ": results on held-out pictures would look better than they are");
      if (conflicts) add(Severity::Caution, "conflicting_labels", group, "the same picture is in different classes: " + classesOf(group));
      if (!leaks && !conflicts) add(Severity::Caution, "duplicate", group, formatCount(group.size()) + " copies of one picture");
    }
  }

  void near() {
    std::vector<uint64_t> hashes;
    hashes.reserve(groups_.size());
    for (const Group& group : groups_) hashes.push_back(looks_[group[0]].phash);
    const auto same = [&](uint64_t a, uint64_t b) { return alike(looks_[groups_[a][0]], looks_[groups_[b][0]]); };
    for (const auto& chained : nearGroups(hashes, kNearBits, same)) {
      Group all;
      for (const uint64_t at : chained) all.insert(all.end(), groups_[at].begin(), groups_[at].end());
      std::sort(all.begin(), all.end());
      if (straddles(all)) {
        add(Severity::Caution, "near_leak", all, "pictures that look the same are in " + partsOf(all) + "; data.group = \"similar\" keeps them together");
      } else {
        add(Severity::Caution, "near_duplicate", all, formatCount(all.size()) + " pictures look the same");
      }
    }
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  uint8_t unionOf(const Group& group) const {
    return std::accumulate(group.begin(), group.end(), uint8_t{kNowhere}, [&](uint8_t all, uint64_t i) { return static_cast<uint8_t>(all | where_[i]); });
  }
  bool straddles(const Group& group) const {
    const uint8_t all = unionOf(group);
    return (all & (all - 1)) != 0;
  }
  std::string partsOf(const Group& group) const {
    const uint8_t all = unionOf(group);
    std::vector<std::string> names;
    if (all & kTrain) names.emplace_back("training");
    if (all & kValidation) names.emplace_back("validation");
    if (all & kTest) names.emplace_back("the test part");
    return names.size() == 3 ? names[0] + ", " + names[1] + " and " + names[2] : names[0] + " and " + names[1];
  }
  bool labelsDiffer(const Group& group) const {
    if (dataset_.task() != Task::Classes) return false;
    return std::any_of(group.begin(), group.end(), [&](uint64_t i) { return dataset_.label(i) != dataset_.label(group[0]); });
  }
  std::string classesOf(const Group& group) const {
    std::vector<int> labels;
    for (const uint64_t i : group) labels.push_back(dataset_.label(i));
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    std::string text;
    for (const int label : labels) text += (text.empty() ? "" : ", ") + dataset_.classes()[static_cast<size_t>(label)];
    return text;
  }
  // The first in training leads: it is the one to keep.
  void add(Severity severity, const char* code, Group group, std::string text) {
    std::stable_sort(group.begin(), group.end(), [&](uint64_t a, uint64_t b) { return (where_[a] == kTrain) > (where_[b] == kTrain); });
    Finding finding{severity, code, dataset_.name(group[0]), std::move(text), {}, static_cast<int64_t>(group[0])};
    for (size_t i = 1; i < group.size(); ++i) finding.files.push_back(dataset_.name(group[i]));
    findings_.push_back(std::move(finding));
  }

  const Dataset& dataset_;
  const std::vector<Look>& looks_;
  std::vector<uint8_t> where_;
  std::vector<Group> groups_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findCopies(const Dataset& dataset, const Split& parts, const std::vector<Look>& looks) {
  Copies copies(dataset, parts, looks);
  copies.exact();
  copies.near();
  return copies.take();
}

}  // namespace trainyard::data
