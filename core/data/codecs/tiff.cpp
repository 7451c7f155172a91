// TIFF through libtiff itself: OpenCV goes on after an unreadable strip and leaves its pixels as they were.
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <opencv2/imgproc.hpp>

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

constexpr char kHint[] = "remove it, or save it as an 8-bit TIFF or as PNG";

template <class T>
T field(TIFF* tiff, uint32_t tag, T fallback) {
  T value = fallback;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

cv::Mat readPixels(TIFF* tiff, int height, int width, uint16_t orientation, bool grey) {
  cv::Mat packed(height, width, CV_32SC1);
  // Asked for the file's own orientation, libtiff turns nothing (of the eight it knows only four); 1: stop at the first error.
  if (!TIFFReadRGBAImageOriented(tiff, static_cast<uint32_t>(width), static_cast<uint32_t>(height), packed.ptr<uint32_t>(), orientation, 1))
    refuse("is a damaged or cut TIFF", kHint);
  return convert(packed, grey);
}

// libtiff's ready-made reading cuts 16 bits off, it does not round.
cv::Mat readWords(TIFF* tiff, int height, int width, bool inverted) {
  const auto channels = field<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1), planar = field<uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  if (TIFFIsTiled(tiff) || (channels != 1 && channels != 3 && channels != 4) || (channels > 1 && planar != PLANARCONFIG_CONTIG)) {
    refuse("is a 16-bit TIFF in tiles, planes or with " + std::to_string(channels) + " channels", kHint);
  }
  cv::Mat words(height, width, CV_16UC(channels));
  if (static_cast<size_t>(TIFFScanlineSize(tiff)) > static_cast<size_t>(words.step)) refuse("is a damaged TIFF", kHint);
  for (int y = 0; y < height; ++y) {
    if (TIFFReadScanline(tiff, words.ptr(y), static_cast<uint32_t>(y), 0) != 1) refuse("is a damaged or cut TIFF", kHint);
  }
  if (inverted) cv::bitwise_not(words, words);
  if (channels == 1) return toGreyOrRgb(words);
  cv::Mat ordered;
  cv::cvtColor(words, ordered, channels == 3 ? cv::COLOR_RGB2BGR : cv::COLOR_RGBA2BGRA);
  return toGreyOrRgb(ordered);
}

}  // namespace

cv::Mat decodeTiff(std::string_view bytes) {
  static const bool kQuiet = [] {
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  static_cast<void>(kQuiet);
  Source source{bytes};
  const Tiff tiff(TIFFClientOpen("picture", "rm", &source, readBytes, writeNothing, seekTo, closeNothing, sizeOf, nullptr, nullptr), TIFFClose);
  if (!tiff) refuse("is a damaged or cut TIFF", kHint);
  const auto width = field<uint32_t>(tiff.get(), TIFFTAG_IMAGEWIDTH, 0), height = field<uint32_t>(tiff.get(), TIFFTAG_IMAGELENGTH, 0);
  if (width == 0 || height == 0 || uint64_t{width} * height > kMaxPixels) refuse("is a TIFF of impossible size", kHint);
  const auto bits = field<uint16_t>(tiff.get(), TIFFTAG_BITSPERSAMPLE, 1), format = field<uint16_t>(tiff.get(), TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (format != SAMPLEFORMAT_UINT || bits > 16)
    refuse("is a TIFF with " + std::to_string(bits) + "-bit signed or floating-point values", "save it with 8 or 16 bits");
  const auto photometric = field<uint16_t>(tiff.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  const auto orientation = field<uint16_t>(tiff.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  const bool inverted = photometric == PHOTOMETRIC_MINISWHITE, grey = inverted || photometric == PHOTOMETRIC_MINISBLACK;
  const auto rows = static_cast<int>(height), columns = static_cast<int>(width);
  if (bits == 16 && (grey || photometric == PHOTOMETRIC_RGB)) return turned(readWords(tiff.get(), rows, columns, inverted), orientation);
  return turned(readPixels(tiff.get(), rows, columns, orientation, grey), orientation);
}

}  // namespace trainyard::codecs
