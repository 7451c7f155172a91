// A byte of choices, then a file as it is, or records that get the frames which belong to them.
#include "core/data/crc32c.h"
#include "core/data/formats.h"
#include "tests/fuzz/support.h"

namespace {

std::string littleEndian(uint64_t number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * i);
  return bytes;
}

std::string framed(std::string_view record) {
  using trainyard::data::maskedCrc32c;
  const std::string length = littleEndian(record.size(), 8);
  return length + littleEndian(maskedCrc32c(length), 4) + std::string(record) + littleEndian(maskedCrc32c(record), 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const bool raw = (takeByte(input) & 1) != 0;
  std::string file;
  while (!raw && !input.empty()) file += framed(takePiece(input));
  const Scratch& folder = scratch();
  folder.put("a.tfrecord", raw ? input : file);
  look(trainyard::data::openTfRecord(folder.data()), false);
  return 0;
}
