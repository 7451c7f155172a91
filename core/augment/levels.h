#pragma once
// From 8-bit levels to the network's numbers: (level / 255 - mean) / std in floats, each of the three rounded, to the bit as torchvision's
// ToTensor and Normalize give them.
#include <opencv2/core/mat.hpp>
#include <span>
#include <vector>

namespace trainyard::augment {

class Levels {
 public:
  Levels() = default;
  // One mean and one std per channel: 1 or 3.
  Levels(std::span<const float> mean, std::span<const float> std);

  // `pixels`: 8-bit, as many channels; `out`: a float for each value, in the same order. Any thread.
  void apply(const cv::Mat& pixels, std::span<float> out) const;

 private:
  void applyRow(const uchar* from, float* to, size_t values) const;

  size_t channels_ = 1;
  std::vector<float> table_;                     // channel × 256
  std::vector<float> mean_, std_, inverse_std_;  // per value of a block of the quick loop
  bool quick_ = false;                           // the processor has what it needs, and its results are the table's
};

}  // namespace trainyard::augment
