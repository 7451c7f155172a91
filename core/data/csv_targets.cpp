#include "core/data/csv_targets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

std::string inQuotes(std::string_view text) {
  constexpr size_t kShown = 40;
  return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "…\"" : "\"");
}

std::optional<int64_t> wholeNumberIn(std::string_view cell, char delimiter) {
  const auto value = numberIn(cell, delimiter);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) return {};
  return static_cast<int64_t>(*value);
}

struct Census {  // of one column
  size_t numbers = 0, whole = 0, texts = 0;
  size_t first_text = 0;
};

Census countColumn(const Csv& csv, size_t column) {
  Census census;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto cell = csv.cell(row, column);
    if (isMissing(cell)) continue;
    if (const auto value = numberIn(cell, csv.delimiter())) {
      ++census.numbers;
      census.whole += *value == std::floor(*value);
    } else if (census.texts++ == 0) {
      census.first_text = row;
    }
  }
  return census;
}

// Class names in order → index.
std::vector<std::string> inOrder(std::map<std::string, int>& names, char delimiter) {
  std::vector<std::string> sorted;
  for (const auto& [name, index] : names) sorted.push_back(name);
  if (std::all_of(sorted.begin(), sorted.end(), [&](const std::string& name) { return wholeNumberIn(name, delimiter).has_value(); })) {
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const std::string& a, const std::string& b) { return *wholeNumberIn(a, delimiter) < *wholeNumberIn(b, delimiter); });
  }
  for (size_t i = 0; i < sorted.size(); ++i) names[sorted[i]] = static_cast<int>(i);
  return sorted;
}

}  // namespace

bool isNumberColumn(size_t numbers, size_t texts) { return numbers > 9 * texts; }

Error textAmongNumbers(const Csv& csv, size_t row, size_t column, std::string hint) {
  return {ErrorCode::Data, inQuotes(csv.cell(row, column)) + " is text in the number column " + inQuotes(csv.header()[column]), csv.place(row),
          std::move(hint)};
}

void CsvTargets::fill(size_t row, std::span<float> out) const {
  if (task_ == Task::Numbers) {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * classes_.size()), classes_.size(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0F);
  if (task_ != Task::Labels) return;
  for (size_t at = row == 0 ? 0 : ends_[row - 1]; at < ends_[row]; ++at) out[static_cast<size_t>(labels_[at])] = 1;
}

bool CsvTargets::equal(size_t row, size_t other) const {
  if (task_ == Task::Classes) return labels_[row] == labels_[other];
  std::vector<float> a(classes_.size()), b(classes_.size());
  fill(row, a);
  fill(other, b);
  return a == b;
}

class TargetReader {
 public:
  TargetReader(const Csv& csv, const TargetWish& wish) : csv_(csv), wish_(wish) {}

  Result<CsvTargets> run() {
    TRAINYARD_CHECK(checkWish());
    TRAINYARD_TRY(targets_.task_, task());
    if (targets_.task_ == Task::Numbers) {
      TRAINYARD_CHECK(numbers());
    } else if (targets_.task_ == Task::Classes) {
      TRAINYARD_CHECK(wish_.classes > 0 ? numberedClasses() : namedClasses());
    } else {
      TRAINYARD_CHECK(several() ? labelColumns() : labelLists());
    }
    return std::move(targets_);
  }

 private:
  bool several() const { return wish_.columns.size() > 1; }
  std::string_view cell(size_t row, size_t column) const { return csv_.cell(row, column); }
  std::string columnName(size_t column) const { return inQuotes(csv_.header()[column]); }

