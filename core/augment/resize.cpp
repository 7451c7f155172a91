#include "core/augment/ops.h"
#include "core/augment/resample.h"

namespace trainyard::augment {

namespace {

// At a reduced scale where the decoder can do that.
Result<cv::Mat> decodedAt(Source& source, Size size) {
  const cv::Rect whole(0, 0, source.width(), source.height());
  TRAINYARD_TRY(const Cut cut, source.part(whole, cv::Size(size.width, size.height)));
  return resized(cut, size.height, size.width);
}

class Resize : public Op {
 public:
  explicit Resize(Size size) : size_(size) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random&) const override { return resized(picture, size_.height, size_.width); }
  Result<cv::Mat> begin(Source& source, Random&) const override { return decodedAt(source, size_); }

 private:
  Size size_;
};

class ResizeShorter : public Op {
 public:
  explicit ResizeShorter(int shorter) : shorter_(shorter) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random&) const override {
    const Size size = shorterSideTo(shorter_, {picture.rows, picture.cols});
    return resized(picture, size.height, size.width);
  }
  Result<cv::Mat> begin(Source& source, Random&) const override { return decodedAt(source, shorterSideTo(shorter_, {source.height(), source.width()})); }

 private:
  int shorter_;
};

}  // namespace

Size shorterSideTo(int shorter, Size from) {
  const auto other = [&](int length, int shortest) { return static_cast<int>(static_cast<int64_t>(shorter) * length / shortest); };
  if (from.width <= from.height) return {other(from.height, from.width), shorter};
  return {shorter, other(from.width, from.height)};
}

std::shared_ptr<const Op> resizeShorter(int shorter) { return std::make_shared<ResizeShorter>(shorter); }

Result<Steps> makeResize(const Json& params, Building& building) {
  const Json& value = params.at("size");
  const Size size = sizeFrom(value);
  Shape& shape = building.shape;
  if (value.is_array()) {
    shape.height = size.height;
    shape.width = size.width;
    building.fixed = true;
    return Steps{std::make_shared<Resize>(size)};
  }
  const Size result = shorterSideTo(size.height, {shape.height, shape.width});
  shape.height = result.height;
  shape.width = result.width;
  return Steps{resizeShorter(size.height)};
}

}  // namespace trainyard::augment
