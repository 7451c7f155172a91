#pragma once
// Inside the data room: a picture at a glance, for comparing.
#include <opencv2/core/mat.hpp>

namespace trainyard::data {

inline constexpr int kThumbnailEdge = 16;

// 8-bit grey, 16×16, whatever the picture's shape: each of its pixels is the mean of the part it stands for. 8-bit picture, 1 or 3 channels (RGB).
cv::Mat greyThumbnail(const cv::Mat& picture);

}  // namespace trainyard::data
