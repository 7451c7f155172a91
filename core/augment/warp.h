#pragma once
// Pictures turned, shifted, sheared or tilted, as torchvision's functions give them for 8-bit tensors: the same sums in single precision, so
// that nearest pixels agree to the last one. Deterministic; any thread.
#include <array>
#include <opencv2/core/mat.hpp>
#include <optional>

namespace trainyard::augment {

enum class Interpolation { Nearest, Bilinear };

// Levels of what lies outside the picture. Without them it is black, and bilinear edges fade once; with them, even black ones, edges fade twice
// (torchvision multiplies by the coverage a second time).
using Fill = std::optional<std::array<float, 3>>;

struct Affine {
  double angle = 0;                 // degrees, clockwise
  double dx = 0, dy = 0;            // pixels
  double scale = 1;                 // > 0
  double shear_x = 0, shear_y = 0;  // degrees, within ±90
};

using Point = std::array<double, 2>;   // x, y
using Corners = std::array<Point, 4>;  // top left, top right, bottom right, bottom left
using Coefficients = std::array<float, 8>;

// All take 8-bit pictures of 1 or 3 channels. `center`: in pixels from the top left corner; nothing: the middle.
cv::Mat affine(const cv::Mat& picture, const Affine& move, Interpolation interpolation, const Fill& fill, const std::optional<Point>& center = {});

// Counter-clockwise. `expand`: as large as the turned picture.
cv::Mat rotated(const cv::Mat& picture, double degrees, Interpolation interpolation, bool expand, const Fill& fill, const std::optional<Point>& center = {});

// Of the map that brings `to` back to `from`.
Coefficients perspectiveOf(const Corners& from, const Corners& to);
cv::Mat perspective(const cv::Mat& picture, const Coefficients& coefficients, Interpolation interpolation, const Fill& fill);

}  // namespace trainyard::augment
