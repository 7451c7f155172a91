#pragma once
// Inside the decoder module: one decoder per kind of file, and what they share.
#include <cstdint>

#include "core/data/codecs/module.h"

namespace trainyard::codecs {

// A file that cannot be used; caught at the module's border.
struct Unreadable {
  Problem problem;
};

inline constexpr uint64_t kMaxPixels = 1ULL << 30;

[[noreturn]] void refuse(std::string what, std::string hint = {});

// Each gives 8-bit grey or RGB, not yet turned by EXIF. Throws Unreadable, or what OpenCV throws.
cv::Mat decodeJpeg(std::string_view bytes);
cv::Mat decodeTiff(std::string_view bytes);
cv::Mat decodeByOpenCv(std::string_view bytes);

// Throw Unreadable when the file ends before its format says so, or a checksum is wrong.
void checkPng(std::string_view bytes);
void checkWebp(std::string_view bytes);
void checkBmp(std::string_view bytes);

// EXIF orientation 1 … 8 of a JPEG, PNG or WebP file; 1 when it has none.
int exifOrientation(std::string_view bytes);
cv::Mat turned(const cv::Mat& picture, int orientation);

// Any OpenCV picture (BGR order, 8 or 16 bit, with or without alpha) to 8-bit grey or RGB; alpha is laid on white.
cv::Mat toGreyOrRgb(const cv::Mat& decoded);

}  // namespace trainyard::codecs
