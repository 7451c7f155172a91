#include "core/augment/operations.h"

#include <cmath>
#include <numbers>

#include "core/augment/colour.h"

namespace trainyard::augment {

namespace {

// Number i of n evenly spaced ones, in single precision as torch.linspace.
double spaced(float from, float to, int i, int n) {
  const float step = (to - from) / static_cast<float>(n - 1);
  return i < n / 2 ? from + step * static_cast<float>(i) : to - step * static_cast<float>(n - 1 - i);
}

// 8 bits down to 8 - lost.
double bitsLeft(int lost, int i, int n) { return std::nearbyint(8.0F - static_cast<float>(i) / (static_cast<float>(n - 1) / static_cast<float>(lost))); }

cv::Mat sheared(const cv::Mat& picture, double across, double down, Interpolation interpolation, const Fill& fill) {
  const auto degrees = [](double tangent) { return std::atan(tangent) * 180.0 / std::numbers::pi; };
  return affine(picture, {0, 0, 0, 1, degrees(across), degrees(down)}, interpolation, fill, Point{0, 0});
}

}  // namespace

bool isSigned(Kind kind) { return kind >= Kind::ShearX && kind <= Kind::Sharpness; }

double magnitudeOf(Kind kind, Space space, int grade, int grades, cv::Size size) {
  const bool wide = space == Space::Wide;
  const auto upTo = [&](double most) { return spaced(0, static_cast<float>(most), grade, grades); };
  switch (kind) {
    case Kind::ShearX:
    case Kind::ShearY:
      return upTo(wide ? 0.99 : 0.3);
    case Kind::TranslateX:
      return upTo(wide ? 32.0 : 150.0 / 331.0 * size.width);
    case Kind::TranslateY:
      return upTo(wide ? 32.0 : 150.0 / 331.0 * size.height);
    case Kind::Rotate:
      return upTo(wide ? 135.0 : 30.0);
    case Kind::Brightness:
    case Kind::Color:
    case Kind::Contrast:
    case Kind::Sharpness:
      return upTo(wide ? 0.99 : 0.9);
    case Kind::Posterize:
      return bitsLeft(wide ? 6 : 4, grade, grades);
    case Kind::Solarize:
      return spaced(1, 0, grade, grades);
    default:
      return 0;
  }
}

cv::Mat operate(const cv::Mat& picture, const Operation& operation, Interpolation interpolation, const Fill& fill) {
  const double by = operation.magnitude;
  switch (operation.kind) {
    case Kind::Identity:
      return picture;
    case Kind::ShearX:
      return sheared(picture, by, 0, interpolation, fill);
    case Kind::ShearY:
      return sheared(picture, 0, by, interpolation, fill);
    case Kind::TranslateX:
      return affine(picture, {0, std::trunc(by), 0, 1, 0, 0}, interpolation, fill);
    case Kind::TranslateY:
      return affine(picture, {0, 0, std::trunc(by), 1, 0, 0}, interpolation, fill);
    case Kind::Rotate:
      return rotated(picture, by, interpolation, false, fill);
    case Kind::Brightness:
      return withBrightness(picture, 1 + by);
    case Kind::Color:
      return withSaturation(picture, 1 + by);
    case Kind::Contrast:
      return withContrast(picture, 1 + by);
    case Kind::Sharpness:
      return withSharpness(picture, 1 + by);
    case Kind::Posterize:
      return posterized(picture, static_cast<int>(by));
    case Kind::Solarize:
      return solarized(picture, 255 * by);
    case Kind::AutoContrast:
      return autocontrasted(picture);
    case Kind::Equalize:
      return equalized(picture);
    case Kind::Invert:
      return inverted(picture);
  }
  return picture;
}

}  // namespace trainyard::augment
