// A CSV file whose columns are what the network learns from, one row a sample.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/units.h"
#include "core/data/csv_targets.h"
#include "core/data/formats.h"

namespace trainyard::data {

namespace {

constexpr size_t kMostCategories = 1000;
constexpr size_t kMostNumberedClasses = 20;
constexpr size_t kEnoughRows = 20;

class Table : public Dataset {
 public:
  Table(Csv csv, CsvTargets targets, std::vector<Column> columns, std::vector<float> values)
      : targets_(std::move(targets)), columns_(std::move(columns)), values_(std::move(values)), file_(csv.name()) {
    for (size_t row = 0; row < csv.rows(); ++row) lines_.push_back(csv.line(row));
  }
  uint64_t size() const override { return lines_.size(); }
  Part part(uint64_t) const override { return Part::Unassigned; }
  std::string name(uint64_t index) const override { return "line " + std::to_string(lines_[index]); }
  std::string labelPlace(uint64_t index) const override { return file_ + ":" + std::to_string(lines_[index]); }
  Task task() const override { return targets_.task(); }
  int label(uint64_t index) const override { return targets_.label(index); }
  const std::vector<std::string>& classes() const override { return targets_.classes(); }
  void target(uint64_t index, std::span<float> out) const override { targets_.fill(index, out); }
  Result<cv::Mat> picture(uint64_t index) const override { return fail(ErrorCode::Data, "is a row of a table, not a picture", labelPlace(index)); }
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override {
    return fail(ErrorCode::Data, "is a row of a table, not a picture", labelPlace(index));
  }
  bool inMemory() const override { return true; }
  const std::vector<Column>* columns() const override { return &columns_; }
  std::span<const float> row(uint64_t index) const override { return std::span(values_).subspan(index * columns_.size(), columns_.size()); }

 private:
  CsvTargets targets_;
  std::vector<Column> columns_;
  std::vector<float> values_;
  std::string file_;
  std::vector<uint64_t> lines_;
};

using Names = std::vector<std::string>;

// How to take each column: as the recipe says, or as the training table has it.
enum class Take { Guess, Texts, AsTexts, AsNumbers, Not };

Result<std::vector<Take>> taken(const Csv& csv, const recipe::Choice& format, size_t target) {
  std::vector<Take> take(csv.columns(), Take::Guess);
  for (const auto& [key, how] : {std::pair{"categorical", Take::Texts}, {"ignore", Take::Not}}) {
    for (const auto& name : format.params.value(key, Names())) {
      TRAINYARD_TRY(const size_t column, csv.column(name, std::string("data.") + key));
      take[column] = how;
    }
  }
  take[target] = Take::Not;
  return take;
}

std::vector<Take> takenLike(const Csv& csv, const std::vector<Column>& training, size_t target) {
  std::vector<Take> take(csv.columns(), Take::Not);
  for (size_t c = 0; c < csv.columns(); ++c) {
    const auto same = std::find_if(training.begin(), training.end(), [&](const Column& column) { return column.name == csv.header()[c]; });
    if (same != training.end() && c != target) take[c] = same->numeric() ? Take::AsNumbers : Take::AsTexts;
  }
  return take;
}

enum class Kind { Empty, Numbers, Texts };

struct Look {  // at one column
  Kind kind = Kind::Empty;
  Names categories;  // sorted
};

Result<Names> categoriesOf(const Csv& csv, size_t column, bool limited) {
  std::set<std::string_view> different;
  size_t there = 0;
  for (size_t row = 0; row < csv.rows(); ++row) {
    if (isMissing(csv.cell(row, column))) continue;
    ++there;
    different.insert(csv.cell(row, column));
  }
  const bool unique = different.size() == there && there >= kEnoughRows;
  if (limited && (unique || different.size() > kMostCategories)) {
    return fail(ErrorCode::Data,
                "the column \"" + csv.header()[column] + "\" holds " + formatCount(different.size()) + " different texts in " + formatCount(csv.rows()) +
                    " rows" + (unique ? ", one for each" : "; at most " + formatCount(kMostCategories) + " can be told apart"),
                csv.name(), "leave it out: ignore = [\"" + csv.header()[column] + "\"]");
  }
  return Names(different.begin(), different.end());
}

Result<Look> lookAt(const Csv& csv, size_t column, Take take) {
  size_t numbers = 0, texts = 0, first_text = 0;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto cell = csv.cell(row, column);
    if (isMissing(cell)) continue;
    if (numberIn(cell, csv.delimiter())) {
      ++numbers;
    } else if (texts++ == 0) {
      first_text = row;
    }
  }
  Look look;
  if (take == Take::AsNumbers || take == Take::AsTexts) {
    look.kind = take == Take::AsNumbers ? Kind::Numbers : Kind::Texts;
  } else if (numbers + texts > 0) {
    look.kind = take == Take::Texts || texts > 0 ? Kind::Texts : Kind::Numbers;
  }
  if (texts > 0 && (take == Take::AsNumbers || (take == Take::Guess && isNumberColumn(numbers, texts)))) {
    return tl::unexpected(textAmongNumbers(
        csv, first_text, column, "correct it, or empty the cell if the value is unknown; if the numbers are names, add the column to data.categorical"));
  }
  if (look.kind == Kind::Texts) {
    TRAINYARD_TRY(look.categories, categoriesOf(csv, column, take != Take::AsTexts));
  }
  return look;
}

void appendColumn(const Csv& csv, size_t from, const Look& look, size_t to, size_t width, std::vector<float>& values) {
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto cell = csv.cell(row, from);
    float value = std::numeric_limits<float>::quiet_NaN();
    if (!isMissing(cell)) {
      const auto category = std::lower_bound(look.categories.begin(), look.categories.end(), cell);
      value = look.kind == Kind::Numbers ? static_cast<float>(*numberIn(cell, csv.delimiter())) : static_cast<float>(category - look.categories.begin());
    }
    values[row * width + to] = value;
  }
}

