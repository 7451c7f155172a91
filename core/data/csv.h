#pragma once
// Inside the data room: CSV text (RFC 4180 and what programs make of it) as a table of texts. Quoted cells may hold delimiters, doubled quotes
// and newlines; lines end with \n, \r\n or \r; a byte-order mark, blank lines and blanks round an unquoted cell are dropped.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::data {

struct CsvOptions {
  char delimiter = 0;  // , ; or tab; 0: the one that cuts the first rows into equally many cells, most of them
  enum class Header {
    Auto,
    Yes,
    No
  } header = Header::Auto;  // Auto: the first row names the columns unless one of its cells is a value:
                            // a number or a picture's name
};
// From a format's own keys `delimiter` and `header`.
CsvOptions csvOptions(const recipe::Choice& format);

// Any thread. Takes the text's size and 4 bytes a cell.
class Csv {
 public:
  const std::string& name() const { return name_; }  // the file's, for messages
  char delimiter() const { return delimiter_; }
  size_t rows() const { return lines_.size(); }  // without the header
  size_t columns() const { return header_.size(); }
  // Unique: "column 3" where there is no name, "size (2)" for the second of the name "size".
  const std::vector<std::string>& header() const { return header_; }
  std::string_view cell(size_t row, size_t column) const {
    const size_t at = row * columns() + column;
    return std::string_view(cells_).substr(ends_[at], ends_[at + 1] - ends_[at]);
  }
  uint64_t line(size_t row) const { return lines_[row]; }  // from 1: where the row begins
  std::string place(size_t row) const { return name_ + ":" + std::to_string(lines_[row]); }

  // The index of a column called so. Error Data naming `key` and the nearest name.
  Result<size_t> column(const std::string& called, const std::string& key) const;

 private:
  friend Result<Csv> parseCsv(std::string_view, const std::string&, const CsvOptions&);
  std::string name_, cells_;  // all cells behind each other
  char delimiter_ = ',';
  std::vector<std::string> header_;
  std::vector<uint32_t> ends_{0};  // where each cell ends in cells_, behind the end of the one before
  std::vector<uint32_t> lines_;
};

// Error Data naming file and line: a row with more or fewer cells than the first, a quote that is never closed, text behind a closing quote, bytes
// that are no UTF-8 text, no row at all, more than 100,000 columns or 4 GB.
Result<Csv> parseCsv(std::string_view text, const std::string& name, const CsvOptions& options = {});

// data.path when it is a file, else the one .csv, .tsv or .txt file in the folder. Error Data.
Result<fs::path> csvFileOf(const fs::path& path);

// The number a cell holds; a decimal comma counts where the delimiter is ';'. Nothing for text, and for what no float can hold.
std::optional<double> numberIn(std::string_view cell, char delimiter);

// "", ?, NA, N/A, NaN, null, whatever their case.
bool isMissing(std::string_view cell);

}  // namespace trainyard::data
