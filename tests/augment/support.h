#pragma once
// Helpers of the tests of core/augment.
#include <QTest>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "core/augment/chain.h"
#include "core/catalogue/catalogue.h"

namespace trainyard::augment::test {

inline recipe::Choice step(const std::string& id, const char* params) { return {id, Json::parse(params)}; }

// A step with its defaults, and small values for what must be given.
inline recipe::Choice withDefaults(const catalogue::Descriptor& entry) {
  static const Json kNeeded = {{"size", 6}, {"degrees", 30}, {"kernel_size", 3}, {"sharpness_factor", 2}, {"bits", 3}, {"threshold", 128},
                               {"transforms", {{{"op", "random_invert"}}}}, {"mean", {0.5}}, {"std", {0.5}}};
  recipe::Choice choice{entry.id, Json::object()};
  for (const auto& spec : entry.params) {
    if (!spec.fallback.is_null()) choice.params[spec.key] = spec.fallback;
    if (spec.required) choice.params[spec.key] = kNeeded.at(spec.key);
  }
  return choice;
}

inline recipe::Recipe recipeOf(std::vector<recipe::Choice> steps, int size = 0, int channels = 0) {
  recipe::Recipe recipe;
  recipe.augment = std::move(steps);
  recipe.data.size = size;
  recipe.data.channels = channels;
  return recipe;
}

// Every pixel tells where it is: row and column from 1 (0 is padding); the third channel is 200.
inline cv::Mat coordinates(int height, int width) {
  cv::Mat picture(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) picture.at<cv::Vec3b>(y, x) = cv::Vec3b(static_cast<uchar>(y + 1), static_cast<uchar>(x + 1), 200);
  }
  return picture;
}

// The formula of the scripts in tests/golden.
inline cv::Mat formula(int height, int width, int channels) {
  cv::Mat picture(height, width, CV_8UC(channels));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) picture.ptr(y)[x * channels + c] = static_cast<uchar>((y * 37 + x * 101 + c * 59) ^ (y * x + 7 * c));
    }
  }
  return picture;
}

inline Shape shapeOf(const cv::Mat& picture) { return {picture.channels(), picture.rows, picture.cols}; }

inline bool same(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type()) return false;
  cv::Mat difference;
  cv::absdiff(a, b, difference);
  return cv::countNonZero(difference.reshape(1)) == 0;
}

inline QString textOf(const Error& error) { return QString::fromStdString(toText(error)); }

// The pixels of one chain; a null picture when something failed, with the test marked as failed.
inline cv::Mat pixels(const recipe::Recipe& recipe, const cv::Mat& picture, bool training, Key key = {}) {
  const auto chain = Chain::make(recipe, shapeOf(picture), training);
  if (!chain) {
    QTest::qFail(qPrintable(textOf(chain.error())), __FILE__, __LINE__);
    return {};
  }
  const auto result = chain->applyPixels(picture, key);
  if (!result) {
    QTest::qFail(qPrintable(textOf(result.error())), __FILE__, __LINE__);
    return {};
  }
  return result->clone();
}

}  // namespace trainyard::augment::test