struct Features {
  std::vector<Column> columns;
  std::vector<float> values;
};

Result<Features> readFeatures(const Csv& csv, size_t target, const std::vector<Take>& take) {
  std::vector<size_t> from;
  std::vector<Look> looks;
  Features features;
  for (size_t column = 0; column < csv.columns(); ++column) {
    if (take[column] == Take::Not) continue;
    TRAINYARD_TRY(Look look, lookAt(csv, column, take[column]));
    if (look.kind == Kind::Empty) continue;
    features.columns.push_back({csv.header()[column], look.categories});
    from.push_back(column);
    looks.push_back(std::move(look));
  }
  if (from.empty()) {
    return fail(ErrorCode::Data, "has no column to learn from besides \"" + csv.header()[target] + "\"", csv.name(),
                "add columns, or take some out of data.ignore");
  }
  features.values.resize(csv.rows() * from.size());
  for (size_t c = 0; c < from.size(); ++c) appendColumn(csv, from[c], looks[c], c, from.size(), features.values);
  return features;
}

Result<std::unique_ptr<Dataset>> read(const recipe::Data& data, const Dataset* training) {
  TRAINYARD_TRY(const fs::path file, csvFileOf(data.path));
  TRAINYARD_TRY(const std::string text, readFile(file));
  TRAINYARD_TRY(Csv csv, parseCsv(text, displayPath(file), csvOptions(data.format)));
  size_t target = csv.columns() - 1;
  if (const auto name = data.format.params.value("target", std::string()); !name.empty()) {
    TRAINYARD_TRY(target, csv.column(name, "data.target"));
  }
  TargetWish wish;
  wish.columns = {target};
  wish.task = training != nullptr ? taskName(training->task()) : data.format.params.value("task", std::string("auto"));
  wish.classes = data.format.params.value("classes", 0);
  wish.most_numbered = kMostNumberedClasses;
  TRAINYARD_TRY(CsvTargets targets, readTargets(csv, wish));
  std::vector<Take> take;
  if (training != nullptr) {
    take = takenLike(csv, *training->columns(), target);
  } else {
    TRAINYARD_TRY(take, taken(csv, data.format, target));
  }
  TRAINYARD_TRY(Features features, readFeatures(csv, target, take));
  return std::make_unique<Table>(std::move(csv), std::move(targets), std::move(features.columns), std::move(features.values));
}

}  // namespace

Result<std::unique_ptr<Dataset>> openTable(const recipe::Data& data) { return read(data, nullptr); }

Result<std::unique_ptr<Dataset>> openTableLike(const recipe::Data& data, const Dataset& training) { return read(data, &training); }

}  // namespace trainyard::data
