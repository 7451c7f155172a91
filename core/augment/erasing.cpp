#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "core/augment/draws.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

// The levels that cover the box: fixed ones, or noise of a mean and a standard deviation per channel.
struct Cover {
  bool noise = false;
  std::array<float, 3> mean{}, spread{};
};

class RandomErasing : public Op {
 public:
  RandomErasing(double probability, Interval scale, Interval ratio, Cover cover) : probability_(probability), scale_(scale), ratio_(ratio), cover_(cover) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    if (random.uniform() >= probability_) return picture;
    const auto box = drawErased(scale_, ratio_, picture.size(), random);
    if (!box) return picture;
    cv::Mat result = picture.clone();
    for (int y = box->y; y < box->y + box->height; ++y)
      coverRow(result.ptr(y) + static_cast<ptrdiff_t>(box->x) * picture.channels(), box->width, picture.channels(), random);
    return result;
  }

 private:
  void coverRow(uchar* to, int width, int channels, Random& random) const {
    for (int x = 0; x < width; ++x, to += channels) {
      for (int c = 0; c < channels; ++c) {
        const float level = cover_.noise ? cover_.mean[c] + cover_.spread[c] * static_cast<float>(random.normal()) : cover_.mean[c];
        to[c] = static_cast<uchar>(std::clamp(level, 0.0F, 255.0F));
      }
    }
  }

  double probability_;
  Interval scale_, ratio_;
  Cover cover_;
};

float ofChannel(const std::vector<float>& values, size_t channel, float fallback) {
  return values.empty() ? fallback : values[std::min(channel, values.size() - 1)];
}

// "random" is noise that has mean 0 and standard deviation 1 once the chain has normalised it, as torchvision's after its Normalize.
Result<Cover> coverFrom(const Json& value, const Building& building) {
  Cover cover;
  cover.noise = value.is_string();
  std::vector<float> levels;
  if (value.is_array())
    levels = value.get<std::vector<float>>();
  else if (!cover.noise)
    levels = {value.get<float>()};
  const auto channels = static_cast<size_t>(building.shape.channels);
  if (levels.size() > 1 && levels.size() != channels) {
    return fail(ErrorCode::Recipe, "value has " + std::to_string(levels.size()) + " numbers, but the pictures have " + std::to_string(channels) + " channels",
                building.where, "give one number for all channels, or one each");
  }
  for (size_t c = 0; c < 3; ++c) {
    cover.mean[c] = cover.noise ? 255 * ofChannel(building.mean, c, 0.5F) : ofChannel(levels, c, 0);
    cover.spread[c] = 255 * ofChannel(building.std, c, 0.25F);
  }
  return cover;
}

}  // namespace

std::optional<cv::Rect> drawErased(Interval scale, Interval ratio, cv::Size size, Random& random) {
  const double area = static_cast<double>(size.width) * size.height;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double wanted = area * scale.draw(random);
    const double aspect = std::exp(random.uniform(std::log(ratio.low), std::log(ratio.high)));
    const auto height = static_cast<int>(std::nearbyint(std::sqrt(wanted * aspect)));
    const auto width = static_cast<int>(std::nearbyint(std::sqrt(wanted / aspect)));
    if (height >= size.height || width >= size.width) continue;
    const auto y = static_cast<int>(random.below(static_cast<uint64_t>(size.height - height) + 1));
    const auto x = static_cast<int>(random.below(static_cast<uint64_t>(size.width - width) + 1));
    return cv::Rect(x, y, width, height);
  }
  return std::nullopt;
}

Result<Steps> makeRandomErasing(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(const Cover cover, coverFrom(params.value("value", Json(0)), building));
  const Interval scale = *intervalFrom(params.value("scale", Json::array({0.02, 0.33})), 0),
                 ratio = *intervalFrom(params.value("ratio", Json::array({0.3, 3.3})), 0);
  return Steps{std::make_shared<RandomErasing>(params.value("p", 0.5), scale, ratio, cover)};
}

}  // namespace trainyard::augment
