#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "core/augment/colour.h"

namespace trainyard::augment {

namespace {

// The bell over a window of that many pixels, adding up to 1. Its points are spread over (window - 1) / √2 pixels, as torchvision has it.
cv::Mat bell(int window, double sigma) {
  cv::Mat weights(1, window, CV_32F);
  const double reach = (window - 1) / (2.0 * std::sqrt(2.0)), step = window > 1 ? 2 * reach / (window - 1) : 0;
  double sum = 0;
  std::vector<double> raw;
  for (int i = 0; i < window; ++i) {
    const double distance = (step * i - reach) / sigma;
    raw.push_back(std::exp(-distance * distance));
    sum += raw.back();
  }
  for (int i = 0; i < window; ++i) weights.at<float>(i) = static_cast<float>(raw[i] / sum);
  return weights;
}

}  // namespace

cv::Mat blurred(const cv::Mat& picture, cv::Size window, double sigma) {
  cv::Mat soft, result;
  cv::sepFilter2D(picture, soft, CV_32F, bell(window.width, sigma), bell(window.height, sigma), cv::Point(-1, -1), 0,
                  cv::BORDER_REFLECT_101 | cv::BORDER_ISOLATED);
  soft.convertTo(result, CV_8U);
  return result;
}

cv::Mat withSharpness(const cv::Mat& picture, double factor) {
  if (picture.rows <= 2 || picture.cols <= 2) return picture;
  cv::Mat result = picture.clone();
  const auto other = static_cast<float>(1.0 - factor);
  const int channels = picture.channels(), end = (picture.cols - 1) * channels;
  std::vector<int> columns(static_cast<size_t>(picture.cols) * channels);  // sums of three rows
  for (int y = 1; y + 1 < picture.rows; ++y) {
    const uchar *above = picture.ptr(y - 1), *own = picture.ptr(y), *below = picture.ptr(y + 1);
    for (size_t x = 0; x < columns.size(); ++x) columns[x] = above[x] + own[x] + below[x];
    uchar* to = result.ptr(y);
    for (int x = channels; x < end; ++x) {
      const int sum = columns[x - channels] + columns[x] + columns[x + channels] + 4 * own[x];
      const int soft = (2 * sum + 13) / 26;  // sum ÷ 13, rounded
      const float level = static_cast<float>(own[x]) + static_cast<float>(soft - own[x]) * other;
      to[x] = static_cast<uchar>(std::clamp(level, 0.0F, 255.0F));
    }
  }
  return result;
}

}  // namespace trainyard::augment
