#include <algorithm>
#include <cmath>

#include "core/augment/draws.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

class RandomResizedCrop : public Op {
 public:
  RandomResizedCrop(Size size, Interval scale, Interval ratio, Filter filter) : size_(size), scale_(scale), ratio_(ratio), filter_(filter) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    return resized(picture(drawCrop(scale_, ratio_, picture.size(), random)), size_.height, size_.width, filter_);
  }

  Result<cv::Mat> begin(Source& source, Random& random) const override {
    TRAINYARD_TRY(const Cut cut, source.part(drawCrop(scale_, ratio_, cv::Size(source.width(), source.height()), random), cv::Size(size_.width, size_.height)));
    return resized(cut, size_.height, size_.width, filter_);
  }

 private:
  Size size_;
  Interval scale_, ratio_;
  Filter filter_;
};

}  // namespace

cv::Rect drawCrop(Interval scale, Interval ratio, cv::Size size, Random& random) {
  const int height = size.height, width = size.width;
  const double area = static_cast<double>(height) * width;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double wanted = area * scale.draw(random);
    const double aspect = std::exp(random.uniform(std::log(ratio.low), std::log(ratio.high)));
    const auto w = static_cast<int>(std::nearbyint(std::sqrt(wanted * aspect)));
    const auto h = static_cast<int>(std::nearbyint(std::sqrt(wanted / aspect)));
    if (w <= 0 || h <= 0 || w > width || h > height) continue;
    const auto y = static_cast<int>(random.below(static_cast<uint64_t>(height - h) + 1));
    const auto x = static_cast<int>(random.below(static_cast<uint64_t>(width - w) + 1));
    return {x, y, w, h};
  }
  const double own = static_cast<double>(width) / height;
  int w = width, h = height;
  if (own < ratio.low) h = static_cast<int>(std::nearbyint(w / ratio.low));
  if (own > ratio.high) w = static_cast<int>(std::nearbyint(h * ratio.high));
  w = std::clamp(w, 1, width);
  h = std::clamp(h, 1, height);
  return {(width - w) / 2, (height - h) / 2, w, h};
}

Result<Steps> makeRandomResizedCrop(const Json& params, Building& building) {
  const Size size = sizeFrom(params.at("size"));
  const Interval scale = intervalFrom(params.value("scale", Json()), 0).value_or(Interval{0.08, 1.0});
  const Interval ratio = intervalFrom(params.value("ratio", Json()), 0).value_or(Interval{3.0 / 4, 4.0 / 3});
  for (const auto& [key, range] : {std::pair("scale", scale), std::pair("ratio", ratio)}) {
    if (range.low <= range.high) continue;
    return fail(ErrorCode::Recipe, std::string(key) + " goes from " + Json(range.low).dump() + " down to " + Json(range.high).dump(), building.where,
                "give the smaller number first");
  }
  give(building, size);
  if (building.training) return Steps{std::make_shared<RandomResizedCrop>(size, scale, ratio, filterFrom(params))};
  // torchvision's recipe for evaluation: 256 before a crop of 224, and in proportion.
  return Steps{resizeShorter(static_cast<int>(std::lround(std::max(size.height, size.width) * 256.0 / 224)), 0, filterFrom(params)), centerCrop(size)};
}

}  // namespace trainyard::augment
