#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

constexpr char kHint[] = "remove it or copy it again";

cv::Mat onWhite(const cv::Mat& bgra) {
  cv::Mat bgr(bgra.size(), CV_8UC3);
  for (int y = 0; y < bgra.rows; ++y) {
    const auto* from = bgra.ptr<cv::Vec4b>(y);
    auto* to = bgr.ptr<cv::Vec3b>(y);
    for (int x = 0; x < bgra.cols; ++x) {
      const int alpha = from[x][3];
      for (int c = 0; c < 3; ++c) to[x][c] = static_cast<uchar>((from[x][c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
  }
  return bgr;
}

bool isGreyPng(std::string_view bytes) {
  constexpr size_t kColourType = 25;
  return bytes.size() > kColourType && bytes[0] == '\x89' && (bytes[kColourType] == 0 || bytes[kColourType] == 4);
}

}  // namespace

cv::Mat toGreyOrRgb(const cv::Mat& decoded) {
  cv::Mat picture = decoded;
  if (picture.depth() == CV_16U) {
    decoded.convertTo(picture, CV_8U, 1.0 / 257);
  } else if (picture.depth() != CV_8U) {
    refuse("holds signed or floating-point values", "save it with 8 or 16 bits");
  }
  if (picture.channels() == 4) picture = onWhite(picture);
  if (picture.channels() == 3) {
    cv::Mat rgb;
    cv::cvtColor(picture, rgb, cv::COLOR_BGR2RGB);
    return rgb;
  }
  if (picture.channels() != 1) refuse("has " + std::to_string(picture.channels()) + " channels", "save it in grey or RGB");
  return picture;
}

cv::Mat decodeByOpenCv(std::string_view bytes) {
  // imdecode only reads from the array, which it takes as a matrix.
  const cv::Mat all(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<char*>(bytes.data()));
  const cv::Mat decoded = cv::imdecode(all, cv::IMREAD_UNCHANGED);
  if (decoded.empty()) refuse("is damaged or cut short: it cannot be decoded", kHint);
  cv::Mat picture = toGreyOrRgb(decoded);
  if (picture.channels() == 3 && isGreyPng(bytes)) cv::extractChannel(picture, picture, 0);
  return picture;
}

}  // namespace trainyard::codecs
