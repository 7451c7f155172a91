#pragma once
// Inside the augment room: the weights of a resize along one direction, and the loops that apply them.
#include <opencv2/core/mat.hpp>
#include <vector>

#include "core/augment/resample.h"

namespace trainyard::augment {

constexpr int kTapBits = 22;    // of the weights' fractions: 8-bit pixels, and sums of 32 bits with 2 to spare
constexpr int kTapBlock = 4;    // taps that the quick loops take at a time
constexpr int kSplitBits = 11;  // a weight is high · 2^11 + low, both of 16 bits

// For each output position the first input it sees, how many, and their weights.
struct Taps {
  int span = 0;  // room for weights per position: a multiple of kTapBlock; unused ones are 0
  std::vector<int> first, count;
  std::vector<int32_t> values;  // positions × span
  std::vector<int16_t> split;   // the same, for each block the four high parts and the four low parts

  int size() const { return static_cast<int>(first.size()); }
  const int32_t* of(int position) const { return values.data() + static_cast<size_t>(position) * span; }
  const int16_t* splitOf(int position) const { return split.data() + static_cast<size_t>(position) * span * 2; }
  int begin() const { return first.front(); }  // of the inputs that are seen at all
  int end() const { return first.back() + count.back(); }
};

// `to` positions over the inputs [low, high) of `from` ones.
Taps tapsOf(int from, float low, float high, int to, Filter filter);

// Rows [first_row, first_row + rows) of the picture, each made as wide as there are taps.
cv::Mat alongRows(const cv::Mat& picture, int first_row, int rows, const Taps& taps);

// As many rows as there are taps; row 0 of `picture` is input `first_row` of the taps.
cv::Mat alongColumns(const cv::Mat& picture, int first_row, const Taps& taps);

}  // namespace trainyard::augment
