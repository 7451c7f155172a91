#include <algorithm>
#include <cmath>

#include "core/augment/ops.h"
#include "core/augment/resample.h"

namespace trainyard::augment {

namespace {

struct Range {
  double low = 0, high = 0;
};

class RandomResizedCrop : public Op {
 public:
  RandomResizedCrop(Size size, Range scale, Range ratio) : size_(size), scale_(scale), ratio_(ratio) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    return resized(picture(choose(picture.rows, picture.cols, random)), size_.height, size_.width);
  }

  Result<cv::Mat> begin(Source& source, Random& random) const override {
    TRAINYARD_TRY(const Cut cut, source.part(choose(source.height(), source.width(), random), cv::Size(size_.width, size_.height)));
    return resized(cut, size_.height, size_.width);
  }

 private:
  // As torchvision: ten tries for a window of that area and ratio, else the largest in the centre within the ratios.
  cv::Rect choose(int height, int width, Random& random) const {
    const double area = static_cast<double>(height) * width;
    for (int attempt = 0; attempt < 10; ++attempt) {
      const double wanted = area * random.uniform(scale_.low, scale_.high);
      const double ratio = std::exp(random.uniform(std::log(ratio_.low), std::log(ratio_.high)));
      const auto w = static_cast<int>(std::nearbyint(std::sqrt(wanted * ratio)));
      const auto h = static_cast<int>(std::nearbyint(std::sqrt(wanted / ratio)));
      if (w <= 0 || h <= 0 || w > width || h > height) continue;
      const auto y = static_cast<int>(random.below(static_cast<uint64_t>(height - h) + 1));
      const auto x = static_cast<int>(random.below(static_cast<uint64_t>(width - w) + 1));
      return {x, y, w, h};
    }
    const double own = static_cast<double>(width) / height;
    int w = width, h = height;
    if (own < ratio_.low) h = static_cast<int>(std::nearbyint(w / ratio_.low));
    if (own > ratio_.high) w = static_cast<int>(std::nearbyint(h * ratio_.high));
    w = std::clamp(w, 1, width);
    h = std::clamp(h, 1, height);
    return {(width - w) / 2, (height - h) / 2, w, h};
  }

  Size size_;
  Range scale_, ratio_;
};

Range rangeFrom(const Json& params, const char* key, Range fallback) {
  if (!params.contains(key)) return fallback;
  const Json& value = params.at(key);
  return {value.at(0).get<double>(), value.at(1).get<double>()};
}

}  // namespace

Result<Steps> makeRandomResizedCrop(const Json& params, Building& building) {
  const Size size = sizeFrom(params.at("size"));
  const Range scale = rangeFrom(params, "scale", {0.08, 1.0}), ratio = rangeFrom(params, "ratio", {3.0 / 4, 4.0 / 3});
  for (const auto& [key, range] : {std::pair("scale", scale), std::pair("ratio", ratio)}) {
    if (range.low <= range.high) continue;
    return fail(ErrorCode::Recipe, std::string(key) + " goes from " + Json(range.low).dump() + " down to " + Json(range.high).dump(), building.where,
                "give the smaller number first");
  }
  building.shape.height = size.height;
  building.shape.width = size.width;
  building.fixed = true;
  if (building.training) return Steps{std::make_shared<RandomResizedCrop>(size, scale, ratio)};
  // torchvision's recipe for evaluation: 256 before a crop of 224, and in proportion.
  return Steps{resizeShorter(static_cast<int>(std::lround(std::max(size.height, size.width) * 256.0 / 224))), centerCrop(size)};
}

}  // namespace trainyard::augment
