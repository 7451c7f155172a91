// A byte of choices, the class names, then one shard.
#include "core/data/formats.h"
#include "tests/fuzz/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const uint8_t choices = takeByte(input);
  const std::string_view names = takePiece(input);
  const Scratch& folder = scratch();
  if ((choices & 2) != 0) folder.put("classes.txt", names);
  folder.put("train-0.tar", (choices & 1) != 0 ? withChecksums(input) : std::string(input));
  look(trainyard::data::openWebDataset(folder.data()), false);
  return 0;
}
