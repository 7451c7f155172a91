#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

unsigned luma(unsigned red, unsigned green, unsigned blue) { return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16; }

unsigned mixed(unsigned value, unsigned alpha, unsigned background) { return (value * alpha + background * (255 - alpha) + 127) / 255; }

cv::Mat onBackground(const cv::Mat& rgba, const std::array<int, 3>& background) {
  const unsigned red = static_cast<unsigned>(background[0]), green = static_cast<unsigned>(background[1]), blue = static_cast<unsigned>(background[2]);
  cv::Mat rgb(rgba.size(), CV_8UC3);
  for (int y = 0; y < rgba.rows; ++y) {
    const uchar* from = rgba.ptr(y);
    uchar* to = rgb.ptr(y);
    for (int x = 0; x < rgba.cols; ++x, from += 4, to += 3) {
      to[0] = static_cast<uchar>(mixed(from[0], from[3], red));
      to[1] = static_cast<uchar>(mixed(from[1], from[3], green));
      to[2] = static_cast<uchar>(mixed(from[2], from[3], blue));
    }
  }
  return rgb;
}

cv::Mat onBackground(const cv::Mat& grey_alpha, unsigned background) {
  cv::Mat grey(grey_alpha.size(), CV_8UC1);
  for (int y = 0; y < grey_alpha.rows; ++y) {
    const uchar* from = grey_alpha.ptr(y);
    uchar* to = grey.ptr(y);
    for (int x = 0; x < grey_alpha.cols; ++x, from += 2) to[x] = static_cast<uchar>(mixed(from[0], from[1], background));
  }
  return grey;
}

}  // namespace

cv::Mat lumaOf(const cv::Mat& rgb) {
  cv::Mat grey(rgb.size(), CV_8UC1);
  for (int y = 0; y < rgb.rows; ++y) {
    const uchar* from = rgb.ptr(y);
    uchar* to = grey.ptr(y);
    for (int x = 0; x < rgb.cols; ++x, from += 3) to[x] = static_cast<uchar>(luma(from[0], from[1], from[2]));
  }
  return grey;
}

void divideByAlpha(cv::Mat& picture) {
  const int channels = picture.channels();
  for (int y = 0; y < picture.rows; ++y) {
    uchar* pixel = picture.ptr(y);
    for (int x = 0; x < picture.cols; ++x, pixel += channels) {
      const unsigned alpha = pixel[channels - 1];
      if (alpha == 0 || alpha == 255) continue;
      for (int c = 0; c < channels - 1; ++c) pixel[c] = static_cast<uchar>(std::min(255U, (pixel[c] * 255 + alpha / 2) / alpha));
    }
  }
}

cv::Mat finished(const cv::Mat& decoded, const DecodeOptions& options) {
  cv::Mat picture = decoded;
  if (picture.channels() == 2 && options.channels == 3) {
    cv::Mat coloured(picture.size(), CV_8UC4);
    const int grey_thrice[] = {0, 0, 0, 1, 0, 2, 1, 3};
    cv::mixChannels(&picture, 1, &coloured, 1, grey_thrice, 4);
    picture = coloured;
  }
  const auto& [red, green, blue] = options.background;
  if (picture.channels() == 2) picture = onBackground(picture, luma(static_cast<unsigned>(red), static_cast<unsigned>(green), static_cast<unsigned>(blue)));
  if (picture.channels() == 4) picture = onBackground(picture, options.background);
  if (options.channels == 1 && picture.channels() == 3) return lumaOf(picture);
  if (options.channels == 3 && picture.channels() == 1) {
    cv::Mat rgb;
    cv::cvtColor(picture, rgb, cv::COLOR_GRAY2RGB);
    return rgb;
  }
  return picture;
}

}  // namespace trainyard::codecs
