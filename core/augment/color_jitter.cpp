#include <algorithm>
#include <utility>

#include "core/augment/colour.h"
#include "core/augment/draws.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

class ColorJitter : public Op {
 public:
  explicit ColorJitter(JitterRanges ranges) : ranges_(ranges) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override { return jittered(picture, drawJitter(ranges_, random)); }

 private:
  JitterRanges ranges_;
};

class GaussianBlur : public Op {
 public:
  GaussianBlur(cv::Size window, Interval sigma) : window_(window), sigma_(sigma) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override { return blurred(picture, window_, sigma_.draw(random)); }

 private:
  cv::Size window_;
  Interval sigma_;
};

}  // namespace

Jitter drawJitter(const JitterRanges& ranges, Random& random) {
  Jitter jitter;
  for (size_t i = 3; i > 0; --i) std::swap(jitter.order[i], jitter.order[random.below(i + 1)]);
  for (size_t i = 0; i < 4; ++i) {
    if (ranges.of[i]) jitter.factors[i] = ranges.of[i]->draw(random);
  }
  return jitter;
}

cv::Mat jittered(const cv::Mat& picture, const Jitter& jitter) {
  constexpr std::array<cv::Mat (*)(const cv::Mat&, double), 4> kChanges{withBrightness, withContrast, withSaturation, withHue};
  cv::Mat result = picture;
  for (const int which : jitter.order) {
    if (jitter.factors[which]) result = kChanges[which](result, *jitter.factors[which]);
  }
  return result;
}

Result<Steps> makeColorJitter(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  constexpr std::array<std::pair<const char*, double>, 4> kKeys{{{"brightness", 1}, {"contrast", 1}, {"saturation", 1}, {"hue", 0}}};
  JitterRanges ranges;
  for (size_t i = 0; i < 4; ++i) {
    const auto [key, center] = kKeys[i];
    const Json value = params.value(key, Json());
    auto range = intervalFrom(value, center);
    if (range && center == 1) range->low = std::max(range->low, 0.0);
    if (range && (range->low != center || range->high != center)) ranges.of[i] = range;
  }
  return Steps{std::make_shared<ColorJitter>(ranges)};
}

Result<Steps> makeGaussianBlur(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  const Json& size = params.at("kernel_size");  // an edge, or width and height
  const cv::Size window = size.is_array() ? cv::Size(size.at(0).get<int>(), size.at(1).get<int>()) : cv::Size(size.get<int>(), size.get<int>());
  const Json sigma = params.value("sigma", Json::array({0.1, 2.0}));
  const Interval range = sigma.is_array() ? *intervalFrom(sigma, 0) : Interval{sigma.get<double>(), sigma.get<double>()};
  return Steps{std::make_shared<GaussianBlur>(window, range)};
}

}  // namespace trainyard::augment
