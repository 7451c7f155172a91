#include "core/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/base/units.h"
#include "core/data/joined.h"

namespace trainyard::data {

namespace {

// Keeps the draws of split and order apart from each other under one seed.
constexpr uint64_t kSplitDraws = 0x73706c6974, kOrderDraws = 0x6f72646572;
constexpr double kAutomaticShare = 0.1;

void shuffle(std::vector<uint64_t>& values, Random& random) {
  for (uint64_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

Result<Split> drawShare(const Dataset& dataset, const std::vector<uint64_t>& pool, double share, uint64_t seed) {
  std::vector<std::vector<uint64_t>> by_class(dataset.classes().size());
  for (const uint64_t index : pool) by_class[static_cast<size_t>(dataset.label(index))].push_back(index);
  std::vector<uint64_t> counts;
  for (const auto& members : by_class) {
    const auto rounded = static_cast<uint64_t>(std::llround(share * static_cast<double>(members.size())));
    counts.push_back(members.empty() ? 0 : std::min<uint64_t>(rounded, members.size() - 1));
  }
  if (share > 0 && std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == 0) {
    const auto largest = std::max_element(by_class.begin(), by_class.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (largest == by_class.end() || largest->size() < 2) {
      return fail(ErrorCode::Data,
                  "there are too few pictures to hold some out: " + formatCount(pool.size()) + " in " + formatCount(by_class.size()) + " classes",
                  "data.validation", "add pictures, or give a folder of its own for validation");
    }
    counts[static_cast<size_t>(largest - by_class.begin())] = 1;
  }
  Split split;
  for (size_t c = 0; c < by_class.size(); ++c) {
    Random random({seed, kSplitDraws, c});
    shuffle(by_class[c], random);
    const auto cut = by_class[c].begin() + static_cast<std::ptrdiff_t>(counts[c]);
    split.validation.insert(split.validation.end(), by_class[c].begin(), cut);
    split.train.insert(split.train.end(), cut, by_class[c].end());
  }
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

}  // namespace

Result<Split> split(const Dataset& dataset, const Json& validation, uint64_t seed) {
  Split own;
  for (uint64_t i = 0; i < dataset.size(); ++i) (dataset.part(i) == Part::Validation ? own.validation : own.train).push_back(i);
  if (own.train.empty()) return fail(ErrorCode::Data, "all pictures are for validation, none for training", "data.path", "add the training files");
  if (validation.is_number()) {
    const double share = validation.get<double>();
    if (!(share >= 0 && share <= 0.9)) {
      return fail(ErrorCode::Recipe, "validation is " + validation.dump() + "; a share goes from 0 to 0.9", "data.validation", "0.1 holds a tenth out");
    }
    return drawShare(dataset, own.train, share, seed);
  }
  if (validation == "auto") return own.validation.empty() ? drawShare(dataset, own.train, kAutomaticShare, seed) : Result<Split>(std::move(own));
  return fail(ErrorCode::Recipe, "validation is " + validation.dump(), "data.validation", "give \"auto\", a share from 0 to 0.9, or a folder");
}

Result<Opened> openWithSplit(const recipe::Data& data, uint64_t seed) {
  TRAINYARD_TRY(std::shared_ptr<const Dataset> train, open(data));
  if (!data.validation.is_string() || data.validation == "auto") {
    TRAINYARD_TRY(Split parts, split(*train, data.validation, seed));
    return Opened{std::move(train), std::move(parts)};
  }
  recipe::Data apart = data;
  apart.path = expandUser(data.validation.get<std::string>());
  TRAINYARD_TRY(std::shared_ptr<const Dataset> held_out, open(apart));
  return join(std::move(train), std::move(held_out), displayPath(apart.path));
}

std::vector<uint64_t> epochOrder(uint64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), uint64_t{0});
  Random random({seed, kOrderDraws, epoch});
  shuffle(order, random);
  return order;
}

std::vector<uint64_t> classCounts(const Dataset& dataset, const std::vector<uint64_t>& indices) {
  std::vector<uint64_t> counts(dataset.classes().size());
  for (const uint64_t index : indices) ++counts[static_cast<size_t>(dataset.label(index))];
  return counts;
}

}  // namespace trainyard::data
