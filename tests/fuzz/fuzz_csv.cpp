// A byte for the delimiter and the header, then the text.
#include "core/data/csv.h"
#include "tests/fuzz/support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace trainyard;
  using namespace trainyard::fuzz;
  std::string_view input = textOf(bytes, size);
  const uint8_t choices = takeByte(input);
  data::CsvOptions options;
  options.delimiter = "\0,;\t"[choices & 3];
  options.header = static_cast<data::CsvOptions::Header>((choices >> 2) % 3);
  const auto csv = data::parseCsv(input, "fuzz.csv", options);
  if (!csv) {
    check(!csv.error().what.empty() && csv.error().where.starts_with("fuzz.csv"));
    return 0;
  }
  size_t length = 0;
  for (size_t row = 0; row < csv->rows(); ++row) {
    for (size_t column = 0; column < csv->columns(); ++column) {
      const std::string_view cell = csv->cell(row, column);
      length += cell.size();
      data::numberIn(cell, csv->delimiter());
      data::isMissing(cell);
    }
    check(csv->line(row) >= 1);
  }
  check(length <= input.size());
  return 0;
}
