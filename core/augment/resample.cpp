#include "core/augment/resample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace trainyard::augment {

namespace {

constexpr int kBits = 22;  // of the weights' fractions: 8-bit pixels, and sums of 32 bits with 2 to spare
constexpr int32_t kHalf = 1 << (kBits - 1);

// For each output position the first input it sees and the weights of `span` inputs from there (unused ones are 0).
struct Weights {
  int span = 0;
  std::vector<int> first, count;
  std::vector<int32_t> values;
  const int32_t* of(int position) const { return values.data() + static_cast<size_t>(position) * span; }
};

Weights triangleWeights(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double support = std::max(scale, 1.0);
  Weights weights;
  weights.span = static_cast<int>(std::ceil(support)) * 2 + 1;
  weights.values.assign(static_cast<size_t>(to) * weights.span, 0);
  std::vector<double> raw(static_cast<size_t>(weights.span));
  for (int position = 0; position < to; ++position) {
    const double center = (position + 0.5) * scale;
    const int first = std::max(static_cast<int>(center - support + 0.5), 0);
    const int count = std::min(static_cast<int>(center + support + 0.5), from) - first;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      raw[i] = std::max(0.0, 1.0 - std::abs((i + first - center + 0.5) * (1.0 / support)));
      sum += raw[i];
    }
    int32_t* values = weights.values.data() + static_cast<size_t>(position) * weights.span;
    for (int i = 0; i < count; ++i) values[i] = static_cast<int32_t>(0.5 + (sum != 0 ? raw[i] / sum : raw[i]) * (1 << kBits));
    weights.first.push_back(first);
    weights.count.push_back(count);
  }
  return weights;
}

uchar clipped(int32_t sum) { return static_cast<uchar>(std::clamp(sum >> kBits, 0, 255)); }

template <int Channels>
void resizeRow(const uchar* from, uchar* to, int width, const Weights& weights) {
  for (int x = 0; x < width; ++x, to += Channels) {
    const int32_t* values = weights.of(x);
    const uchar* pixel = from + static_cast<size_t>(weights.first[x]) * Channels;
    int32_t sums[Channels];
    std::fill_n(sums, Channels, kHalf);
    for (int i = 0; i < weights.count[x]; ++i, pixel += Channels) {
      for (int c = 0; c < Channels; ++c) sums[c] += pixel[c] * values[i];
    }
    for (int c = 0; c < Channels; ++c) to[c] = clipped(sums[c]);
  }
}

cv::Mat resizedAlongRows(const cv::Mat& picture, int width) {
  const Weights weights = triangleWeights(picture.cols, width);
  cv::Mat result(picture.rows, width, picture.type());
  for (int y = 0; y < picture.rows; ++y) {
    switch (picture.channels()) {
      case 1:
        resizeRow<1>(picture.ptr(y), result.ptr(y), width, weights);
        break;
      case 3:
        resizeRow<3>(picture.ptr(y), result.ptr(y), width, weights);
        break;
      default:
        resizeRow<4>(picture.ptr(y), result.ptr(y), width, weights);
        break;
    }
  }
  return result;
}

cv::Mat resizedAlongColumns(const cv::Mat& picture, int height) {
  const Weights weights = triangleWeights(picture.rows, height);
  cv::Mat result(height, picture.cols, picture.type());
  const size_t row_bytes = static_cast<size_t>(picture.cols) * picture.channels();
  std::vector<int32_t> sums(row_bytes);
  for (int y = 0; y < height; ++y) {
    std::fill(sums.begin(), sums.end(), kHalf);
    for (int i = 0; i < weights.count[y]; ++i) {
      const uchar* from = picture.ptr(weights.first[y] + i);
      const int32_t weight = weights.of(y)[i];
      for (size_t x = 0; x < row_bytes; ++x) sums[x] += from[x] * weight;
    }
    uchar* to = result.ptr(y);
    for (size_t x = 0; x < row_bytes; ++x) to[x] = clipped(sums[x]);
  }
  return result;
}

}  // namespace

cv::Mat resized(const cv::Mat& picture, int height, int width) {
  // Fewer rows but more columns: the rows first, so that less is computed.
  if (height < picture.rows && width > picture.cols) return resizedAlongRows(resizedAlongColumns(picture, height), width);
  cv::Mat result = picture;
  if (width != result.cols) result = resizedAlongRows(result, width);
  if (height != result.rows) result = resizedAlongColumns(result, height);
  return result;
}

}  // namespace trainyard::augment
