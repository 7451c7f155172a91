#include "core/data/quick_check.h"

#include <string_view>

namespace trainyard::data {

namespace {

using namespace std::string_view_literals;

constexpr uint64_t kEnd = 1 << 16;

uint64_t bigEndian(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count && at + i < bytes.size(); ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

uint64_t littleEndian(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i > 0; --i) value = value << 8 | bigEndian(bytes, at + i - 1, 1);
  return value;
}

bool fits(uint64_t width, uint64_t height, uint64_t max_pixels) { return width > 0 && height > 0 && width * height <= max_pixels; }

// Where a JPEG's first scan begins; 0 when its header is longer than `head`, odd, or tells of too many pixels.
size_t scanStart(std::string_view head, uint64_t max_pixels) {
  constexpr uint64_t kScan = 0xDA, kFirstFrame = 0xC0, kLastFrame = 0xCF, kTables = 0xC4, kReserved = 0xC8, kArithmetic = 0xCC;
  bool sized = false;
  for (size_t at = 2; at + 4 <= head.size();) {
    if (head[at] != '\xff') return 0;
    const uint64_t marker = bigEndian(head, at + 1, 1);
    if (marker == 0xFF) {
      ++at;
      continue;
    }
    if (marker == kScan) return sized ? at : 0;
    if (marker >= kFirstFrame && marker <= kLastFrame && marker != kTables && marker != kReserved && marker != kArithmetic) {
      if (at + 9 > head.size() || !fits(bigEndian(head, at + 7, 2), bigEndian(head, at + 5, 2), max_pixels)) return 0;
      sized = true;
    }
    at += 2 + bigEndian(head, at + 2, 2);
  }
  return 0;
}

// A thumbnail in the header has an end of its own: the picture's lies behind the beginning of its scan.
bool wholeJpeg(std::string_view head, std::string_view tail, uint64_t tail_start, uint64_t max_pixels) {
  const size_t scan = scanStart(head, max_pixels);
  const size_t end = tail.rfind("\xff\xd9"sv);
  return scan > 0 && end != std::string_view::npos && tail_start + end > scan;
}

bool wholePng(std::string_view head, std::string_view tail, uint64_t max_pixels) {
  return head.substr(12, 4) == "IHDR" && fits(bigEndian(head, 16, 4), bigEndian(head, 20, 4), max_pixels) &&
         tail.rfind("IEND\xae\x42\x60\x82"sv) != std::string_view::npos;
}

bool wholeWebp(std::string_view head, uint64_t size, uint64_t max_pixels) {
  if (littleEndian(head, 4, 4) + 8 > size) return false;
  const std::string_view kind = head.substr(12, 4);
  if (kind == "VP8X") return fits(littleEndian(head, 24, 3) + 1, littleEndian(head, 27, 3) + 1, max_pixels);
  constexpr uint64_t kEdgeBits = 14, kEdgeMask = (1 << kEdgeBits) - 1;
  if (kind == "VP8 ") return fits(littleEndian(head, 26, 2) & kEdgeMask, littleEndian(head, 28, 2) & kEdgeMask, max_pixels);
  if (kind != "VP8L") return false;
  const uint64_t edges = littleEndian(head, 21, 4);
  return fits((edges & kEdgeMask) + 1, (edges >> kEdgeBits & kEdgeMask) + 1, max_pixels);
}

// Boxes one after another, each with its size in front, up to the end of the file.
bool wholeHeic(const Ends& file) {
  constexpr uint64_t kShortestBox = 8;
  constexpr int kMostBoxes = 64;
  uint64_t at = 0;
  for (int box = 0; box < kMostBoxes && at < file.size; ++box) {
    const std::string header = file.read(at, 16);
    if (header.size() < kShortestBox) return false;
    uint64_t size = bigEndian(header, 0, 4);
    if (size == 0) return true;  // reaches to the end, wherever that is
    if (size == 1) size = bigEndian(header, 8, 8);
    if (size < kShortestBox || size > file.size - at) return false;
    at += size;
  }
  return at == file.size;
}

}  // namespace

bool looksWhole(const Ends& file, uint64_t max_pixels) {
  const std::string head = file.read(0, kEnd);
  const uint64_t tail_start = file.size > kEnd ? file.size - kEnd : 0;
  const std::string tail = tail_start == 0 ? head : file.read(tail_start, kEnd);
  if (head.size() < 32 || tail_start + tail.size() != file.size) return false;
  if (head.starts_with("\xff\xd8\xff"sv)) return wholeJpeg(head, tail, tail_start, max_pixels);
  if (head.starts_with("\x89PNG\r\n\x1a\n"sv)) return wholePng(head, tail, max_pixels);
  if (head.starts_with("RIFF"sv) && head.substr(8, 4) == "WEBP") return wholeWebp(head, file.size, max_pixels);
  if (head.starts_with("GIF8"sv)) return tail.ends_with(';') && fits(littleEndian(head, 6, 2), littleEndian(head, 8, 2), max_pixels);
  if (head.substr(4, 4) == "ftyp") return wholeHeic(file);
  return false;
}

}  // namespace trainyard::data
