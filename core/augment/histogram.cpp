#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <opencv2/core.hpp>

#include "core/augment/colour.h"

namespace trainyard::augment {

namespace {

using Histogram = std::array<int, 256>;
using Levels = std::array<uchar, 256>;

// Each channel's levels replaced by what `rule` makes of its histogram.
cv::Mat eachChannel(const cv::Mat& picture, const std::function<Levels(const Histogram&)>& rule) {
  const auto channels = static_cast<size_t>(picture.channels());
  std::array<Histogram, 3> counts{};
  const ptrdiff_t row_bytes = static_cast<ptrdiff_t>(picture.cols) * picture.channels();
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* row = picture.ptr(y);
    if (channels == 1) {
      for (ptrdiff_t x = 0; x < row_bytes; ++x) ++counts[0][row[x]];
    } else {
      for (ptrdiff_t x = 0; x < row_bytes; x += 3) {
        for (size_t c = 0; c < 3; ++c) ++counts[c][row[x + static_cast<ptrdiff_t>(c)]];
      }
    }
  }
  std::array<Levels, 3> levels;
  for (size_t c = 0; c < channels; ++c) levels[c] = rule(counts[c]);
  cv::Mat result(picture.size(), picture.type());
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* from = picture.ptr(y);
    uchar* to = result.ptr(y);
    if (channels == 1) {
      for (ptrdiff_t x = 0; x < row_bytes; ++x) to[x] = levels[0][from[x]];
    } else {
      for (ptrdiff_t x = 0; x < row_bytes; x += 3) {
        for (size_t c = 0; c < 3; ++c) to[x + static_cast<ptrdiff_t>(c)] = levels[c][from[x + static_cast<ptrdiff_t>(c)]];
      }
    }
  }
  return result;
}

Levels unchanged() {
  Levels levels;
  std::iota(levels.begin(), levels.end(), uchar{0});
  return levels;
}

Levels stretched(const Histogram& counts) {
  int least = 0, most = 255;
  while (counts[least] == 0) ++least;
  while (counts[most] == 0) --most;
  if (least == most) return unchanged();
  const float scale = static_cast<float>(most - least) * (1.0F / 255);
  Levels levels{};
  for (int i = least; i <= most; ++i) levels[i] = static_cast<uchar>(std::min(static_cast<float>(i - least) / scale, 255.0F));
  return levels;
}

Levels spread(const Histogram& counts) {
  int most = 255;
  while (counts[most] == 0) --most;
  const int step = (std::accumulate(counts.begin(), counts.end(), 0) - counts[most]) / 255;
  if (step == 0) return unchanged();
  Levels levels{};
  int below = step / 2;
  for (int i = 0; i < 256; ++i) {
    levels[i] = static_cast<uchar>(std::min(below / step, 255));
    below += counts[i];
  }
  return levels;
}

}  // namespace

cv::Mat autocontrasted(const cv::Mat& picture) { return eachChannel(picture, stretched); }

cv::Mat equalized(const cv::Mat& picture) { return eachChannel(picture, spread); }

}  // namespace trainyard::augment
