#include "core/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/base/random.h"
#include "core/data/draw.h"
#include "core/data/formats.h"
#include "core/data/groups.h"
#include "core/data/joined.h"

namespace trainyard::data {

namespace {

constexpr uint64_t kOrderDraws = 0x6f72646572;
constexpr double kAutomaticShare = 0.1, kLargestShare = 0.9;

// A part as the recipe asks for it.
struct Ask {
  enum class How { None, Share, Own } how = How::None;  // Own: the samples that say they belong to it
  double share = 0;
};

Result<Ask> askFor(const char* key, const Json& value, bool has_own) {
  const std::string where = std::string("data.") + key;
  if (value.is_number()) {
    const double share = value.get<double>();
    if (!(share >= 0 && share <= kLargestShare)) {
      return fail(ErrorCode::Recipe, std::string(key) + " is " + value.dump() + "; a share goes from 0 to 0.9", where, "0.1 holds a tenth out");
    }
    return Ask{Ask::How::Share, share};
  }
  if (has_own && (value.is_null() || value == "auto")) return Ask{Ask::How::Own, 0};
  if (value.is_null()) return Ask{};
  if (value == "auto") return Ask{Ask::How::Share, kAutomaticShare};
  return fail(ErrorCode::Recipe, std::string(key) + " is " + value.dump(), where, "give \"auto\", a share from 0 to 0.9, or a folder");
}

struct Pools {
  std::vector<uint64_t> train, validation, test;  // as the samples say themselves
};

// Samples from `joined` on are those of paths; before it, the data's own.
Pools poolsOf(const Dataset& dataset, uint64_t joined) {
  Pools pools;
  bool validation_joined = false, test_joined = false;
  for (uint64_t i = joined; i < dataset.size(); ++i) {
    validation_joined |= dataset.part(i) == Part::Validation;
    test_joined |= dataset.part(i) == Part::Test;
  }
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    const Part part = dataset.part(i);
    if (part == Part::Validation) {
      if (i >= joined || !validation_joined) pools.validation.push_back(i);
    } else if (part == Part::Test) {
      if (i >= joined || !test_joined) pools.test.push_back(i);
    } else {
      pools.train.push_back(i);
    }
  }
  return pools;
}

std::vector<uint64_t> indicesOf(const Dataset& dataset, const std::vector<uint64_t>& pool, const std::vector<std::string>& names) {
  const std::unordered_set<std::string> wanted(names.begin(), names.end());
  std::vector<uint64_t> indices;
  std::copy_if(pool.begin(), pool.end(), std::back_inserter(indices), [&](uint64_t i) { return wanted.contains(dataset.name(i)); });
  return indices;
}

// A text is cut, not drawn: its end is the test part, what comes before that is for validation. Parts then border on each other at two places only.
// parts.test: settled samples, which are in no other part.
Result<void> cutText(std::vector<uint64_t> pool, const recipe::Data& data, double test, double validation, Split& parts) {
  if (data.group != "none") {
    return fail(ErrorCode::Recipe, "data.group = \"" + data.group + "\", but a text is cut where its end begins, and never in groups", "data.group",
                "leave it out; to hold whole files out, give their folder as data.validation");
  }
  const auto whole = static_cast<double>(pool.size());
  std::erase_if(pool, [&](uint64_t sample) { return std::binary_search(parts.test.begin(), parts.test.end(), sample); });
  const auto cut = [&](double share, std::vector<uint64_t>& part) {
    if (share <= 0) return true;
    const auto count = static_cast<size_t>(std::max<long long>(std::llround(share * whole), 1));
    if (count >= pool.size()) return false;
    part.assign(pool.end() - static_cast<std::ptrdiff_t>(count), pool.end());
    pool.resize(pool.size() - count);
    return true;
  };
  if (!cut(test, parts.test) || !cut(validation, parts.validation)) {
    return fail(ErrorCode::Data, "there are too few windows to hold some out: " + std::to_string(static_cast<uint64_t>(whole)), "data.validation",
                "add text, use a smaller data.context, or give a file of its own");
  }
  parts.train = std::move(pool);
  return {};
}

Result<Split> divide(const Dataset& dataset, const recipe::Data& data, uint64_t seed, uint64_t joined, const std::vector<std::string>* set_aside) {
  Pools pools = poolsOf(dataset, joined);
  if (pools.train.empty()) return fail(ErrorCode::Data, "all samples are for validation or testing, none for training", "data.path", "add the training files");
  TRAINYARD_TRY(const Ask validation, askFor("validation", data.validation, !pools.validation.empty()));
  TRAINYARD_TRY(const Ask test, askFor("test", data.test, !pools.test.empty()));
  if (validation.share + test.share >= 1) {
    return fail(ErrorCode::Recipe,
                "validation and test together take " + Json(validation.share + test.share).dump() + " of the samples, which leaves none for training",
                "data.test", "their sum must be below 1");
  }
  Split parts;
  if (validation.how == Ask::How::Own) parts.validation = std::move(pools.validation);
  if (test.how == Ask::How::Own) parts.test = std::move(pools.test);
  if (validation.how != Ask::How::Share && test.how != Ask::How::Share) {
    parts.train = std::move(pools.train);
    return parts;
  }
  if (dataset.task() == Task::Tokens) {
    const bool settled = test.how == Ask::How::Share && set_aside != nullptr;
    if (settled) parts.test = indicesOf(dataset, pools.train, *set_aside);
    TRAINYARD_CHECK(cutText(std::move(pools.train), data, settled ? 0 : test.share, validation.share, parts));
    return parts;
  }
  TRAINYARD_TRY(const auto groups, groupsOf(dataset, pools.train, data));
  Drawer drawer(dataset, pools.train, groups, seed);
  if (test.how == Ask::How::Share && set_aside != nullptr) {
    parts.test = indicesOf(dataset, pools.train, *set_aside);
    drawer.removeGroupsOf(parts.test);
  } else if (test.how == Ask::How::Share) {
    TRAINYARD_TRY(parts.test, drawer.draw(test.share, Part::Test, "data.test"));
  }
  if (validation.how == Ask::How::Share) {
    TRAINYARD_TRY(parts.validation, drawer.draw(validation.share, Part::Validation, "data.validation"));
  }
  parts.train = drawer.rest();
  if (parts.train.empty()) return fail(ErrorCode::Data, "nothing is left for training besides the test part", "data.test", "add samples");
  return parts;
}

bool isPath(const Json& value) { return value.is_string() && value != "auto"; }

Result<std::shared_ptr<const Dataset>> joinedWith(std::shared_ptr<const Dataset> dataset, const recipe::Data& data, const Json& path, Part part) {
  recipe::Data apart = data;
  apart.path = expandUser(path.get<std::string>());
  TRAINYARD_TRY(std::shared_ptr<const Dataset> held_out, openLike(*dataset, apart));
  return join(std::move(dataset), std::move(held_out), part, displayPath(apart.path));
}

}  // namespace

