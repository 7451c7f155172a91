// A byte: whether the headers' checksums are put right; then the archive.
#include "core/data/tar_index.h"
#include "tests/fuzz/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard;
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const bool fix = (takeByte(input) & 1) != 0;
  const data::HeldBytes held(fix ? withChecksums(input) : std::string(input), "fuzz.tar");
  const auto index = data::indexTar(held);
  if (!index) {
    check(!index.error().what.empty() && index.error().where == "fuzz.tar");
    return 0;
  }
  for (const data::TarEntry& entry : index->files) {
    check(!entry.name.empty() && entry.name.front() != '/' && ("/" + entry.name + "/").find("/../") == std::string::npos);
    check(static_cast<const data::Bytes&>(held).read(entry.offset, entry.size).has_value());
  }
  return 0;
}
