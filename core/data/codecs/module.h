#pragma once
// The border of the decoder module libtrainyard_images.so. Both sides are built together and share one OpenCV core; nothing throws across.
#include <opencv2/core/mat.hpp>
#include <string>
#include <string_view>

namespace trainyard::codecs {

struct Problem {
  std::string what, hint;
};

// True: `picture` holds 8-bit grey or RGB. False: `problem` says why not.
using DecodeFn = bool (*)(std::string_view bytes, cv::Mat& picture, Problem& problem) noexcept;
inline constexpr char kDecodeName[] = "trainyard_decode_picture";

// 8-bit grey or RGB to the bytes of a PNG file.
using EncodePngFn = bool (*)(const cv::Mat& picture, std::string& bytes, Problem& problem) noexcept;
inline constexpr char kEncodePngName[] = "trainyard_encode_png";

}  // namespace trainyard::codecs
