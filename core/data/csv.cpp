#include "core/data/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/base/units.h"
#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

constexpr size_t kMostColumns = 100'000;
constexpr size_t kMostBytes = UINT32_MAX;
constexpr std::array kDelimiters = {',', ';', '\t'};

// Cuts text into rows of cells. One row at a time, so that the first few can be looked at alone.
class Cutter {
 public:
  Cutter(std::string_view text, const std::string& name, char delimiter) : text_(text), name_(name), delimiter_(delimiter) {}

  bool more() {  // skips blank lines
    while (at_ < text_.size()) {
      size_t ahead = at_;
      while (ahead < text_.size() && text_[ahead] == ' ') ++ahead;
      if (ahead < text_.size() && text_[ahead] != '\n' && text_[ahead] != '\r') return true;
      at_ = ahead;
      if (at_ < text_.size()) endLine();
    }
    return false;
  }
  uint64_t line() const { return line_; }

  // Appends the cells of the next row to `cells` and their ends to `ends`; the number of them.
  Result<size_t> row(std::string& cells, std::vector<uint32_t>& ends) {
    for (size_t count = 1;; ++count) {
      if (count > kMostColumns) return tl::unexpected(broken("has more than " + formatCount(kMostColumns) + " columns", "is this a CSV file?"));
      TRAINYARD_CHECK(cell(cells));
      ends.push_back(static_cast<uint32_t>(cells.size()));
      if (at_ >= text_.size()) return count;
      if (text_[at_] != delimiter_) {
        endLine();
        return count;
      }
      ++at_;
    }
  }

 private:
  Error broken(std::string what, std::string hint) const { return {ErrorCode::Data, std::move(what), name_ + ":" + std::to_string(line_), std::move(hint)}; }
  bool endsCell() const { return at_ >= text_.size() || text_[at_] == delimiter_ || text_[at_] == '\n' || text_[at_] == '\r'; }
  bool isBlank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

  void endLine() {
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++at_;
    ++line_;
  }

  Result<void> cell(std::string& cells) {
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
    if (at_ < text_.size() && text_[at_] == '"') return quoted(cells);
    const size_t begin = at_;
    while (!endsCell()) ++at_;
    size_t end = at_;
    while (end > begin && isBlank(text_[end - 1])) --end;
    cells.append(text_, begin, end - begin);
    return {};
  }

  Result<void> quoted(std::string& cells) {
    const uint64_t opened = line_;
    ++at_;
    while (true) {
      const size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '"') {
        const bool ends = text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'));
        line_ += ends;
        ++at_;
      }
      cells.append(text_, begin, at_ - begin);
      if (at_ >= text_.size()) {
        line_ = opened;
        return tl::unexpected(broken("the quote that opens here is never closed", "close it, or double it where it is part of the text"));
      }
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      cells += '"';
      ++at_;
    }
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
    if (!endsCell()) return tl::unexpected(broken("there is text behind a closing quote", "double the quotes that are part of the text: \"a \"\"b\"\" c\""));
    return {};
  }

  std::string_view text_;
  const std::string& name_;
  char delimiter_;
  size_t at_ = 0;
  uint64_t line_ = 1;
};

// The byte where text stops being UTF-8, or its size. Overlong forms pass: nothing here depends on them.
size_t utf8Until(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    if (length == 0 || lead == 0 || at + length > text.size()) return at;
    for (size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return at;
    }
    at += length;
  }
  return text.size();
}

// The text without its mark, when it can be a table at all.
Result<std::string_view> asText(std::string_view text, const std::string& name) {
  if (text.size() >= kMostBytes) return fail(ErrorCode::Data, "is larger than 4 GB", name, "cut it into parts");
  constexpr char kSaveAgain[] = "save it as UTF-8 (a spreadsheet calls that \"CSV UTF-8\")";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return fail(ErrorCode::Data, "is UTF-16 text", name, kSaveAgain);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t end = utf8Until(text);
  if (end == text.size()) return text;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  return fail(ErrorCode::Data, text[end] == '\0' ? "is no text: it holds a zero byte" : "is not UTF-8 text", name + ":" + std::to_string(line), kSaveAgain);
}

char guessDelimiter(std::string_view text, const std::string& name) {
  constexpr size_t kRows = 20;
  char best = ',';
  size_t most = 1, most_in_first = 1;
  for (const char delimiter : kDelimiters) {
    Cutter cutter(text, name, delimiter);
    std::string cells;
    std::vector<uint32_t> ends;
    size_t columns = 0;
    bool equal = true;
    for (size_t row = 0; row < kRows && equal && cutter.more(); ++row) {
      const auto count = cutter.row(cells, ends);
      equal = count && (row == 0 || *count == columns);
      if (row == 0 && count) columns = *count;
    }
    if (equal && columns > most) {
      best = delimiter;
      most = columns;
    } else if (most == 1 && columns > most_in_first) {  // no delimiter fits all rows: the error is about the likeliest one
      best = delimiter;
      most_in_first = columns;
    }
  }
  return best;
}

bool isValue(std::string_view cell, char delimiter) { return numberIn(cell, delimiter).has_value() || looksLikeImage(fs::path(cell)); }

