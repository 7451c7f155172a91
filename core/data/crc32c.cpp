#include "core/data/crc32c.h"

#include <array>
#include <cstring>

namespace trainyard::data {

namespace {

constexpr uint32_t kPolynomial = 0x82f63b78U;

// Row r: the effect of a byte with r bytes behind it.
constexpr std::array<std::array<uint32_t, 256>, 8> makeTables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? kPolynomial ^ value >> 1 : value >> 1;
    tables[0][i] = value;
  }
  for (size_t row = 1; row < 8; ++row) {
    for (size_t i = 0; i < 256; ++i) tables[row][i] = tables[0][tables[row - 1][i] & 255] ^ tables[row - 1][i] >> 8;
  }
  return tables;
}

uint32_t byTable(uint32_t crc, const char* at, size_t count) {
  static constexpr auto kTables = makeTables();
  for (; count >= 8; at += 8, count -= 8) {
    uint32_t low = 0, high = 0;
    for (size_t i = 0; i < 4; ++i) {
      low |= uint32_t{static_cast<unsigned char>(at[i])} << 8 * i;
      high |= uint32_t{static_cast<unsigned char>(at[4 + i])} << 8 * i;
    }
    low ^= crc;
    crc = 0;
    for (size_t i = 0; i < 4; ++i) crc ^= kTables[7 - i][low >> 8 * i & 255] ^ kTables[3 - i][high >> 8 * i & 255];
  }
  for (; count > 0; ++at, --count) crc = kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 255] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t byInstruction(uint32_t crc, const char* at, size_t count) {
  uint64_t wide = crc;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  auto narrow = static_cast<uint32_t>(wide);
  for (; count > 0; ++at, --count) narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*at));
  return narrow;
}
#endif

}  // namespace

uint32_t crc32c(std::string_view bytes) {
#if defined(__x86_64__)
  static const bool kFast = __builtin_cpu_supports("sse4.2") != 0;
  if (kFast) return ~byInstruction(~0U, bytes.data(), bytes.size());
#endif
  return crc32cByTables(bytes);
}

uint32_t crc32cByTables(std::string_view bytes) { return ~byTable(~0U, bytes.data(), bytes.size()); }

}  // namespace trainyard::data