  Result<void> checkWish() const {
    if (several() && wish_.task == "classes") {
      return fail(ErrorCode::Recipe, "a sample has one class, but " + std::to_string(wish_.columns.size()) + " label columns are named", "data.task",
                  "name one column, or use task = \"labels\" or \"numbers\"");
    }
    if (several() && !wish_.separator.empty()) {
      return fail(ErrorCode::Recipe, "a separator goes with one label column, but " + std::to_string(wish_.columns.size()) + " are named", "data.separator",
                  "name one column, or leave the separator out");
    }
    if (wish_.task == "labels" && !several() && wish_.separator.empty()) {
      return fail(ErrorCode::Recipe, "it is not said what stands between the labels in " + columnName(wish_.columns[0]), "data.separator",
                  "give the separator, such as \" \" or \"|\", or name one column for each label");
    }
    return {};
  }

  Error missing(size_t row, size_t column) const {
    return {ErrorCode::Data, "there is no value in " + columnName(column), csv_.place(row), "fill it in, or remove the row"};
  }

  Result<Task> task() const {
    if (wish_.task == "classes") return Task::Classes;
    if (wish_.task == "labels") return Task::Labels;
    if (wish_.task == "numbers") return Task::Numbers;
    if (!wish_.separator.empty()) return Task::Labels;
    if (several()) return onlyBits() ? Task::Labels : Task::Numbers;
    if (wish_.classes > 0) return Task::Classes;
    const size_t column = wish_.columns[0];
    const Census census = countColumn(csv_, column);
    if (census.texts > 0 && isNumberColumn(census.numbers, census.texts)) {
      return tl::unexpected(textAmongNumbers(csv_, census.first_text, column, "correct it; if the column holds names after all, set task = \"classes\""));
    }
    if (census.texts > 0) return Task::Classes;
    if (census.whole < census.numbers) return Task::Numbers;
    return wish_.most_numbered > 0 && differentAbove(column, wish_.most_numbered) ? Task::Numbers : Task::Classes;
  }

  bool onlyBits() const {
    for (const size_t column : wish_.columns) {
      for (size_t row = 0; row < csv_.rows(); ++row) {
        if (cell(row, column) != "0" && cell(row, column) != "1") return false;
      }
    }
    return true;
  }

  bool differentAbove(size_t column, size_t limit) const {
    std::map<std::string, int> seen;
    for (size_t row = 0; row < csv_.rows() && seen.size() <= limit; ++row) seen.emplace(cell(row, column), 0);
    return seen.size() > limit;
  }

  Result<void> numbers() {
    for (const size_t column : wish_.columns) targets_.classes_.push_back(csv_.header()[column]);
    targets_.values_.reserve(csv_.rows() * wish_.columns.size());
    for (size_t row = 0; row < csv_.rows(); ++row) {
      for (const size_t column : wish_.columns) {
        if (isMissing(cell(row, column))) return tl::unexpected(missing(row, column));
        const auto value = numberIn(cell(row, column), csv_.delimiter());
        if (!value) return tl::unexpected(textAmongNumbers(csv_, row, column, "correct it, or use task = \"classes\" if the column holds names"));
        targets_.values_.push_back(static_cast<float>(*value));
      }
    }
    return {};
  }

  // A number as a class: 3, not 3.0, as programs write whole numbers of a column with gaps.
  std::string className(std::string_view cell) const {
    const bool decimal = cell.find('.') != std::string_view::npos;
    const auto whole = decimal ? wholeNumberIn(cell, csv_.delimiter()) : std::nullopt;
    return whole ? std::to_string(*whole) : std::string(cell);
  }

  Result<void> namedClasses() {
    const size_t column = wish_.columns[0];
    std::map<std::string, int> names;
    for (size_t row = 0; row < csv_.rows(); ++row) {
      if (isMissing(cell(row, column))) return tl::unexpected(missing(row, column));
      names.emplace(className(cell(row, column)), 0);
    }
    constexpr size_t kEnoughRows = 20;
    if (names.size() == csv_.rows() && csv_.rows() >= kEnoughRows) {
      return fail(ErrorCode::Data, "each of the " + formatCount(csv_.rows()) + " rows has a class of its own in " + columnName(column), csv_.name(),
                  "name the column that holds the labels; for numbers to be predicted set task = \"numbers\"");
    }
    targets_.classes_ = inOrder(names, csv_.delimiter());
    for (size_t row = 0; row < csv_.rows(); ++row) targets_.labels_.push_back(names.at(className(cell(row, column))));
    return {};
  }

