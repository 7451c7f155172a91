#include "core/data/groups.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <regex>
#include <unordered_map>

#include "core/data/copies.h"
#include "core/data/phash.h"

namespace trainyard::data {

namespace {

constexpr int64_t kTogetherSeconds = 60;

using Groups = std::vector<uint32_t>;

Groups eachAlone(const Dataset& dataset) {
  Groups groups(dataset.size());
  std::iota(groups.begin(), groups.end(), uint32_t{0});
  return groups;
}

// Samples of equal keys together. `keyOf` gives an empty text for one that stands for itself.
template <class KeyOf>
Groups byKey(const Dataset& dataset, const std::vector<uint64_t>& pool, const KeyOf& keyOf) {
  Groups groups = eachAlone(dataset);
  std::unordered_map<std::string, uint32_t> first;
  for (const uint64_t sample : pool) {
    std::string key = keyOf(fs::path(dataset.name(sample)));
    if (!key.empty()) groups[sample] = first.emplace(std::move(key), groups[sample]).first->second;
  }
  return groups;
}

Result<Groups> byPattern(const Dataset& dataset, const std::vector<uint64_t>& pool, const std::string& pattern) {
  if (pattern.empty())
    return fail(ErrorCode::Recipe, "no pattern says which names belong together", "data.group_pattern", "^([^_]+)_ takes what stands before the first _");
  try {
    const std::regex expression(pattern);
    return byKey(dataset, pool, [&](const fs::path& name) {
      std::smatch match;
      const std::string file = name.filename().string();
      if (!std::regex_search(file, match, expression)) return std::string();
      return match.size() > 1 && match[1].matched ? match[1].str() : match[0].str();
    });
  } catch (const std::regex_error& error) {  // the library's only way to refuse a pattern
    return fail(ErrorCode::Recipe, "the pattern \"" + pattern + "\" cannot be used: " + error.what(), "data.group_pattern",
                "it is a regular expression as JavaScript has them: ^([^_]+)_ takes what stands before the first _");
  }
}

Groups byTime(const Dataset& dataset, const std::vector<uint64_t>& pool, const std::vector<Look>& looks) {
  Groups groups = eachAlone(dataset);
  std::vector<std::pair<int64_t, uint64_t>> taken;
  for (const uint64_t sample : pool) {
    if (looks[sample].taken != std::numeric_limits<int64_t>::min()) taken.emplace_back(looks[sample].taken, sample);
  }
  std::sort(taken.begin(), taken.end());
  for (size_t i = 1; i < taken.size(); ++i) {
    if (taken[i].first - taken[i - 1].first <= kTogetherSeconds) groups[taken[i].second] = groups[taken[i - 1].second];
  }
  return groups;
}

// As the scan finds copies and near-duplicates.
Groups bySight(const Dataset& dataset, const std::vector<uint64_t>& pool, const std::vector<Look>& looks) {
  Groups groups = eachAlone(dataset);
  std::map<std::array<uint64_t, 2>, uint32_t> copies;
  std::vector<uint64_t> originals, hashes;
  for (const uint64_t sample : pool) {
    if (looks[sample].verdict != Verdict::Fine) continue;
    const auto [first, fresh] = copies.emplace(looks[sample].content, groups[sample]);
    groups[sample] = first->second;
    if (!fresh) continue;
    originals.push_back(sample);
    hashes.push_back(looks[sample].phash);
  }
  std::unordered_map<uint32_t, uint32_t> chained;
  const auto same = [&](uint64_t a, uint64_t b) { return alike(looks[originals[a]], looks[originals[b]]); };
  for (const auto& near : nearGroups(hashes, kNearBits, same)) {
    for (const uint64_t member : near) chained[groups[originals[member]]] = groups[originals[near.front()]];
  }
  for (const uint64_t sample : pool) {
    if (const auto found = chained.find(groups[sample]); found != chained.end()) groups[sample] = found->second;
  }
  return groups;
}

}  // namespace

Result<std::vector<uint32_t>> groupsOf(const Dataset& dataset, const std::vector<uint64_t>& pool, const recipe::Data& data) {
  if (data.group == "none") return Groups();
  if (dataset.columns() != nullptr) {
    return fail(ErrorCode::Recipe, "the rows of a table have neither files nor pictures to group by", "data.group", "use \"none\"");
  }
  const bool files = std::any_of(pool.begin(), pool.end(), [&](uint64_t sample) { return dataset.stamp(sample).bytes > 0; });
  if (!files && data.group != "similar") {
    return fail(ErrorCode::Recipe, "the pictures are not files of their own, so there is no " + data.group + " to group by", "data.group",
                "use \"none\" or \"similar\"");
  }
  if (data.group == "folder") return byKey(dataset, pool, [](const fs::path& name) { return "/" + name.parent_path().string(); });
  if (data.group == "name") return byPattern(dataset, pool, data.group_pattern);
  TRAINYARD_TRY(const Looks looks, lookAtAll(dataset, data));
  return data.group == "time" ? byTime(dataset, pool, looks.all) : bySight(dataset, pool, looks.all);
}

}  // namespace trainyard::data
