#pragma once
// Pictures with something in them.
#include <opencv2/imgproc.hpp>

#include "core/base/random.h"

namespace trainyard::data::test {

// Soft blobs and edges, different for every seed: as much structure as a photograph has at this scale. RGB.
inline cv::Mat scene(uint64_t seed, int height = 64, int width = 64) {
  Random random({seed});
  cv::Mat picture(height, width, CV_8UC3, cv::Scalar(random.uniform(0, 255), random.uniform(0, 255), random.uniform(0, 255)));
  for (int i = 0; i < 12; ++i) {
    const cv::Scalar colour(random.uniform(0, 255), random.uniform(0, 255), random.uniform(0, 255));
    const cv::Point at(static_cast<int>(random.uniform(0, width)), static_cast<int>(random.uniform(0, height)));
    const int size = static_cast<int>(random.uniform(0.05, 0.4) * width);
    if (i % 2 == 0)
      cv::circle(picture, at, size, colour, -1);
    else
      cv::rectangle(picture, at, at + cv::Point(size, size / 2), colour, -1);
  }
  cv::GaussianBlur(picture, picture, cv::Size(0, 0), width / 100.0 + 0.3);
  return picture;
}

}  // namespace trainyard::data::test
