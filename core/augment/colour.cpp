#include "core/augment/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>

namespace trainyard::augment {

namespace {

using Levels = std::array<uchar, 256>;

// torchvision's weights of red, green and blue, whose sum is a little below 1; 2^20 is 1.
constexpr int kGreyBits = 20;
constexpr uint32_t kRed = 313419, kGreen = 615514, kBlue = 119538;

uchar cut(float level) { return static_cast<uchar>(std::min(std::max(level, 0.0F), 255.0F)); }

cv::Mat mapped(const cv::Mat& picture, const Levels& levels) {
  cv::Mat result;
  cv::LUT(picture, cv::Mat(1, 256, CV_8U, const_cast<uchar*>(levels.data())), result);
  return result;
}

uint32_t greyOf(const uchar* pixel) { return (pixel[0] * kRed + pixel[1] * kGreen + pixel[2] * kBlue) >> kGreyBits; }

double meanGrey(const cv::Mat& picture) {
  uint64_t sum = 0;
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* row = picture.ptr(y);
    uint32_t row_sum = 0;
    if (picture.channels() == 1) {
      for (int x = 0; x < picture.cols; ++x) row_sum += row[x];
    } else {
      for (int x = 0; x < picture.cols; ++x) row_sum += greyOf(row + static_cast<ptrdiff_t>(x) * 3);
    }
    sum += row_sum;
  }
  return static_cast<double>(sum) / (static_cast<double>(picture.rows) * picture.cols);
}

// One pixel's hue turned, its largest and smallest channel kept.
void turnHue(const uchar* from, float turn, uchar* to) {
  const float r = from[0] * (1.0F / 255), g = from[1] * (1.0F / 255), b = from[2] * (1.0F / 255);
  const float most = std::max({r, g, b}), least = std::min({r, g, b});
  const float span = most - least;
  if (span == 0) {
    std::copy_n(from, 3, to);
    return;
  }
  // In sixths of the circle from red.
  float hue = 0;
  if (most == r)
    hue = (g - b) / span;
  else if (most == g)
    hue = 2.0F + (b - r) / span;
  else
    hue = 4.0F + (r - g) / span;
  hue += turn * 6.0F;
  if (hue < 0) hue += 6.0F;
  if (hue >= 6.0F) hue -= 6.0F;
  const int sector = std::min(static_cast<int>(hue), 5);
  const float part = hue - static_cast<float>(sector);
  const float falling = most - span * part, rising = least + span * part;
  constexpr float kScale = 256.0F - 1e-3F;
  const auto level = [](float value) { return cut(value * kScale); };
  const uchar v = level(most), p = level(least), q = level(falling), t = level(rising);
  const std::array<std::array<uchar, 3>, 6> sectors{{{v, t, p}, {q, v, p}, {p, v, t}, {p, q, v}, {t, p, v}, {v, p, q}}};
  std::copy_n(sectors[static_cast<size_t>(sector)].data(), 3, to);
}

}  // namespace

cv::Mat withBrightness(const cv::Mat& picture, double factor) {
  Levels levels;
  for (int i = 0; i < 256; ++i) levels[i] = cut(static_cast<float>(i) * static_cast<float>(factor));
  return mapped(picture, levels);
}

cv::Mat withContrast(const cv::Mat& picture, double factor) {
  const auto own = static_cast<float>(factor), mean = static_cast<float>(meanGrey(picture)) * static_cast<float>(1.0 - factor);
  Levels levels;
  for (int i = 0; i < 256; ++i) levels[i] = cut(static_cast<float>(i) * own + mean);
  return mapped(picture, levels);
}

cv::Mat withSaturation(const cv::Mat& picture, double factor) {
  if (picture.channels() == 1) return picture;
  const auto own = static_cast<float>(factor), other = static_cast<float>(1.0 - factor);
  cv::Mat result(picture.size(), picture.type());
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* from = picture.ptr(y);
    uchar* to = result.ptr(y);
    for (int x = 0; x < picture.cols; ++x, from += 3, to += 3) {
      const float base = static_cast<float>(greyOf(from)) * other;
      for (int c = 0; c < 3; ++c) to[c] = cut(static_cast<float>(from[c]) * own + base);
    }
  }
  return result;
}

cv::Mat withHue(const cv::Mat& picture, double turn) {
  if (picture.channels() == 1) return picture;
  cv::Mat result(picture.size(), picture.type());
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* from = picture.ptr(y);
    uchar* to = result.ptr(y);
    for (int x = 0; x < picture.cols; ++x) turnHue(from + static_cast<ptrdiff_t>(x) * 3, static_cast<float>(turn), to + static_cast<ptrdiff_t>(x) * 3);
  }
  return result;
}

cv::Mat grey(const cv::Mat& picture) {
  if (picture.channels() == 1) return picture;
  cv::Mat result(picture.size(), picture.type());
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* from = picture.ptr(y);
    uchar* to = result.ptr(y);
    for (int x = 0; x < picture.cols; ++x, from += 3, to += 3) to[0] = to[1] = to[2] = static_cast<uchar>(greyOf(from));
  }
  return result;
}

cv::Mat inverted(const cv::Mat& picture) {
  cv::Mat result;
  cv::bitwise_not(picture, result);
  return result;
}

cv::Mat posterized(const cv::Mat& picture, int bits) {
  if (bits >= 8) return picture;
  Levels levels;
  const int mask = ((1 << bits) - 1) << (8 - bits);
  for (int i = 0; i < 256; ++i) levels[i] = static_cast<uchar>(i & mask);
  return mapped(picture, levels);
}

cv::Mat solarized(const cv::Mat& picture, double threshold) {
  Levels levels;
  for (int i = 0; i < 256; ++i) levels[i] = static_cast<uchar>(static_cast<float>(i) >= static_cast<float>(threshold) ? 255 - i : i);
  return mapped(picture, levels);
}

}  // namespace trainyard::augment