  Result<void> numberedClasses() {
    const size_t column = wish_.columns[0];
    for (int c = 0; c < wish_.classes; ++c) targets_.classes_.push_back(std::to_string(c));
    for (size_t row = 0; row < csv_.rows(); ++row) {
      if (isMissing(cell(row, column))) return tl::unexpected(missing(row, column));
      const auto label = wholeNumberIn(cell(row, column), csv_.delimiter());
      if (!label || *label < 0 || *label >= wish_.classes) {
        const std::string range = "from 0 to " + std::to_string(wish_.classes - 1);
        return fail(ErrorCode::Data,
                    "the label " + inQuotes(cell(row, column)) + " in " + columnName(column) +
                        (label ? " is out of range: labels go " : " is no whole number ") + range,
                    csv_.place(row), "correct it, or leave data.classes out to take the labels as they are");
      }
      targets_.labels_.push_back(static_cast<int>(*label));
    }
    return {};
  }

  // A column for each label: 1 where a sample has it, 0 (or -1) where not.
  Result<void> labelColumns() {
    for (const size_t column : wish_.columns) targets_.classes_.push_back(csv_.header()[column]);
    for (size_t row = 0; row < csv_.rows(); ++row) {
      for (size_t c = 0; c < wish_.columns.size(); ++c) {
        const auto value = wholeNumberIn(cell(row, wish_.columns[c]), csv_.delimiter());
        if (!value || *value < -1 || *value > 1) {
          return fail(ErrorCode::Data, inQuotes(cell(row, wish_.columns[c])) + " in the label column " + columnName(wish_.columns[c]) + " is neither 0 nor 1",
                      csv_.place(row), "a label column holds 1 where the sample has the label, else 0");
        }
        if (*value == 1) targets_.labels_.push_back(static_cast<int>(c));
      }
      targets_.ends_.push_back(targets_.labels_.size());
    }
    return {};
  }

  // The labels of one cell; each once. An empty cell has none.
  std::vector<std::string> labelsIn(std::string_view text) const {
    std::vector<std::string> labels;
    while (!text.empty()) {
      const size_t end = std::min(text.find(wish_.separator), text.size());
      std::string_view label = text.substr(0, end);
      while (label.starts_with(' ')) label.remove_prefix(1);
      while (label.ends_with(' ')) label.remove_suffix(1);
      if (!label.empty() && std::find(labels.begin(), labels.end(), label) == labels.end()) labels.emplace_back(label);
      text.remove_prefix(std::min(end + wish_.separator.size(), text.size()));
    }
    return labels;
  }

  Result<void> labelLists() {
    const size_t column = wish_.columns[0];
    std::map<std::string, int> names;
    for (size_t row = 0; row < csv_.rows(); ++row) {
      for (auto& label : labelsIn(cell(row, column))) names.emplace(std::move(label), 0);
    }
    if (names.empty()) return fail(ErrorCode::Data, "no row has a label in " + columnName(column), csv_.name(), "name the column that holds the labels");
    targets_.classes_ = inOrder(names, csv_.delimiter());
    for (size_t row = 0; row < csv_.rows(); ++row) {
      for (const auto& label : labelsIn(cell(row, column))) targets_.labels_.push_back(names.at(label));
      targets_.ends_.push_back(targets_.labels_.size());
    }
    return {};
  }

  const Csv& csv_;
  const TargetWish& wish_;
  CsvTargets targets_;
};

Result<CsvTargets> readTargets(const Csv& csv, const TargetWish& wish) { return TargetReader(csv, wish).run(); }

}  // namespace trainyard::data
