// TIFF through libtiff itself: OpenCV goes on after an unreadable strip and leaves its pixels as they were.
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

struct Source {
  std::string_view bytes;
  uint64_t position = 0;
};

tmsize_t readBytes(thandle_t handle, void* to, tmsize_t size) {
  auto* source = static_cast<Source*>(handle);
  if (source->position >= source->bytes.size()) return 0;
  const size_t count = std::min<size_t>(static_cast<size_t>(size), source->bytes.size() - source->position);
  std::memcpy(to, source->bytes.data() + source->position, count);
  source->position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) { return 0; }
int closeNothing(thandle_t) { return 0; }
toff_t sizeOf(thandle_t handle) { return static_cast<Source*>(handle)->bytes.size(); }

toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
  auto* source = static_cast<Source*>(handle);
  source->position = whence == SEEK_SET ? offset : whence == SEEK_CUR ? source->position + offset : source->bytes.size() + offset;
  return source->position;
}

using Tiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

cv::Mat convert(const cv::Mat& packed, bool grey) {
  cv::Mat picture(packed.size(), grey ? CV_8UC1 : CV_8UC3);
  for (int y = 0; y < packed.rows; ++y) {
    const auto* from = packed.ptr<uint32_t>(y);
    auto* to = picture.ptr<uchar>(y);
    for (int x = 0; x < packed.cols; ++x) {
      const uint32_t white = 255 - TIFFGetA(from[x]);  // libtiff has multiplied the colours by alpha
      const uint32_t rgb[3] = {TIFFGetR(from[x]) + white, TIFFGetG(from[x]) + white, TIFFGetB(from[x]) + white};
      for (int c = 0; c < picture.channels(); ++c) *to++ = static_cast<uchar>(std::min(rgb[c], 255U));
    }
  }
  return picture;
}

}  // namespace

cv::Mat decodeTiff(std::string_view bytes) {
  constexpr char kHint[] = "remove it, or save it as an 8-bit TIFF or as PNG";
  Source source{bytes};
  uint32_t width = 0, height = 0;
  uint16_t bits = 1, photometric = PHOTOMETRIC_MINISBLACK, orientation = ORIENTATION_TOPLEFT, format = SAMPLEFORMAT_UINT;
  {
    // Again for each file: OpenCV puts its own handlers in place when it first meets a TIFF.
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    const Tiff tiff(TIFFClientOpen("picture", "rm", &source, readBytes, writeNothing, seekTo, closeNothing, sizeOf, nullptr, nullptr), TIFFClose);
    if (!tiff) refuse("is a damaged or cut TIFF", kHint);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_ORIENTATION, &orientation);
    TIFFGetField(tiff.get(), TIFFTAG_PHOTOMETRIC, &photometric);
    if (format != SAMPLEFORMAT_UINT || bits > 16)
      refuse("is a TIFF with " + std::to_string(bits) + "-bit signed or floating-point values", "save it with 8 or 16 bits");
    if (width == 0 || height == 0 || static_cast<uint64_t>(width) * height > kMaxPixels) refuse("is a TIFF of impossible size", kHint);
    if (bits <= 8) {
      cv::Mat packed(static_cast<int>(height), static_cast<int>(width), CV_32SC1);
      // Asked for the file's own orientation, libtiff turns nothing (of the eight it knows only four); 1: stop at the first error.
      if (!TIFFReadRGBAImageOriented(tiff.get(), width, height, packed.ptr<uint32_t>(), orientation, 1)) refuse("is a damaged or cut TIFF", kHint);
      return turned(convert(packed, photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE), orientation);
    }
  }
  return decodeByOpenCv(bytes);
}

}  // namespace trainyard::codecs
