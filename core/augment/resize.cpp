#include <algorithm>

#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

// At a reduced scale where the decoder can do that.
Result<cv::Mat> decodedAt(Source& source, Size size, Filter filter) {
  const cv::Rect whole(0, 0, source.width(), source.height());
  TRAINYARD_TRY(const Cut cut, source.part(whole, cv::Size(size.width, size.height)));
  return resized(cut, size.height, size.width, filter);
}

class Resize : public Op {
 public:
  Resize(Size size, Filter filter) : size_(size), filter_(filter) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random&) const override { return resized(picture, size_.height, size_.width, filter_); }
  Result<cv::Mat> begin(Source& source, Random&) const override { return decodedAt(source, size_, filter_); }

 private:
  Size size_;
  Filter filter_;
};

class ResizeShorter : public Op {
 public:
  ResizeShorter(int shorter, int longest, Filter filter) : shorter_(shorter), longest_(longest), filter_(filter) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random&) const override {
    const Size size = shorterSideTo(shorter_, {picture.rows, picture.cols}, longest_);
    return resized(picture, size.height, size.width, filter_);
  }
  Result<cv::Mat> begin(Source& source, Random&) const override {
    return decodedAt(source, shorterSideTo(shorter_, {source.height(), source.width()}, longest_), filter_);
  }

 private:
  int shorter_, longest_;
  Filter filter_;
};

}  // namespace

Size shorterSideTo(int shorter, Size from, int longest) {
  const bool upright = from.width <= from.height;
  const int64_t least = upright ? from.width : from.height, most = upright ? from.height : from.width;
  int64_t narrow = shorter, wide = shorter * most / least;
  if (longest > 0 && wide > longest) {
    narrow = std::max<int64_t>(longest * narrow / wide, 1);
    wide = longest;
  }
  return upright ? Size{static_cast<int>(wide), static_cast<int>(narrow)} : Size{static_cast<int>(narrow), static_cast<int>(wide)};
}

std::shared_ptr<const Op> resizeShorter(int shorter, int longest, Filter filter) { return std::make_shared<ResizeShorter>(shorter, longest, filter); }

Result<Steps> makeResize(const Json& params, Building& building) {
  const Json& value = params.at("size");
  const Size size = sizeFrom(value);
  if (value.is_array()) {
    give(building, size);
    return Steps{std::make_shared<Resize>(size, filterFrom(params))};
  }
  const int longest = params.value("max_size", 0);
  const Size result = shorterSideTo(size.height, {building.shape.height, building.shape.width}, longest);
  building.shape.height = result.height;
  building.shape.width = result.width;
  return Steps{resizeShorter(size.height, longest, filterFrom(params))};
}

}  // namespace trainyard::augment
