#include <opencv2/core.hpp>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

// Upright = the stored picture, its rows and columns exchanged if swapsSides, then flipped so.
struct Flips {
  bool columns, rows;
};

Flips flipsOf(int orientation) {
  switch (orientation) {
    case 2:
    case 6:
      return {true, false};
    case 3:
    case 7:
      return {true, true};
    case 4:
    case 8:
      return {false, true};
    default:
      return {false, false};
  }
}

}  // namespace

bool swapsSides(int orientation) { return orientation >= 5 && orientation <= 8; }

cv::Mat turned(const cv::Mat& picture, int orientation) {
  const auto [columns, rows] = flipsOf(orientation);
  cv::Mat result = picture;
  if (swapsSides(orientation)) {
    cv::Mat exchanged;
    cv::transpose(picture, exchanged);
    result = exchanged;
  }
  if (!columns && !rows) return result;
  cv::Mat flipped;
  cv::flip(result, flipped, columns && rows ? -1 : columns ? 1 : 0);
  return flipped;
}

augment::Cut turned(const augment::Cut& cut, int orientation) {
  augment::Cut result{turned(cut.pixels, orientation), cut.box};
  if (swapsSides(orientation)) result.box = cv::Rect2d(cut.box.y, cut.box.x, cut.box.height, cut.box.width);
  const auto [columns, rows] = flipsOf(orientation);
  if (columns) result.box.x = result.pixels.cols - result.box.x - result.box.width;
  if (rows) result.box.y = result.pixels.rows - result.box.y - result.box.height;
  return result;
}

cv::Rect storedRegion(const cv::Rect& upright, cv::Size stored, int orientation) {
  const cv::Size size = swapsSides(orientation) ? cv::Size(stored.height, stored.width) : stored;
  const auto [columns, rows] = flipsOf(orientation);
  cv::Rect region = upright;
  if (columns) region.x = size.width - upright.x - upright.width;
  if (rows) region.y = size.height - upright.y - upright.height;
  return swapsSides(orientation) ? cv::Rect(region.y, region.x, region.height, region.width) : region;
}

}  // namespace trainyard::codecs
