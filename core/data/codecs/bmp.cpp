#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <opencv2/core.hpp>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

enum class Compression : uint64_t { None = 0, Runs8 = 1, Runs4 = 2, Masks = 3, MasksAndAlpha = 6 };

struct Header {
  uint64_t start = 0, bits = 0;  // where the pixels begin; bits a pixel
  int width = 0, height = 0;
  bool top_down = false;
  Compression compression = Compression::None;
  std::array<uint32_t, 4> masks{};  // red, green, blue, alpha
  uint64_t palette_at = 0, palette_size = 0, entry_size = 4;

  uint64_t rowBytes() const { return (static_cast<uint64_t>(width) * bits + 31) / 32 * 4; }
  bool runs() const { return compression == Compression::Runs8 || compression == Compression::Runs4; }
};

[[noreturn]] void refuseSenseless() { refuse("is a damaged BMP: its header makes no sense"); }

void readMasks(const Bytes& bytes, uint64_t header_size, Header& header) {
  if (header.bits == 16) header.masks = {0x7c00, 0x03e0, 0x001f, 0};
  if (header.bits == 32) header.masks = {0xff0000, 0xff00, 0xff, 0};
  if (header.compression != Compression::Masks && header.compression != Compression::MasksAndAlpha) return;
  if (header.bits != 16 && header.bits != 32) refuseSenseless();
  constexpr uint64_t kMasksAt = 54, kHeaderWithAlpha = 56;
  const bool alpha = header_size >= kHeaderWithAlpha || header.compression == Compression::MasksAndAlpha;
  for (size_t i = 0; i < 4; ++i) header.masks[i] = i < 3 || alpha ? static_cast<uint32_t>(bytes.at(kMasksAt + 4 * i, 4)) : 0;
  if (header_size == 40) header.palette_at += alpha ? 16 : 12;
}

Header readHeader(std::string_view bmp) {
  const Bytes bytes(bmp, Endian::Little);
  constexpr uint64_t kFileHeader = 14, kOldHeader = 12, kUsualHeader = 40;
  const uint64_t size = bytes.at(14, 4);
  if (bmp.size() < 26 || bmp.size() < kFileHeader + size) refuse("is a damaged BMP or cut short in its header");
  if (size != kOldHeader && size < kUsualHeader) refuseSenseless();
  const bool old = size == kOldHeader;
  Header header;
  header.start = bytes.at(10, 4);
  const auto width = old ? static_cast<int64_t>(bytes.at(18, 2)) : static_cast<int32_t>(bytes.at(18, 4));
  const auto height = old ? static_cast<int64_t>(bytes.at(20, 2)) : static_cast<int32_t>(bytes.at(22, 4));
  header.bits = bytes.at(old ? 24 : 28, 2);
  header.compression = old ? Compression::None : Compression{bytes.at(30, 4)};
  if (width <= 0 || height == 0 || height == INT32_MIN || header.start < kFileHeader + size) refuseSenseless();
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(std::abs(height));
  header.top_down = height < 0;
  header.entry_size = old ? 3 : 4;
  header.palette_at = kFileHeader + size;
  readMasks(bytes, size, header);
  constexpr std::array<uint64_t, 6> kBits = {1, 4, 8, 16, 24, 32};
  const bool fits = std::find(kBits.begin(), kBits.end(), header.bits) != kBits.end() && (header.compression != Compression::Runs8 || header.bits == 8) &&
                    (header.compression != Compression::Runs4 || header.bits == 4);
  if (!fits || (header.compression > Compression::Masks && header.compression != Compression::MasksAndAlpha))
    refuse("is a BMP of a kind that is not read", "save it as an uncompressed BMP or as PNG");
  if (header.bits <= 8) {
    const uint64_t most = 1ULL << header.bits, used = old ? 0 : bytes.at(46, 4);
    const uint64_t room = header.start > header.palette_at ? (header.start - header.palette_at) / header.entry_size : 0;
    header.palette_size = std::min({used == 0 ? most : used, most, room});
  }
  return header;
}

// RGB; entries that the file lacks are black.
std::array<cv::Vec3b, 256> paletteOf(const Bytes& bytes, const Header& header) {
  std::array<cv::Vec3b, 256> palette{};
  for (size_t i = 0; i < header.palette_size; ++i) {
    const uint64_t at = header.palette_at + i * header.entry_size;
    palette[i] = {static_cast<uchar>(bytes.at(at + 2, 1)), static_cast<uchar>(bytes.at(at + 1, 1)), static_cast<uchar>(bytes.at(at, 1))};
  }
  return palette;
}

[[noreturn]] void refuseCut(size_t size, uint64_t expected) {
  refuse("is cut short: " + std::to_string(size) + " of the BMP's " + std::to_string(expected) + " bytes");
}

