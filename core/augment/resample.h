#pragma once
// Resizing with antialiasing, to the bit as Pillow does it (a filter as wide as the reduction, along rows and columns one after the other,
// in fixed point): what networks trained elsewhere have seen. Any thread.
#include <opencv2/core/mat.hpp>

#include "core/augment/source.h"

namespace trainyard::augment {

enum class Filter { Nearest, Bilinear, Bicubic };  // Nearest: the pixel under the middle, torchvision's "nearest-exact"

// 8-bit, any number of channels; height and width > 0.
cv::Mat resized(const cv::Mat& picture, int height, int width, Filter filter = Filter::Bilinear);

// Only `box` of the picture, which may have fractions: Pillow's resize(box=…). Pixels around the box count where the filter reaches them.
// The box lies within the picture and has an area.
cv::Mat resized(const cv::Mat& picture, const cv::Rect2d& box, int height, int width, Filter filter = Filter::Bilinear);

// What a decoder gave for a crop. A box without fractions is cut out first: the same pixels as a crop of the whole picture, resized.
cv::Mat resized(const Cut& cut, int height, int width, Filter filter = Filter::Bilinear);

}  // namespace trainyard::augment
