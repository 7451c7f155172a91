#include <array>
#include <chrono>

#include "core/data/codecs/bytes.h"
#include "core/data/codecs/codecs.h"

namespace trainyard::codecs {

namespace {

constexpr uint64_t kOrientation = 0x0112, kDateTime = 0x0132, kExifDirectory = 0x8769, kDateTimeOriginal = 0x9003;

// The place of an entry's value field; 0 when the directory has no such entry.
uint64_t valueOf(const Bytes& bytes, uint64_t directory, uint64_t tag) {
  const uint64_t entries = directory == 0 ? 0 : bytes.at(directory, 2);
  for (uint64_t i = 0; i < entries; ++i) {
    const uint64_t entry = directory + 2 + 12 * i;
    if (entry + 12 > bytes.size()) break;
    if (bytes.at(entry, 2) == tag) return entry + 8;
  }
  return 0;
}

// "2026:11:30 18:05:59", whatever stands between the numbers.
std::optional<int64_t> secondsOf(std::string_view text) {
  constexpr std::array<std::array<size_t, 2>, 6> kFields = {{{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}}};
  if (text.size() < 19) return {};
  std::array<int, 6> values{};
  for (size_t i = 0; i < kFields.size(); ++i) {
    for (const char digit : text.substr(kFields[i][0], kFields[i][1])) {
      if (digit < '0' || digit > '9') return {};
      values[i] = values[i] * 10 + (digit - '0');
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(values[0]), std::chrono::month(static_cast<unsigned>(values[1])),
                                        std::chrono::day(static_cast<unsigned>(values[2]))};
  if (values[0] == 0 || !day.ok() || values[3] > 23 || values[4] > 59 || values[5] > 60) return {};
  return int64_t{std::chrono::sys_days(day).time_since_epoch().count()} * 86400 + values[3] * 3600 + values[4] * 60 + values[5];
}

std::optional<int64_t> dateAt(const Bytes& bytes, uint64_t value) { return value == 0 ? std::nullopt : secondsOf(bytes.part(bytes.at(value, 4), 19)); }

}  // namespace

Exif readExif(std::string_view blob) {
  if (blob.starts_with("Exif\0\0"sv)) blob.remove_prefix(6);
  const bool little = blob.starts_with("II*\0"sv);
  Exif exif;
  if (!little && !blob.starts_with("MM\0*"sv)) return exif;
  const Bytes bytes(blob, little ? Endian::Little : Endian::Big);
  const uint64_t first = bytes.at(4, 4);
  if (const uint64_t value = valueOf(bytes, first, kOrientation); value != 0) {
    const auto orientation = static_cast<int>(bytes.at(value, 2));
    if (orientation >= 1 && orientation <= 8) exif.orientation = orientation;
  }
  if (const uint64_t value = valueOf(bytes, first, kExifDirectory); value != 0)
    exif.taken = dateAt(bytes, valueOf(bytes, bytes.at(value, 4), kDateTimeOriginal));
  if (!exif.taken) exif.taken = dateAt(bytes, valueOf(bytes, first, kDateTime));
  return exif;
}

}  // namespace trainyard::codecs
