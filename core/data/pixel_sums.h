#pragma once
// Inside the data room: what a picture adds to the colour statistics.
#include <array>
#include <cstdint>
#include <opencv2/core/mat.hpp>

namespace trainyard::data {

// Of levels 0 … 255 and their squares, per channel; exact.
struct PixelSums {
  std::array<uint64_t, 3> sums{}, squares{};  // [0] alone when grey
};

// 8-bit picture, 1 or 3 channels.
PixelSums pixelSums(const cv::Mat& picture);

}  // namespace trainyard::data
