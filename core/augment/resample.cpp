#include "core/augment/resample.h"

#include <algorithm>
#include <cmath>

#include "core/augment/resample_taps.h"

namespace trainyard::augment {

namespace {

struct Kernel {
  double (*weight)(double);
  double support;
};

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
  return x < 2.0 ? (((x - 5) * x + 8) * x - 4) * a : 0.0;
}

int32_t fixedPoint(double weight) { return static_cast<int32_t>((weight < 0 ? -0.5 : 0.5) + weight * (1 << kTapBits)); }

void addSplit(Taps& taps) {
  taps.split.resize(taps.values.size() * 2);
  for (size_t block = 0; block < taps.values.size(); block += kTapBlock) {
    int16_t* split = taps.split.data() + block * 2;
    for (int i = 0; i < kTapBlock; ++i) {
      const int32_t value = taps.values[block + i];
      split[i] = static_cast<int16_t>(value >> kSplitBits);
      split[kTapBlock + i] = static_cast<int16_t>(value & ((1 << kSplitBits) - 1));
    }
  }
}

bool whole(double value) { return value == std::nearbyint(value); }

// The inputs under the middles of `to` outputs over [low, low + length), summed up as Pillow does.
std::vector<int> middles(double low, double length, int from, int to) {
  std::vector<int> inputs;
  const double step = length / to;
  double middle = low + step * 0.5;
  for (int i = 0; i < to; ++i, middle += step) inputs.push_back(std::clamp(static_cast<int>(middle), 0, from - 1));
  return inputs;
}

cv::Mat nearest(const cv::Mat& picture, const cv::Rect2d& box, int height, int width) {
  const std::vector<int> columns = middles(box.x, box.width, picture.cols, width), rows = middles(box.y, box.height, picture.rows, height);
  const int channels = picture.channels();
  cv::Mat result(height, width, picture.type());
  for (int y = 0; y < height; ++y) {
    const uchar* from = picture.ptr(rows[y]);
    uchar* to = result.ptr(y);
    for (int x = 0; x < width; ++x, to += channels) std::copy_n(from + static_cast<ptrdiff_t>(columns[x]) * channels, channels, to);
  }
  return result;
}

}  // namespace

Taps tapsOf(int from, float low, float high, int to, Filter filter) {
  const Kernel kernel = filter == Filter::Bilinear ? Kernel{triangle, 1.0} : Kernel{cubic, 2.0};
  const double scale = static_cast<double>(high - low) / to;
  const double stretch = std::max(scale, 1.0), support = kernel.support * stretch;
  const int widest = static_cast<int>(std::ceil(support)) * 2 + 1;
  Taps taps;
  taps.span = (widest + kTapBlock - 1) / kTapBlock * kTapBlock;
  taps.first.resize(static_cast<size_t>(to));
  taps.count.resize(static_cast<size_t>(to));
  taps.values.assign(static_cast<size_t>(to) * taps.span, 0);
  std::vector<double> raw(static_cast<size_t>(widest));
  int used = 1;
  for (int position = 0; position < to; ++position) {
    const double center = low + (position + 0.5) * scale;
    const int first = std::max(static_cast<int>(center - support + 0.5), 0);
    const int count = std::min(static_cast<int>(center + support + 0.5), from) - first;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      raw[i] = kernel.weight((i + first - center + 0.5) * (1.0 / stretch));
      sum += raw[i];
    }
    int32_t* values = taps.values.data() + static_cast<size_t>(position) * taps.span;
    for (int i = 0; i < count; ++i) values[i] = fixedPoint(sum != 0 ? raw[i] / sum : raw[i]);
    taps.first[position] = first;
    taps.count[position] = count;
    used = std::max(used, count);
  }
  // Most of the time the last block is empty everywhere.
  const int needed = (used + kTapBlock - 1) / kTapBlock * kTapBlock;
  if (needed < taps.span) {
    for (int position = 1; position < to; ++position) std::copy_n(taps.of(position), needed, taps.values.data() + static_cast<size_t>(position) * needed);
    taps.span = needed;
    taps.values.resize(static_cast<size_t>(to) * needed);
  }
  addSplit(taps);
  return taps;
}

cv::Mat resized(const cv::Mat& picture, const cv::Rect2d& box, int height, int width, Filter filter) {
  if (filter == Filter::Nearest) return nearest(picture, box, height, width);
  const auto left = static_cast<float>(box.x), right = static_cast<float>(box.x + box.width);
  const auto top = static_cast<float>(box.y), bottom = static_cast<float>(box.y + box.height);
  const bool rows_change = left != 0 || right != static_cast<float>(picture.cols) || width != picture.cols;
  const bool columns_change = top != 0 || bottom != static_cast<float>(picture.rows) || height != picture.rows;
  if (!rows_change && !columns_change) return picture;
  if (!columns_change) return alongRows(picture, 0, picture.rows, tapsOf(picture.cols, left, right, width, filter));
  const Taps down = tapsOf(picture.rows, top, bottom, height, filter);
  if (!rows_change) return alongColumns(picture, 0, down);
  const Taps along = tapsOf(picture.cols, left, right, width, filter);
  // Where far more rows go than columns, Pillow takes the columns' direction first; rounding in between makes that show.
  if (height < picture.rows && picture.rows - height > 2 * (picture.cols - width)) return alongRows(alongColumns(picture, 0, down), 0, height, along);
  return alongColumns(alongRows(picture, down.begin(), down.end() - down.begin(), along), down.begin(), down);
}

cv::Mat resized(const cv::Mat& picture, int height, int width, Filter filter) {
  return resized(picture, cv::Rect2d(0, 0, picture.cols, picture.rows), height, width, filter);
}

cv::Mat resized(const Cut& cut, int height, int width, Filter filter) {
  const cv::Rect2d& box = cut.box;
  if (whole(box.x) && whole(box.y) && whole(box.width) && whole(box.height)) return resized(cut.pixels(cv::Rect(box)), height, width, filter);
  return resized(cut.pixels, box, height, width, filter);
}

}  // namespace trainyard::augment
