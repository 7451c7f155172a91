// Is a file whole? OpenCV and libpng print what they find wrong, and some damage they do not find.
#include <algorithm>
#include <array>

#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

constexpr char kHint[] = "remove it or copy it again";

uint32_t byteAt(std::string_view bytes, size_t at) { return static_cast<unsigned char>(bytes[at]); }

uint64_t bigEndian(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | byteAt(bytes, at + i);
  return value;
}

uint64_t littleEndian(std::string_view bytes, size_t at, size_t size = 4) {
  uint64_t value = 0;
  for (size_t i = size; i > 0; --i) value = value << 8 | byteAt(bytes, at + i - 1);
  return value;
}

constexpr std::array<uint32_t, 256> crcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320U ^ value >> 1 : value >> 1;
    table[i] = value;
  }
  return table;
}

uint32_t crc(std::string_view bytes) {
  static constexpr auto kTable = crcTable();
  uint32_t value = 0xffffffffU;
  for (size_t i = 0; i < bytes.size(); ++i) value = kTable[(value ^ byteAt(bytes, i)) & 255] ^ value >> 8;
  return ~value;
}

bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

[[noreturn]] void refuseCut(std::string_view bytes, uint64_t expected, const char* kind) {
  refuse("is cut short: " + std::to_string(bytes.size()) + " of the " + kind + "'s " + std::to_string(expected) + " bytes", kHint);
}

}  // namespace

void checkPng(std::string_view bytes) {
  for (size_t at = 8; at + 12 <= bytes.size();) {
    const uint64_t size = bigEndian(bytes, at);
    if (bytes.size() - at - 12 < size) break;
    const std::string_view kind = bytes.substr(at + 4, 4);
    if ((at == 8) != (kind == "IHDR") || !std::all_of(kind.begin(), kind.end(), isLetter)) refuse("is a damaged PNG: its chunks are out of order", kHint);
    if (crc(bytes.substr(at + 4, size + 4)) != bigEndian(bytes, at + 8 + size)) refuse("is a damaged PNG: a checksum is wrong", kHint);
    if (kind == "IEND") return;
    at += 12 + size;
  }
  refuse("is cut short: the PNG has no end", kHint);
}

void checkWebp(std::string_view bytes) {
  const uint64_t expected = littleEndian(bytes, 4) + 8;
  if (bytes.size() < expected) refuseCut(bytes, expected, "WebP");
}

void checkBmp(std::string_view bytes) {
  constexpr size_t kShortest = 26;
  if (bytes.size() < kShortest) refuse("is cut short: the BMP ends in its header", kHint);
  const uint64_t start = littleEndian(bytes, 10), header = littleEndian(bytes, 14);
  const bool old = header == 12;
  if (bytes.size() < 14 + header || (!old && header < 40)) refuse("is a damaged BMP or cut short in its header", kHint);
  const auto width = old ? static_cast<int64_t>(littleEndian(bytes, 18, 2)) : static_cast<int32_t>(littleEndian(bytes, 18));
  const auto signed_height = old ? static_cast<int64_t>(littleEndian(bytes, 20, 2)) : static_cast<int32_t>(littleEndian(bytes, 22));
  const uint64_t bits = old ? littleEndian(bytes, 24, 2) : littleEndian(bytes, 28, 2);
  const uint64_t compression = old ? 0 : littleEndian(bytes, 30);
  const uint64_t height = static_cast<uint64_t>(signed_height < 0 ? -signed_height : signed_height);
  if (width <= 0 || height == 0 || static_cast<uint64_t>(width) * height > kMaxPixels || start < 14 + header)
    refuse("is a damaged BMP: its header makes no sense", kHint);
  constexpr uint64_t kRaw = 0, kMasks = 3;
  const bool known_bits = bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
  if (compression > kMasks || !known_bits) refuse("is a BMP of a kind that is not read", "save it as an uncompressed BMP or as PNG");
  const uint64_t row = (static_cast<uint64_t>(width) * bits + 31) / 32 * 4;
  const uint64_t expected = start + (compression == kRaw || compression == kMasks ? row * height : 1);
  if (bytes.size() < expected) refuseCut(bytes, expected, "BMP");
}

}  // namespace trainyard::codecs
