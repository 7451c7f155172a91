#include "core/augment/warp.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>
#include <vector>

namespace trainyard::augment {

namespace {

// Where the pixels of one output row lie in the input, in its pixels.
struct Places {
  std::vector<float> x, y;
  explicit Places(int width) : x(static_cast<size_t>(width)), y(x) {}
};

// From -1 … 1 across `size` pixels to pixels; far outside and not a number end up just outside, so that they fit an int.
float toPixels(float place, int size) {
  const float pixel = (place + 1.0F) * (static_cast<float>(size) / 2.0F) - 0.5F;
  const float most = static_cast<float>(size) + 1.0F;
  const float above = pixel > -2.0F ? pixel : -2.0F;
  return above < most ? above : most;
}

template <int Channels>
void nearestRow(const cv::Mat& picture, const Places& places, const std::array<uchar, 3>& outside, uchar* to, int width) {
  constexpr float kRound = 12582912.0F;  // 1.5 · 2^23: adding it rounds half to even
  for (int i = 0; i < width; ++i, to += Channels) {
    const int x = static_cast<int>((places.x[i] + kRound) - kRound), y = static_cast<int>((places.y[i] + kRound) - kRound);
    const bool inside = x >= 0 && y >= 0 && x < picture.cols && y < picture.rows;
    const uchar* from = inside ? picture.ptr(y) + static_cast<ptrdiff_t>(x) * Channels : outside.data();
    for (int c = 0; c < Channels; ++c) to[c] = from[c];
  }
}

int floorOf(float x) {
  const int cut = static_cast<int>(x);
  return cut - (x < static_cast<float>(cut) ? 1 : 0);
}

template <int Channels>
void bilinearRow(const cv::Mat& picture, const Places& places, const Fill& fill, uchar* to, int width) {
  for (int i = 0; i < width; ++i, to += Channels) {
    const int x = floorOf(places.x[i]), y = floorOf(places.y[i]);
    const float right = places.x[i] - static_cast<float>(x), low = places.y[i] - static_cast<float>(y);
    const float left = 1.0F - right, high = 1.0F - low;
    const bool lefts = x >= 0 && x < picture.cols, rights = x + 1 >= 0 && x + 1 < picture.cols;
    const bool highs = y >= 0 && y < picture.rows, lows = y + 1 >= 0 && y + 1 < picture.rows;
    const std::array<float, 4> weights{lefts && highs ? left * high : 0, rights && highs ? right * high : 0, lefts && lows ? left * low : 0,
                                       rights && lows ? right * low : 0};
    const uchar* above = picture.ptr(std::clamp(y, 0, picture.rows - 1));
    const uchar* below = picture.ptr(std::clamp(y + 1, 0, picture.rows - 1));
    const ptrdiff_t first = static_cast<ptrdiff_t>(std::clamp(x, 0, picture.cols - 1)) * Channels;
    const ptrdiff_t second = static_cast<ptrdiff_t>(std::clamp(x + 1, 0, picture.cols - 1)) * Channels;
    const float covered = weights[0] + weights[1] + weights[2] + weights[3];
    for (int c = 0; c < Channels; ++c) {
      float level = weights[0] * above[first + c] + weights[1] * above[second + c] + weights[2] * below[first + c] + weights[3] * below[second + c];
      if (fill) level = (level - (*fill)[c]) * covered + (*fill)[c];
      to[c] = static_cast<uchar>(std::clamp(static_cast<int>(std::nearbyint(level)), 0, 255));
    }
  }
}

// `placesOf(row, places)` fills the places of one output row, from -1 to 1 across the input.
template <class PlacesOf>
cv::Mat sampled(const cv::Mat& picture, int height, int width, Interpolation interpolation, const Fill& fill, PlacesOf placesOf) {
  cv::Mat result(height, width, picture.type());
  std::array<uchar, 3> outside{};
  if (fill) std::transform(fill->begin(), fill->end(), outside.begin(), [](float level) { return static_cast<uchar>(std::nearbyint(level)); });
  Places places(width);
  for (int y = 0; y < height; ++y) {
    placesOf(y, places);
    for (int i = 0; i < width; ++i) {
      places.x[i] = toPixels(places.x[i], picture.cols);
      places.y[i] = toPixels(places.y[i], picture.rows);
    }
    const bool grey = picture.channels() == 1;
    if (interpolation == Interpolation::Nearest)
      (grey ? nearestRow<1> : nearestRow<3>)(picture, places, outside, result.ptr(y), width);
    else
      (grey ? bilinearRow<1> : bilinearRow<3>)(picture, places, fill, result.ptr(y), width);
  }
  return result;
}

using Matrix = std::array<double, 6>;

double radians(double degrees) { return degrees * (std::numbers::pi / 180.0); }

// From the output's pixels to the input's, both counted from the middle of the picture.
Matrix inverseOf(const Affine& move, const Point& center) {
  const double turn = radians(move.angle), shear_x = radians(move.shear_x), shear_y = radians(move.shear_y);
  const double a = std::cos(turn - shear_y) / std::cos(shear_y);
  const double b = -(a * std::tan(shear_x) + std::sin(turn));
  const double c = std::sin(turn - shear_y) / std::cos(shear_y);
  const double d = std::cos(turn) - c * std::tan(shear_x);
  Matrix matrix{d / move.scale, -b / move.scale, 0, -c / move.scale, a / move.scale, 0};
  matrix[2] = center[0] - matrix[0] * (center[0] + move.dx) - matrix[1] * (center[1] + move.dy);
  matrix[5] = center[1] - matrix[3] * (center[0] + move.dx) - matrix[4] * (center[1] + move.dy);
  return matrix;
}

cv::Mat warped(const cv::Mat& picture, const Matrix& matrix, int height, int width, Interpolation interpolation, const Fill& fill) {
  const float half_width = 0.5F * static_cast<float>(picture.cols), half_height = 0.5F * static_cast<float>(picture.rows);
  std::array<float, 6> m{};
  for (size_t i = 0; i < 6; ++i) m[i] = static_cast<float>(matrix[i]) / (i < 3 ? half_width : half_height);
  const float left = static_cast<float>(1 - width) * 0.5F, top = static_cast<float>(1 - height) * 0.5F;
  return sampled(picture, height, width, interpolation, fill, [&](int row, Places& places) {
    const float y = top + static_cast<float>(row);
    const float across = y * m[1], down = y * m[4];
    for (int i = 0; i < width; ++i) {
      const float x = left + static_cast<float>(i);
      places.x[i] = (x * m[0] + across) + m[2];
      places.y[i] = (x * m[3] + down) + m[5];
    }
  });
}

Point fromMiddle(const cv::Mat& picture, const std::optional<Point>& center) {
  if (!center) return {0, 0};
  return {(*center)[0] - picture.cols * 0.5, (*center)[1] - picture.rows * 0.5};
}

// Pixels that the turned picture reaches along one direction; `row` is that direction's row of the matrix.
int reach(const float* row, float half_width, float half_height, float half) {
  float least = INFINITY, most = -INFINITY;
  for (const float x : {-half_width, half_width}) {
    for (const float y : {-half_height, half_height}) {
      const float place = x * row[0] + y * row[1] + row[2];
      least = std::min(least, place);
      most = std::max(most, place);
    }
  }
  // Cut to 1e-4, so that rounding does not add a pixel.
  const auto cut = [&](float place) { return std::trunc((place + half) * 10000.0F) * 1e-4F; };
  return static_cast<int>(std::ceil(cut(most)) - std::floor(cut(least)));
}

cv::Mat turned(const cv::Mat& picture, cv::RotateFlags quarter) {
  cv::Mat result;
  cv::rotate(picture, result, quarter);
  return result;
}

}  // namespace

cv::Mat affine(const cv::Mat& picture, const Affine& move, Interpolation interpolation, const Fill& fill, const std::optional<Point>& center) {
  return warped(picture, inverseOf(move, fromMiddle(picture, center)), picture.rows, picture.cols, interpolation, fill);
}

cv::Mat rotated(const cv::Mat& picture, double degrees, Interpolation interpolation, bool expand, const Fill& fill, const std::optional<Point>& center) {
  const double angle = degrees - 360 * std::floor(degrees / 360);
  if (!center) {
    if (angle == 0) return picture;
    if (angle == 180) return turned(picture, cv::ROTATE_180);
    const bool quarter_fits = expand || picture.rows == picture.cols;
    if (angle == 90 && quarter_fits) return turned(picture, cv::ROTATE_90_COUNTERCLOCKWISE);
    if (angle == 270 && quarter_fits) return turned(picture, cv::ROTATE_90_CLOCKWISE);
  }
  const Matrix matrix = inverseOf({-angle, 0, 0, 1, 0, 0}, fromMiddle(picture, center));
  if (!expand) return warped(picture, matrix, picture.rows, picture.cols, interpolation, fill);
  std::array<float, 6> m{};
  std::transform(matrix.begin(), matrix.end(), m.begin(), [](double x) { return static_cast<float>(x); });
  const float half_width = 0.5F * static_cast<float>(picture.cols), half_height = 0.5F * static_cast<float>(picture.rows);
  const int width = reach(m.data(), half_width, half_height, half_width), height = reach(m.data() + 3, half_width, half_height, half_height);
  return warped(picture, matrix, std::max(height, 1), std::max(width, 1), interpolation, fill);
}

Coefficients perspectiveOf(const Corners& from, const Corners& to) {
  cv::Mat equations = cv::Mat::zeros(8, 8, CV_64F), values(8, 1, CV_64F), solution;
  for (int i = 0; i < 4; ++i) {
    const auto [x, y] = to[i];
    const auto [u, v] = from[i];
    const std::array<double, 8> across{x, y, 1, 0, 0, 0, -u * x, -u * y}, down{0, 0, 0, x, y, 1, -v * x, -v * y};
    std::copy(across.begin(), across.end(), equations.ptr<double>(2 * i));
    std::copy(down.begin(), down.end(), equations.ptr<double>(2 * i + 1));
    values.at<double>(2 * i) = u;
    values.at<double>(2 * i + 1) = v;
  }
  // Pictures of a pixel or two have corners that coincide: the solution of least squares.
  if (!cv::solve(equations, values, solution, cv::DECOMP_LU)) cv::solve(equations, values, solution, cv::DECOMP_SVD);
  Coefficients coefficients{};
  for (int i = 0; i < 8; ++i) coefficients[i] = static_cast<float>(solution.at<double>(i));
  return coefficients;
}

cv::Mat perspective(const cv::Mat& picture, const Coefficients& k, Interpolation interpolation, const Fill& fill) {
  const float half_width = 0.5F * static_cast<float>(picture.cols), half_height = 0.5F * static_cast<float>(picture.rows);
  const std::array<float, 6> m{k[0] / half_width, k[1] / half_width, k[2] / half_width, k[3] / half_height, k[4] / half_height, k[5] / half_height};
  return sampled(picture, picture.rows, picture.cols, interpolation, fill, [&](int row, Places& places) {
    const float y = 0.5F + static_cast<float>(row);
    for (int i = 0; i < picture.cols; ++i) {
      const float x = 0.5F + static_cast<float>(i);
      const float depth = (x * k[6] + y * k[7]) + 1.0F;
      places.x[i] = ((x * m[0] + y * m[1]) + m[2]) / depth - 1.0F;
      places.y[i] = ((x * m[3] + y * m[4]) + m[5]) / depth - 1.0F;
    }
  });
}

}  // namespace trainyard::augment
