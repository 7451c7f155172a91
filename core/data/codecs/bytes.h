#pragma once
// Numbers at places in a file's bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trainyard::codecs {

using namespace std::string_view_literals;

enum class Endian { Little, Big };

class Bytes {
 public:
  Bytes(std::string_view bytes, Endian endian) : bytes_(bytes), little_(endian == Endian::Little) {}
  size_t size() const { return bytes_.size(); }

  // 0 beyond the end.
  uint64_t at(uint64_t offset, size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[offset + (little_ ? size - 1 - i : i)]);
    return value;
  }

  // As much of it as is there.
  std::string_view part(uint64_t offset, uint64_t size) const { return offset > bytes_.size() ? std::string_view() : bytes_.substr(offset, size); }

 private:
  std::string_view bytes_;
  bool little_;
};

}  // namespace trainyard::codecs
