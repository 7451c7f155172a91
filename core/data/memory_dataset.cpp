#include <algorithm>

#include "core/data/formats.h"

namespace trainyard::data {

const MemoryDataset::Stretch& MemoryDataset::stretchOf(uint64_t index) const {
  const auto after =
      std::upper_bound(stretches_.begin(), stretches_.end(), index, [](uint64_t value, const Stretch& stretch) { return value < stretch.first; });
  return *std::prev(after);
}

std::string MemoryDataset::name(uint64_t index) const {
  const Stretch& stretch = stretchOf(index);
  return stretch.file + " " + std::to_string(index - stretch.first);
}

Result<cv::Mat> MemoryDataset::picture(uint64_t index) const {
  // A view: nobody writes to a picture of a dataset.
  return cv::Mat(height_, width_, CV_8UC(channels_), const_cast<unsigned char*>(pixels_.data() + index * pictureBytes()));
}

}  // namespace trainyard::data
