#include "core/data/pixel_sums.h"

#include <algorithm>

namespace trainyard::data {

namespace {

constexpr int kLanes = 48;             // a whole number of pixels, and of the processor's vectors
constexpr int kMostAdditions = 60000;  // so that the squares of a lane stay within 32 bits

struct Lanes {
  alignas(32) std::array<uint32_t, kLanes> sums{}, squares{};
};

void fold(Lanes& lanes, int channels, PixelSums& into) {
  for (int lane = 0; lane < kLanes; ++lane) {
    into.sums[static_cast<size_t>(lane % channels)] += lanes.sums[lane];
    into.squares[static_cast<size_t>(lane % channels)] += lanes.squares[lane];
  }
  lanes = Lanes();
}

inline __attribute__((always_inline)) void add(const uchar* values, int count, Lanes& lanes) {
  for (int lane = 0; lane < count; ++lane) {
    const uint16_t level = values[lane];
    lanes.sums[lane] += level;
    lanes.squares[lane] += static_cast<uint16_t>(level * level);
  }
}

inline __attribute__((always_inline)) PixelSums sumUp(const cv::Mat& picture) {
  PixelSums total;
  Lanes lanes;
  int additions = 0;
  const int channels = picture.channels(), values = picture.cols * channels;
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* row = picture.ptr(y);
    for (int x = 0; x < values; x += kLanes) {
      if (x + kLanes <= values)
        add(row + x, kLanes, lanes);
      else
        add(row + x, values - x, lanes);
      if (++additions < kMostAdditions) continue;
      fold(lanes, channels, total);
      additions = 0;
    }
  }
  fold(lanes, channels, total);
  return total;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) PixelSums quickSums(const cv::Mat& picture) { return sumUp(picture); }
#endif

}  // namespace

PixelSums pixelSums(const cv::Mat& picture) {
#ifdef __x86_64__
  static const bool kQuick = __builtin_cpu_supports("avx2") != 0;
  if (kQuick) return quickSums(picture);
#endif
  return sumUp(picture);
}

}  // namespace trainyard::data
