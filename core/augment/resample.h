#pragma once
// Bilinear resizing with antialiasing, to the bit as Pillow does it (a triangle filter as wide as the reduction, along rows and columns one
// after the other, in fixed point): what networks trained elsewhere have seen.
#include <opencv2/core/mat.hpp>

namespace trainyard::augment {

// 8-bit, any number of channels; height and width > 0.
cv::Mat resized(const cv::Mat& picture, int height, int width);

}  // namespace trainyard::augment
