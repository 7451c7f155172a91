// A byte of choices, then the pictures' file and the labels' file.
#include "core/data/formats.h"
#include "tests/fuzz/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const uint8_t choices = takeByte(input);
  const std::string_view pictures = takePiece(input);
  const Scratch& folder = scratch();
  folder.put((choices & 1) != 0 ? "train-images-idx3-ubyte.gz" : "train-images-idx3-ubyte", pictures);
  folder.put((choices & 2) != 0 ? "train-labels-idx1-ubyte.gz" : "train-labels-idx1-ubyte", input);
  look(trainyard::data::openIdx(folder.data()), true);
  return 0;
}
