// A byte of choices, the names of the classes, then the records.
#include "core/data/formats.h"
#include "tests/fuzz/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const uint8_t choices = takeByte(input);
  const std::string_view names = takePiece(input);
  const Scratch& folder = scratch();
  const bool ten = (choices & 1) != 0;
  if ((choices & 2) != 0) folder.put(ten ? "batches.meta.txt" : "fine_label_names.txt", names);
  folder.put(ten ? "data_batch_1.bin" : "train.bin", input);
  if ((choices & 4) != 0) folder.put(ten ? "test_batch.bin" : "test.bin", input);
  look(ten ? trainyard::data::openCifar10(folder.data()) : trainyard::data::openCifar100(folder.data()), true);
  return 0;
}