Result<Split> split(const Dataset& dataset, const Json& validation, uint64_t seed) {
  recipe::Data data;
  data.validation = validation;
  return divide(dataset, data, seed, dataset.size(), nullptr);
}

Result<Opened> openWithSplit(const recipe::Data& data, uint64_t seed, const std::vector<std::string>* set_aside) {
  TRAINYARD_TRY(std::shared_ptr<const Dataset> dataset, open(data));
  const uint64_t joined = dataset->size();
  recipe::Data ask = data;
  if (isPath(data.validation)) {
    TRAINYARD_TRY(dataset, joinedWith(std::move(dataset), data, data.validation, Part::Validation));
    ask.validation = "auto";
  }
  if (isPath(data.test)) {
    TRAINYARD_TRY(dataset, joinedWith(std::move(dataset), data, data.test, Part::Test));
    ask.test = nullptr;
  }
  TRAINYARD_TRY(Split parts, divide(*dataset, ask, seed, joined, set_aside));
  return Opened{std::move(dataset), std::move(parts)};
}

std::vector<uint64_t> epochOrder(uint64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), uint64_t{0});
  Random random({seed, kOrderDraws, epoch});
  for (uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

std::vector<uint64_t> classCounts(const Dataset& dataset, const std::vector<uint64_t>& indices) {
  if (dataset.task() == Task::Numbers || dataset.task() == Task::Tokens) return {};
  std::vector<uint64_t> counts(dataset.classes().size());
  std::vector<float> target(dataset.task() == Task::Labels ? counts.size() : 0);
  for (const uint64_t index : indices) {
    if (dataset.task() == Task::Classes) {
      ++counts[static_cast<size_t>(dataset.label(index))];
      continue;
    }
    dataset.target(index, target);
    for (size_t c = 0; c < counts.size(); ++c) counts[c] += target[c] > 0;
  }
  return counts;
}

}  // namespace trainyard::data