std::vector<std::string> uniqueNames(std::vector<std::string> names) {
  std::set<std::string> taken;
  for (size_t c = 0; c < names.size(); ++c) {
    if (names[c].empty()) names[c] = "column " + std::to_string(c + 1);
    const std::string plain = names[c];
    for (int copy = 2; !taken.insert(names[c]).second; ++copy) names[c] = plain + " (" + std::to_string(copy) + ")";
  }
  return names;
}

}  // namespace

CsvOptions csvOptions(const recipe::Choice& format) {
  CsvOptions options;
  const auto delimiter = format.params.value("delimiter", std::string("auto")), header = format.params.value("header", std::string("auto"));
  options.delimiter = delimiter == "comma" ? ',' : delimiter == "semicolon" ? ';' : delimiter == "tab" ? '\t' : '\0';
  options.header = header == "yes" ? CsvOptions::Header::Yes : header == "no" ? CsvOptions::Header::No : CsvOptions::Header::Auto;
  return options;
}

Result<size_t> Csv::column(const std::string& called, const std::string& key) const {
  const auto found = std::find(header_.begin(), header_.end(), called);
  if (found != header_.end()) return static_cast<size_t>(found - header_.begin());
  const std::string near = nearestWord(called, header_);
  std::string all;
  for (size_t c = 0; c < std::min<size_t>(columns(), 12); ++c) all += (c ? ", " : "") + header_[c];
  return fail(ErrorCode::Data, "there is no column \"" + called + "\" (" + key + ")", name_,
              near.empty() ? "its columns are " + all + (columns() > 12 ? ", …" : "") : "did you mean \"" + near + "\"?");
}

Result<Csv> parseCsv(std::string_view bytes, const std::string& name, const CsvOptions& options) {
  TRAINYARD_TRY(const std::string_view text, asText(bytes, name));
  Csv csv;
  csv.name_ = name;
  csv.delimiter_ = options.delimiter != 0 ? options.delimiter : guessDelimiter(text, name);
  Cutter cutter(text, name, csv.delimiter_);
  std::vector<std::string> first;
  csv.cells_.reserve(text.size());
  while (cutter.more()) {
    const uint64_t line = cutter.line();
    TRAINYARD_TRY(const size_t count, cutter.row(csv.cells_, csv.ends_));
    if (first.empty()) {
      for (size_t c = 0; c < count; ++c) first.push_back(csv.cells_.substr(csv.ends_[c], csv.ends_[c + 1] - csv.ends_[c]));
    }
    if (count != first.size()) {
      return fail(ErrorCode::Data, "has " + std::to_string(count) + (count == 1 ? " value" : " values") + ", the first row has " + std::to_string(first.size()),
                  name + ":" + std::to_string(line), "give every row as many values; put quotes round a value that holds the delimiter");
    }
    csv.lines_.push_back(static_cast<uint32_t>(line));
  }
  const bool names = options.header == CsvOptions::Header::Yes ||
                     (options.header == CsvOptions::Header::Auto &&
                      std::none_of(first.begin(), first.end(), [&](const std::string& cell) { return isValue(cell, csv.delimiter_); }));
  if (csv.lines_.size() < (names ? 2 : 1))
    return fail(ErrorCode::Data, "holds no row of values", name, "one row for each sample, below a row with the columns' names");
  csv.header_ = uniqueNames(names ? first : std::vector<std::string>(first.size()));
  if (names) {  // cells keep their places: the header's are skipped
    csv.lines_.erase(csv.lines_.begin());
    csv.ends_.erase(csv.ends_.begin(), csv.ends_.begin() + static_cast<std::ptrdiff_t>(first.size()));
  }
  return csv;
}

Result<fs::path> csvFileOf(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return fail(ErrorCode::Data, "there is no such file", displayPath(path), "check data.path; a relative path starts at the recipe's folder");
  }
  if (!fs::is_directory(path, error)) return path;
  TRAINYARD_TRY(const auto entries, listFolder(path));
  for (const std::vector<std::string>& endings : {std::vector<std::string>{".csv", ".tsv"}, {".txt", ".data"}}) {
    std::vector<fs::path> found;
    for (const auto& entry : entries) {
      std::string ending = entry.path().extension().string();
      std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
      if (std::find(endings.begin(), endings.end(), ending) != endings.end() && fs::is_regular_file(entry, error)) found.push_back(entry);
    }
    if (found.size() == 1) return found[0];
    if (found.size() > 1) {
      return fail(ErrorCode::Data,
                  "there are " + std::to_string(found.size()) + " tables here, such as " + displayPath(found[0].filename()) + " and " +
                      displayPath(found[1].filename()),
                  displayPath(path), "give the file itself as data.path");
    }
  }
  return fail(ErrorCode::Data, "there is no CSV file here", displayPath(path), "give the .csv file as data.path");
}

std::optional<double> numberIn(std::string_view cell, char delimiter) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\n')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\n')) cell.remove_suffix(1);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  std::string with_point;
  if (delimiter == ';' && cell.find('.') == std::string_view::npos && std::count(cell.begin(), cell.end(), ',') == 1) {
    with_point = cell;
    with_point[with_point.find(',')] = '.';
    cell = with_point;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(static_cast<float>(value))) return {};
  return value;
}

bool isMissing(std::string_view cell) {
  constexpr std::array<std::string_view, 6> kWords = {"", "?", "na", "n/a", "nan", "null"};
  if (cell.size() > 4) return false;
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace trainyard::data
