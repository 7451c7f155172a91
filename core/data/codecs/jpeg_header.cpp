// What the markers of a JPEG say before its pixels begin.
#include "core/data/codecs/bytes.h"
#include "core/data/codecs/jpeg.h"

namespace trainyard::codecs {

namespace {

constexpr uint64_t kStartOfScan = 0xda, kEndOfImage = 0xd9, kApp1 = 0xe1;

bool standsAlone(uint64_t marker) { return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8); }

bool isFrame(uint64_t marker) { return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc; }

}  // namespace

ImageFacts inspectJpeg(std::string_view jpeg) {
  const Bytes bytes(jpeg, Endian::Big);
  ImageFacts facts;
  bool frame = false, exif = false;
  for (size_t at = 2; at + 4 <= jpeg.size();) {
    const uint64_t marker = bytes.at(at + 1, 1);
    if (bytes.at(at, 1) != 0xff || marker == 0xff || marker == 0) {  // fill bytes, or stray ones between segments, as libjpeg passes them
      ++at;
      continue;
    }
    if (standsAlone(marker)) {
      at += 2;
      continue;
    }
    if (marker == kStartOfScan || marker == kEndOfImage) break;
    const uint64_t length = bytes.at(at + 2, 2);
    if (length < 2) break;
    if (isFrame(marker) && !frame) {
      frame = at + 10 <= jpeg.size();
      facts.bits = static_cast<int>(bytes.at(at + 4, 1));
      facts.height = static_cast<int>(bytes.at(at + 5, 2));
      facts.width = static_cast<int>(bytes.at(at + 7, 2));
      facts.channels = static_cast<int>(bytes.at(at + 9, 1));
      facts.cmyk = facts.channels == 4;
    }
    const std::string_view body = bytes.part(at + 4, length - 2);
    if (marker == kApp1 && !exif && body.starts_with("Exif\0\0"sv)) {
      exif = true;
      const auto [orientation, taken] = readExif(body);
      facts.orientation = orientation;
      facts.taken = taken;
    }
    at += 2 + length;
  }
  if (!frame) refuse("is a damaged JPEG or cut short in its header");
  return facts;
}

}  // namespace trainyard::codecs