// Runs of equal pixels and stretches of different ones, as palette indices.
cv::Mat readRuns(std::string_view bmp, const Header& header) {
  const Bytes bytes(bmp, Endian::Little);
  cv::Mat indices(header.height, header.width, CV_8UC1, cv::Scalar(0));
  const bool half = header.bits == 4;
  int x = 0, y = 0;
  const auto put = [&](uint64_t value) {
    if (x < header.width) indices.at<uchar>(y, x++) = static_cast<uchar>(value);
  };
  const auto nibble = [](uint64_t pair, uint64_t i) { return i % 2 == 0 ? pair >> 4 : pair & 15; };
  for (uint64_t at = header.start; y < header.height; at += 2) {
    if (at + 2 > bmp.size()) refuse("is cut short: the BMP has no end");
    const uint64_t count = bytes.at(at, 1), value = bytes.at(at + 1, 1);
    if (count > 0) {
      for (uint64_t i = 0; i < count; ++i) put(half ? nibble(value, i) : value);
    } else if (value == 0) {  // end of the line
      x = 0;
      ++y;
    } else if (value == 1) {  // end of the picture
      break;
    } else if (value == 2) {  // somewhere else
      x = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(x) + bytes.at(at + 2, 1), static_cast<uint64_t>(header.width)));
      y += static_cast<int>(bytes.at(at + 3, 1));
      at += 2;
    } else {
      const uint64_t size = half ? (value + 1) / 2 : value;
      if (at + 2 + size > bmp.size()) refuse("is cut short: the BMP has no end");
      for (uint64_t i = 0; i < value; ++i) put(half ? nibble(bytes.at(at + 2 + i / 2, 1), i) : bytes.at(at + 2 + i, 1));
      at += size + size % 2;
    }
  }
  return indices;
}

cv::Mat readIndices(std::string_view bmp, const Header& header) {
  if (header.runs()) return readRuns(bmp, header);
  cv::Mat indices(header.height, header.width, CV_8UC1);
  const unsigned per_byte = 8 / static_cast<unsigned>(header.bits), mask = (1U << header.bits) - 1;
  for (int y = 0; y < header.height; ++y) {
    const auto* from = reinterpret_cast<const uchar*>(bmp.data() + header.start + static_cast<uint64_t>(y) * header.rowBytes());
    uchar* to = indices.ptr(y);
    for (unsigned x = 0; x < static_cast<unsigned>(header.width); ++x)
      to[x] = static_cast<uchar>(from[x / per_byte] >> (8 - header.bits * (x % per_byte + 1)) & mask);
  }
  return indices;
}

cv::Mat fromPalette(std::string_view bmp, const Header& header) {
  const cv::Mat indices = readIndices(bmp, header);
  const auto palette = paletteOf(Bytes(bmp, Endian::Little), header);
  const bool grey = std::all_of(palette.begin(), palette.end(), [](const cv::Vec3b& entry) { return entry[0] == entry[1] && entry[1] == entry[2]; });
  cv::Mat picture(indices.size(), grey ? CV_8UC1 : CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    const uchar* from = indices.ptr(y);
    uchar* to = picture.ptr(y);
    for (int x = 0; x < picture.cols; ++x)
      for (int c = 0; c < picture.channels(); ++c) *to++ = palette[from[x]][c];
  }
  return picture;
}

// A field of a pixel, spread over 0 … 255.
uchar levelOf(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 0;
  const uint64_t most = mask >> std::countr_zero(mask), value = (pixel & mask) >> std::countr_zero(mask);
  return static_cast<uchar>((value * 255 + most / 2) / most);
}

cv::Mat fromMasks(std::string_view bmp, const Header& header) {
  const Bytes bytes(bmp, Endian::Little);
  cv::Mat picture(header.height, header.width, header.masks[3] != 0 ? CV_8UC4 : CV_8UC3);
  const size_t size = header.bits / 8;
  bool visible = false;
  for (int y = 0; y < picture.rows; ++y) {
    const uint64_t row = header.start + static_cast<uint64_t>(y) * header.rowBytes();
    uchar* to = picture.ptr(y);
    for (int x = 0; x < picture.cols; ++x) {
      const auto pixel = static_cast<uint32_t>(bytes.at(row + static_cast<uint64_t>(x) * size, size));
      for (int c = 0; c < picture.channels(); ++c) *to++ = levelOf(pixel, header.masks[static_cast<size_t>(c)]);
      visible = visible || to[-1] != 0;
    }
  }
  // Programs that know no alpha leave it 0 everywhere.
  if (picture.channels() == 4 && !visible) cv::insertChannel(cv::Mat(picture.size(), CV_8UC1, cv::Scalar(255)), picture, 3);
  return picture;
}

cv::Mat fromTriples(std::string_view bmp, const Header& header) {
  cv::Mat picture(header.height, header.width, CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    const auto* from = reinterpret_cast<const uchar*>(bmp.data() + header.start + static_cast<uint64_t>(y) * header.rowBytes());
    uchar* to = picture.ptr(y);
    for (int x = 0; x < picture.cols; ++x, from += 3, to += 3) {
      to[0] = from[2];
      to[1] = from[1];
      to[2] = from[0];
    }
  }
  return picture;
}

cv::Mat decode(std::string_view bmp, const ImageFacts&, const DecodeOptions&) {
  const Header header = readHeader(bmp);
  const uint64_t expected = header.start + (header.runs() ? 1 : header.rowBytes() * static_cast<uint64_t>(header.height));
  if (bmp.size() < expected) refuseCut(bmp.size(), expected);
  cv::Mat picture = header.bits <= 8 ? fromPalette(bmp, header) : header.bits == 24 ? fromTriples(bmp, header) : fromMasks(bmp, header);
  if (!header.top_down) cv::flip(picture, picture, 0);
  return picture;
}

ImageFacts inspect(std::string_view bmp) {
  const Header header = readHeader(bmp);
  ImageFacts facts;
  facts.width = header.width;
  facts.height = header.height;
  facts.palette = header.bits <= 8;
  facts.alpha = header.masks[3] != 0;
  facts.channels = facts.alpha ? 4 : 3;
  return facts;
}

bool recognises(std::string_view bytes) { return bytes.starts_with("BM"sv); }

}  // namespace

const Codec kBmp{"bmp", recognises, inspect, decode};

}  // namespace trainyard::codecs
