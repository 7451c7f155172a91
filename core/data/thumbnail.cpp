#include "core/data/thumbnail.h"

#include <array>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace trainyard::data {

namespace {

constexpr int kLarge = 8 * kThumbnailEdge;  // from here on whole pixels are fine enough a grid, which is several times quicker

// Means of blocks of whole pixels. `Sum` holds 255 times as many rows as a block has: 16 bits those of 257.
template <class Sum>
inline __attribute__((always_inline)) cv::Mat blockMeans(const cv::Mat& picture) {
  const int channels = picture.channels(), width = picture.cols * channels;
  cv::Mat small(kThumbnailEdge, kThumbnailEdge, picture.type());
  std::vector<Sum> columns(static_cast<size_t>(width));
  for (int row = 0; row < kThumbnailEdge; ++row) {
    const int top = picture.rows * row / kThumbnailEdge, bottom = picture.rows * (row + 1) / kThumbnailEdge;
    std::fill(columns.begin(), columns.end(), Sum{0});
    for (int y = top; y < bottom; ++y) {
      const uchar* from = picture.ptr(y);
      for (int x = 0; x < width; ++x) columns[x] = static_cast<Sum>(columns[x] + from[x]);
    }
    uchar* to = small.ptr(row);
    for (int column = 0; column < kThumbnailEdge; ++column) {
      const int left = picture.cols * column / kThumbnailEdge, right = picture.cols * (column + 1) / kThumbnailEdge;
      const uint64_t count = static_cast<uint64_t>(right - left) * static_cast<uint64_t>(bottom - top);
      for (int c = 0; c < channels; ++c) {
        uint64_t sum = 0;
        for (int x = left; x < right; ++x) sum += columns[static_cast<size_t>(x) * channels + c];
        *to++ = static_cast<uchar>((sum + count / 2) / count);
      }
    }
  }
  return small;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) cv::Mat quickBlockMeans(const cv::Mat& picture) { return blockMeans<uint16_t>(picture); }
#endif

cv::Mat fineBlockMeans(const cv::Mat& picture) {
#ifdef __x86_64__
  static const bool kQuick = __builtin_cpu_supports("avx2") != 0;
  if (kQuick) return quickBlockMeans(picture);
#endif
  return blockMeans<uint16_t>(picture);
}

}  // namespace

cv::Mat greyThumbnail(const cv::Mat& picture) {
  if (picture.rows == kThumbnailEdge && picture.cols == kThumbnailEdge && picture.channels() == 1) return picture;
  cv::Mat small;
  const bool whole = picture.cols % kThumbnailEdge == 0 && picture.rows % kThumbnailEdge == 0;
  if (whole || (picture.cols >= kLarge && picture.rows >= kLarge)) {
    small = picture.rows <= 256 * kThumbnailEdge ? fineBlockMeans(picture) : blockMeans<uint32_t>(picture);
  } else {
    cv::resize(picture, small, cv::Size(kThumbnailEdge, kThumbnailEdge), 0, 0, cv::INTER_AREA);
  }
  if (small.channels() == 3) cv::cvtColor(small, small, cv::COLOR_RGB2GRAY);
  return small;
}

}  // namespace trainyard::data
