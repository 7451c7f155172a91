#pragma once
// What the random steps draw, apart from what they then do to the pixels: plain values from a stream of random numbers.
#include <array>
#include <optional>

#include "core/augment/warp.h"
#include "core/base/json.h"
#include "core/base/random.h"

namespace trainyard::augment {

struct Interval {
  double low = 0, high = 0;
  double draw(Random& random) const { return random.uniform(low, high); }
};

// [low, high]; one number is center - number … center + number; null: nothing.
std::optional<Interval> intervalFrom(const Json& value, double center);

// A window of that share of the area and that width ÷ height: ten tries, then the largest in the middle within the ratios.
cv::Rect drawCrop(Interval scale, Interval ratio, cv::Size size, Random& random);

struct AffineRanges {
  Interval degrees;
  std::array<double, 2> translate{0, 0};  // largest shift as a share of width and height
  Interval scale{1, 1}, shear_x, shear_y;
};
Affine drawAffine(const AffineRanges& ranges, cv::Size size, Random& random);

// Where the picture's corners go: each up to strength × half the picture inwards. strength 0 … 1.
Corners drawCorners(double strength, cv::Size size, Random& random);

// A box of that share of the area and that height ÷ width, smaller than the picture in both directions; nothing when ten tries give none.
std::optional<cv::Rect> drawErased(Interval scale, Interval ratio, cv::Size size, Random& random);

// Factors for brightness, contrast, saturation and the turn of the hue; those without a range stay as they are.
struct JitterRanges {
  std::array<std::optional<Interval>, 4> of;
};
struct Jitter {
  std::array<int, 4> order{0, 1, 2, 3};  // 0 brightness, 1 contrast, 2 saturation, 3 hue
  std::array<std::optional<double>, 4> factors;
};
Jitter drawJitter(const JitterRanges& ranges, Random& random);
cv::Mat jittered(const cv::Mat& picture, const Jitter& jitter);

}  // namespace trainyard::augment
