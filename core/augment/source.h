#pragma once
// A picture whose size is known before it is decoded, so that a crop can ask for just the part it needs. One thread.
#include <opencv2/core/mat.hpp>

#include "core/base/result.h"

namespace trainyard::augment {

// Pixels that hold what was asked for; `box` says where, in their coordinates. A decoder that gives a part at a reduced scale has a box with
// fractions.
struct Cut {
  cv::Mat pixels;  // 8-bit, 1 or 3 channels
  cv::Rect2d box;
};

constexpr int kReducedFrom = 3;

class Source {
 public:
  virtual ~Source() = default;
  virtual int height() const = 0;  // as people see the picture: turned by EXIF
  virtual int width() const = 0;
  virtual Result<cv::Mat> all() = 0;  // 8-bit, 1 or 3 channels. Error Data as Dataset::picture
  // `region` lies within the picture. The pixels equal those of all() there, or, where the source reduces, a reduction of them whose box is at
  // least `target` large in both directions; never where the region is less than kReducedFrom times as large as the target.
  virtual Result<Cut> part(const cv::Rect& region, cv::Size target) = 0;
  virtual bool reduces() const { return false; }
};

// A picture that is decoded already.
class Decoded : public Source {
 public:
  explicit Decoded(cv::Mat pixels) : pixels_(std::move(pixels)) {}
  int height() const override { return pixels_.rows; }
  int width() const override { return pixels_.cols; }
  Result<cv::Mat> all() override { return pixels_; }
  Result<Cut> part(const cv::Rect& region, cv::Size) override { return Cut{pixels_(region), cv::Rect2d(0, 0, region.width, region.height)}; }

 private:
  cv::Mat pixels_;
};

}  // namespace trainyard::augment
