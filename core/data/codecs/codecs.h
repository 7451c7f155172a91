#pragma once
// Inside the decoder module: one file per kind of picture, and what they share.
#include <cstdint>
#include <optional>

#include "core/data/codecs/module.h"

namespace trainyard::codecs {

using data::DecodeOptions;
using data::ImageFacts;

// A file that cannot be used; caught at the module's border.
struct Unreadable {
  Problem problem;
};

inline constexpr char kCopyAgain[] = "remove it or copy it again";

[[noreturn]] void refuse(std::string what, std::string hint = kCopyAgain);

// One kind of file. The functions throw Unreadable.
struct Codec {
  const char* kind;
  bool (*recognises)(std::string_view bytes);
  // From the header alone; width and height as stored, not yet turned by `orientation`.
  ImageFacts (*inspect)(std::string_view bytes);
  // 8-bit with 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA, not premultiplied) channels, not yet turned. `facts` are inspect's, within
  // options.max_pixels. A decoder may give options.channels at once; the rest is done by finished().
  cv::Mat (*decode)(std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options);
};

extern const Codec kJpeg, kPng, kBmp, kWebp, kTiff, kGif, kHeic, kAvif;

// A part of a JPEG as stored: `region` and `target` are not turned either.
augment::Cut decodeJpegPart(std::string_view bytes, const ImageFacts& facts, const DecodeOptions& options, const cv::Rect& region, cv::Size target);

// 8-bit grey or RGB.
std::string encodePng(const cv::Mat& picture);

// Alpha laid on the background, then options.channels.
cv::Mat finished(const cv::Mat& decoded, const DecodeOptions& options);

// As Pillow's mode L: ITU-R 601-2 luma in 16-bit fixed point. The luma plane of a JPEG is the same quantity.
cv::Mat lumaOf(const cv::Mat& rgb);

// Colours multiplied by alpha, as some TIFF and HEIC files hold them, to plain ones. 2 or 4 channels, in place.
void divideByAlpha(cv::Mat& picture);

// EXIF orientation 1 … 8: from the stored picture to the upright one, and back for a region.
bool swapsSides(int orientation);
cv::Mat turned(const cv::Mat& picture, int orientation);
augment::Cut turned(const augment::Cut& cut, int orientation);
cv::Rect storedRegion(const cv::Rect& upright, cv::Size stored, int orientation);

struct Exif {
  int orientation = 1;
  std::optional<int64_t> taken;  // s since 1970 by the camera's clock
};

// Of a TIFF structure, with or without "Exif\0\0" before it; what is not there or makes no sense is left out.
Exif readExif(std::string_view bytes);

}  // namespace trainyard::codecs
