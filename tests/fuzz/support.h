#pragma once
// What the fuzz targets share. A target never fails by itself: it calls a reader, looks at everything the reader gives, and leaves finding faults to
// the sanitizers and to check().
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "core/data/dataset.h"

namespace trainyard::fuzz {

inline std::string_view textOf(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

// What must hold whatever the input: an input that breaks it is a finding.
inline void check(bool holds) {
  if (!holds) std::abort();
}

// Takes a byte or two from the front, zeros when there is none.
inline uint8_t takeByte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<uint8_t>(input[0]);
  input.remove_prefix(1);
  return byte;
}
inline std::string_view takePiece(std::string_view& input) {  // a length of two bytes, then so much, or what there is
  const size_t low = takeByte(input), high = takeByte(input);
  const std::string_view piece = input.substr(0, low | high << 8);
  input.remove_prefix(piece.size());
  return piece;
}

// A folder of this process in $TMPDIR (which should be in memory), emptied for each input.
class Scratch {
 public:
  Scratch() : folder_(fs::temp_directory_path() / ("trainyard-fuzz-" + std::to_string(::getpid()))) { fs::create_directories(folder_); }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void empty() const {
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry);
  }
  void put(const std::string& name, std::string_view bytes) const { std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << bytes; }
  recipe::Data data() const {
    recipe::Data data;
    data.path = folder_;
    return data;
  }

 private:
  fs::path folder_;
};

inline const Scratch& scratch() {
  static const Scratch kScratch;
  kScratch.empty();
  return kScratch;
}

// An error names what it is about; a dataset keeps its promises.
inline void look(const Result<std::unique_ptr<data::Dataset>>& opened, bool decoded) {
  if (!opened) {
    check(!opened.error().what.empty() && !opened.error().where.empty());
    return;
  }
  const data::Dataset& dataset = **opened;
  for (uint64_t i = 0; i < dataset.size(); ++i) {
    check(dataset.label(i) >= 0 && static_cast<size_t>(dataset.label(i)) < dataset.classes().size());
    check(!dataset.name(i).empty());
    if (decoded)
      check(dataset.picture(i).has_value());
    else if (const auto bytes = dataset.fileBytes(i); !bytes)
      check(!bytes.error().what.empty());
  }
}

// A tar's headers get the checksums that belong to them, so that changes reach the code behind.
inline std::string withChecksums(std::string_view tar) {
  std::string fixed(tar);
  for (size_t at = 0; at + 512 <= fixed.size(); at += 512) {
    if (fixed.compare(at + 257, 5, "ustar") != 0) continue;
    fixed.replace(at + 148, 8, "        ");
    unsigned sum = 0;
    for (size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(fixed[at + i]);
    for (size_t i = 0; i < 6; ++i) fixed[at + 153 - i] = static_cast<char>('0' + (sum >> 3 * i & 7));
    fixed[at + 154] = '\0';
  }
  return fixed;
}

}  // namespace trainyard::fuzz
