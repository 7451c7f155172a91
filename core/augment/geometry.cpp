#include <cmath>

#include "core/augment/draws.h"
#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

struct Look {
  Interpolation interpolation = Interpolation::Nearest;
  Fill fill;
  std::optional<Point> center;
};

Result<Look> lookFrom(const Json& params, const char* interpolation, const Building& building) {
  Look look;
  look.interpolation = interpolationFrom(params, interpolation);
  TRAINYARD_TRY(look.fill, fillFrom(params, 0, building));
  const Json center = params.value("center", Json());
  if (center.is_array()) look.center = center.get<Point>();
  return look;
}

class RandomRotation : public Op {
 public:
  RandomRotation(Interval degrees, bool expand, Look look) : degrees_(degrees), expand_(expand), look_(std::move(look)) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    return rotated(picture, degrees_.draw(random), look_.interpolation, expand_, look_.fill, look_.center);
  }

 private:
  Interval degrees_;
  bool expand_;
  Look look_;
};

class RandomAffine : public Op {
 public:
  RandomAffine(AffineRanges ranges, Look look) : ranges_(ranges), look_(std::move(look)) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    return affine(picture, drawAffine(ranges_, picture.size(), random), look_.interpolation, look_.fill, look_.center);
  }

 private:
  AffineRanges ranges_;
  Look look_;
};

class RandomPerspective : public Op {
 public:
  RandomPerspective(double strength, double probability, Look look) : strength_(strength), probability_(probability), look_(std::move(look)) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    // A line of pixels has no corners to move.
    if (random.uniform() >= probability_ || picture.rows < 2 || picture.cols < 2) return picture;
    const double right = picture.cols - 1, bottom = picture.rows - 1;
    const Corners from{{{0, 0}, {right, 0}, {right, bottom}, {0, bottom}}};
    return perspective(picture, perspectiveOf(from, drawCorners(strength_, picture.size(), random)), look_.interpolation, look_.fill);
  }

 private:
  double strength_, probability_;
  Look look_;
};

double rounded(double x) { return std::nearbyint(x); }

}  // namespace

Affine drawAffine(const AffineRanges& ranges, cv::Size size, Random& random) {
  Affine move;
  const double most_x = ranges.translate[0] * size.width, most_y = ranges.translate[1] * size.height;
  move.angle = ranges.degrees.draw(random);
  move.dx = rounded(random.uniform(-most_x, most_x));
  move.dy = rounded(random.uniform(-most_y, most_y));
  move.scale = ranges.scale.draw(random);
  move.shear_x = ranges.shear_x.draw(random);
  move.shear_y = ranges.shear_y.draw(random);
  return move;
}

Corners drawCorners(double strength, cv::Size size, Random& random) {
  const auto inwards = [&](int length) { return static_cast<int>(strength * (length / 2)) + 1; };
  const int most_x = inwards(size.width), most_y = inwards(size.height);
  const auto low = [&](int most) { return static_cast<double>(random.below(static_cast<uint64_t>(most))); };
  const auto high = [&](int most, int length) { return length - most + low(most); };
  Corners to;
  to[0] = {low(most_x), low(most_y)};
  to[1] = {high(most_x, size.width), low(most_y)};
  to[2] = {high(most_x, size.width), high(most_y, size.height)};
  to[3] = {low(most_x), high(most_y, size.height)};
  return to;
}

Result<Steps> makeRandomRotation(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Look look, lookFrom(params, "nearest", building));
  const bool expand = params.value("expand", false);
  if (expand) {
    building.fixed = false;
    building.varies = true;
  }
  return Steps{std::make_shared<RandomRotation>(*intervalFrom(params.at("degrees"), 0), expand, std::move(look))};
}

Result<Steps> makeRandomAffine(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Look look, lookFrom(params, "nearest", building));
  AffineRanges ranges;
  ranges.degrees = *intervalFrom(params.at("degrees"), 0);
  const Json translate = params.value("translate", Json()), shear = params.value("shear", Json());
  if (translate.is_array()) ranges.translate = translate.get<std::array<double, 2>>();
  if (const auto scale = intervalFrom(params.value("scale", Json()), 1)) ranges.scale = *scale;
  if (const auto across = intervalFrom(shear, 0)) ranges.shear_x = *across;
  if (shear.is_array() && shear.size() == 4) ranges.shear_y = {shear[2].get<double>(), shear[3].get<double>()};
  return Steps{std::make_shared<RandomAffine>(ranges, std::move(look))};
}

Result<Steps> makeRandomPerspective(const Json& params, Building& building) {
  if (!building.training) return Steps{};
  TRAINYARD_TRY(Look look, lookFrom(params, "bilinear", building));
  return Steps{std::make_shared<RandomPerspective>(params.value("distortion_scale", 0.5), params.value("p", 0.5), std::move(look))};
}

}  // namespace trainyard::augment
