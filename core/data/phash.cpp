#include "core/data/phash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <opencv2/imgproc.hpp>

#include "core/data/thumbnail.h"

namespace trainyard::data {

namespace {

static_assert(kThumbnailEdge > 11);
constexpr int kFrequencies = 11;  // the first 64 of a triangle of 11 + 10 + … of them, without the constant
constexpr int kBits = 64;
constexpr float kLeastContrast = 1.5F;  // mean square of the difference from the mean, in grey levels

using Grid = std::array<float, kThumbnailEdge * kThumbnailEdge>;

// cosines[u][x] of the cosine transform, scaled so that every frequency weighs the same.
const auto& cosines() {
  static const auto kTable = [] {
    std::array<std::array<float, kThumbnailEdge>, kFrequencies> table{};
    for (int u = 0; u < kFrequencies; ++u) {
      for (int x = 0; x < kThumbnailEdge; ++x) {
        const double scale = std::sqrt((u == 0 ? 1.0 : 2.0) / kThumbnailEdge);
        table[u][x] = static_cast<float>(scale * std::cos(std::numbers::pi * u * (2 * x + 1) / (2 * kThumbnailEdge)));
      }
    }
    return table;
  }();
  return kTable;
}

// The lowest frequencies of both directions together, lowest first.
inline __attribute__((always_inline)) std::array<float, kBits> lowestOf(const Grid& grid) {
  const auto& cosine = cosines();
  std::array<std::array<float, kThumbnailEdge>, kFrequencies> down{};  // transformed along columns: [v][x]
  for (int v = 0; v < kFrequencies; ++v) {
    for (int y = 0; y < kThumbnailEdge; ++y) {
      for (int x = 0; x < kThumbnailEdge; ++x) down[v][x] += cosine[v][y] * grid[y * kThumbnailEdge + x];
    }
  }
  std::array<float, kBits> values{};
  int count = 0;
  for (int sum = 1; count < kBits; ++sum) {
    for (int v = 0; v <= sum && count < kBits; ++v) {
      for (int x = 0; x < kThumbnailEdge; ++x) values[count] += cosine[sum - v][x] * down[v][x];
      ++count;
    }
  }
  return values;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) std::array<float, kBits> quickLowest(const Grid& grid) { return lowestOf(grid); }
#endif

std::array<float, kBits> lowest(const Grid& grid) {
#ifdef __x86_64__
  static const bool kQuick = __builtin_cpu_supports("avx2") != 0;
  if (kQuick) return quickLowest(grid);
#endif
  return lowestOf(grid);
}

class Chains {
 public:
  explicit Chains(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), uint64_t{0}); }
  uint64_t root(uint64_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  // The lower index leads, so that groups do not depend on the order of comparisons.
  void join(uint64_t a, uint64_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint64_t> parent_;
};

class Grouping {
 public:
  Grouping(std::span<const uint64_t> hashes, int distance, const std::function<bool(uint64_t, uint64_t)>& same)
      : hashes_(hashes), distance_(distance), same_(same), chains_(hashes.size()) {
    joinEqual();
    // Two hashes that differ in d bits agree in at least one of d + 1 bands.
    for (int band = 0; band <= distance_; ++band) joinBand(kBits * band / (distance_ + 1), kBits * (band + 1) / (distance_ + 1));
  }

  std::vector<std::vector<uint64_t>> groups() {
    std::vector<std::vector<uint64_t>> by_root(hashes_.size()), groups;
    for (uint64_t i = 0; i < hashes_.size(); ++i) by_root[chains_.root(i)].push_back(i);
    for (auto& group : by_root) {
      if (group.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
  }

 private:
  bool same(uint64_t a, uint64_t b) const { return !same_ || same_(a, b); }

  // Equal hashes are compared with the leaders among them only; leaders_ are what remains to be compared by bands.
  void joinEqual() {
    std::vector<uint64_t> order;
    for (uint64_t i = 0; i < hashes_.size(); ++i) {
      if (hashes_[i] != kNothingToSee) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return hashes_[a] < hashes_[b]; });
    size_t first = 0;  // of the leaders with this hash
    for (const uint64_t i : order) {
      if (first < leaders_.size() && hashes_[leaders_[first]] != hashes_[i]) first = leaders_.size();
      const auto leader = std::find_if(leaders_.begin() + static_cast<std::ptrdiff_t>(first), leaders_.end(), [&](uint64_t other) { return same(other, i); });
      if (leader == leaders_.end())
        leaders_.push_back(i);
      else
        chains_.join(*leader, i);
    }
  }

  void joinBand(int from, int to) {
    const auto key = [&](uint64_t i) { return hashes_[i] << (kBits - to) >> (kBits - to + from); };
    std::vector<uint64_t> order = leaders_;
    std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return key(a) < key(b); });
    for (size_t first = 0, last = 0; first < order.size(); first = last) {
      while (last < order.size() && key(order[last]) == key(order[first])) ++last;
      for (size_t i = first; i < last; ++i) {
        for (size_t j = i + 1; j < last; ++j) joinIfNear(order[i], order[j]);
      }
    }
  }

  void joinIfNear(uint64_t a, uint64_t b) {
    if (std::popcount(hashes_[a] ^ hashes_[b]) <= distance_ && chains_.root(a) != chains_.root(b) && same(a, b)) chains_.join(a, b);
  }

  std::span<const uint64_t> hashes_;
  int distance_;
  const std::function<bool(uint64_t, uint64_t)>& same_;
  Chains chains_;
  std::vector<uint64_t> leaders_;
};

}  // namespace

uint64_t perceptualHash(const cv::Mat& picture) {
  const cv::Mat small = greyThumbnail(picture);
  Grid grid{};
  double sum = 0, squares = 0;
  for (int y = 0; y < kThumbnailEdge; ++y) {
    for (int x = 0; x < kThumbnailEdge; ++x) {
      const float level = small.at<uchar>(y, x);
      grid[static_cast<size_t>(y) * kThumbnailEdge + x] = level;
      sum += level;
      squares += level * level;
    }
  }
  const double mean = sum / static_cast<double>(grid.size());
  if (squares / static_cast<double>(grid.size()) - mean * mean < kLeastContrast * kLeastContrast) return kNothingToSee;
  const std::array<float, kBits> values = lowest(grid);
  std::array<float, kBits> sorted = values;
  std::nth_element(sorted.begin(), sorted.begin() + kBits / 2, sorted.end());
  const float median = sorted[kBits / 2];
  uint64_t hash = 0;
  for (int bit = 0; bit < kBits; ++bit) hash |= static_cast<uint64_t>(values[bit] >= median) << bit;
  return hash;
}

std::vector<std::vector<uint64_t>> nearGroups(std::span<const uint64_t> hashes, int max_distance, const std::function<bool(uint64_t, uint64_t)>& same) {
  return Grouping(hashes, max_distance, same).groups();
}

}  // namespace trainyard::data
