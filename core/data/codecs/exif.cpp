#include <opencv2/core.hpp>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

using namespace std::string_view_literals;

class Reader {
 public:
  Reader(std::string_view bytes, bool little) : bytes_(bytes), little_(little) {}
  // 0 beyond the end.
  uint64_t at(size_t offset, size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[offset + (little_ ? size - 1 - i : i)]);
    return value;
  }

 private:
  std::string_view bytes_;
  bool little_;
};

// A TIFF structure: header, then the first directory.
int orientationIn(std::string_view exif) {
  if (exif.starts_with("Exif\0\0"sv)) exif.remove_prefix(6);
  const bool little = exif.starts_with("II*\0"sv);
  if (!little && !exif.starts_with("MM\0*"sv)) return 1;
  const Reader reader(exif, little);
  constexpr uint64_t kOrientation = 0x0112;
  const size_t directory = reader.at(4, 4);
  const size_t entries = reader.at(directory, 2);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + 12 * i;
    if (reader.at(entry, 2) != kOrientation) continue;
    const auto value = static_cast<int>(reader.at(entry + 8, 2));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

std::string_view exifOfJpeg(std::string_view bytes) {
  const Reader reader(bytes, false);
  constexpr uint64_t kStartOfScan = 0xffda, kApp1 = 0xffe1;
  for (size_t at = 2; at + 4 <= bytes.size();) {
    const uint64_t marker = reader.at(at, 2);
    if (marker == 0xffff) {  // fill bytes may stand before a marker
      ++at;
      continue;
    }
    const size_t length = reader.at(at + 2, 2);
    if (marker >> 8 != 0xff || marker == kStartOfScan || length < 2) break;
    const std::string_view body = bytes.substr(at + 4, length - 2);
    if (marker == kApp1 && body.starts_with("Exif\0\0"sv)) return body;
    at += 2 + length;
  }
  return {};
}

// PNG and WebP: a name and a size before each chunk.
std::string_view exifOfChunks(std::string_view bytes, bool png) {
  const Reader reader(bytes, !png);
  for (size_t at = png ? 8 : 12; at + 8 <= bytes.size();) {
    const size_t size = reader.at(at + (png ? 0 : 4), 4);
    const std::string_view name = bytes.substr(at + (png ? 4 : 0), 4);
    if (name == (png ? "eXIf" : "EXIF")) return bytes.substr(at + 8, size);
    at += 8 + size + (png ? 4 : size % 2);
  }
  return {};
}

}  // namespace

int exifOrientation(std::string_view bytes) {
  if (bytes.starts_with("\xff\xd8"sv)) return orientationIn(exifOfJpeg(bytes));
  return orientationIn(exifOfChunks(bytes, bytes.starts_with("\x89PNG"sv)));
}

cv::Mat turned(const cv::Mat& picture, int orientation) {
  cv::Mat result;
  if (orientation >= 5 && orientation <= 8)
    cv::transpose(picture, result);
  else
    result = picture;
  cv::Mat upright;
  switch (orientation) {
    case 2:
    case 6:
      cv::flip(result, upright, 1);
      return upright;
    case 3:
    case 7:
      cv::flip(result, upright, -1);
      return upright;
    case 4:
    case 8:
      cv::flip(result, upright, 0);
      return upright;
    default:
      return result;
  }
}

}  // namespace trainyard::codecs
