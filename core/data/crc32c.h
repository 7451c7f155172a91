#pragma once
// Inside the data room: CRC-32C (Castagnoli), as TFRecord and other formats use it.
#include <cstdint>
#include <string_view>

namespace trainyard::data {

// By the processor's own instruction where it has one (SSE 4.2), else by tables.
uint32_t crc32c(std::string_view bytes);
uint32_t crc32cByTables(std::string_view bytes);

// TFRecord stores checksums turned and shifted, so that a checksum of checksums does not degenerate.
inline uint32_t maskedCrc32c(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

}  // namespace trainyard::data
