// A CSV file that names pictures and says what each one is.
#include <sys/stat.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/units.h"
#include "core/data/csv_targets.h"
#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

struct Sample {
  std::string file;  // as found below the root, or absolute
  size_t row = 0;
};

class ImageCsv : public Dataset {
 public:
  ImageCsv(Csv csv, CsvTargets targets, fs::path root, std::vector<Sample> samples, DecodeOptions options)
      : csv_(std::move(csv)), targets_(std::move(targets)), root_(std::move(root)), samples_(std::move(samples)), options_(options) {}
  uint64_t size() const override { return samples_.size(); }
  Part part(uint64_t) const override { return Part::Unassigned; }
  std::string name(uint64_t index) const override { return displayPath(samples_[index].file); }
  Task task() const override { return targets_.task(); }
  int label(uint64_t index) const override { return targets_.label(samples_[index].row); }
  const std::vector<std::string>& classes() const override { return targets_.classes(); }
  void target(uint64_t index, std::span<float> out) const override { targets_.fill(samples_[index].row, out); }
  std::string labelPlace(uint64_t index) const override { return csv_.place(samples_[index].row); }
  Result<cv::Mat> picture(uint64_t index) const override { return decodeImageFile(file(index), options_); }
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override { return openImageFile(file(index), options_); }
  Result<std::string> fileBytes(uint64_t index) const override { return readFile(file(index)); }
  Stamp stamp(uint64_t index) const override { return stampOf(file(index)); }
  fs::path file(uint64_t index) const override { return root_ / samples_[index].file; }
  bool inMemory() const override { return false; }

 private:
  Csv csv_;
  CsvTargets targets_;
  fs::path root_;
  std::vector<Sample> samples_;
  DecodeOptions options_;
};

std::string columnOr(const recipe::Choice& format, const char* key) { return format.params.value(key, std::string()); }

// "label", whatever its case, else the second column, or the first that does not hold the pictures.
Result<size_t> usualLabelColumn(const Csv& csv, size_t path_column) {
  if (csv.columns() < 2) {
    return fail(ErrorCode::Data, "has one column; a label column is missing", csv.name(), "one column names the pictures, another says what they are");
  }
  for (const char* usual : {"label", "labels", "class"}) {
    for (size_t c = 0; c < csv.columns(); ++c) {
      std::string name = csv.header()[c];
      for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      if (name == usual && c != path_column) return c;
    }
  }
  return path_column == 1 ? 0 : 1;
}

Result<TargetWish> wishOf(const Csv& csv, const recipe::Choice& format, size_t path_column) {
  TargetWish wish;
  wish.task = format.params.value("task", std::string("auto"));
  wish.separator = format.params.value("separator", std::string());
  wish.classes = format.params.value("classes", 0);
  for (const auto& name : format.params.value("label_columns", std::vector<std::string>())) {
    TRAINYARD_TRY(const size_t column, csv.column(name, "data.label_columns"));
    if (column == path_column) {
      return fail(ErrorCode::Recipe, "the column \"" + name + "\" holds the pictures' names, not labels", "data.label_columns",
                  "name the column that says what the pictures are, and the pictures' own in data.path_column");
    }
    wish.columns.push_back(column);
  }
  if (wish.columns.empty()) {
    TRAINYARD_TRY(const size_t column, usualLabelColumn(csv, path_column));
    wish.columns.push_back(column);
  }
  return wish;
}

bool isFile(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// Whether a picture that is not there is one that is left out, under the name it had.
bool isLeftOut(std::string name, const std::vector<std::string>& excluded) {
  if (name.starts_with("./")) name.erase(0, 2);
  std::replace(name.begin(), name.end(), '\\', '/');
  return std::any_of(excluded.begin(), excluded.end(), [&](const std::string& out) { return out == name || out.starts_with(name + "."); });
}

// The file that a cell means: as written; with / for \ as Windows writes it; with the ending that names without one lack.
std::string found(const fs::path& root, std::string_view cell) {
  std::string name(cell);
  if (name.starts_with("./")) name.erase(0, 2);
  if (isFile(root / name)) return name;
  if (name.find('\\') != std::string::npos) {
    std::replace(name.begin(), name.end(), '\\', '/');
    if (isFile(root / name)) return name;
  }
  if (looksLikeImage(fs::path(name))) return {};
  for (const char* ending : {".jpg", ".png", ".jpeg", ".JPG"}) {
    if (isFile(root / (name + ending))) return name + ending;
  }
  return {};
}

Result<std::vector<Sample>> findPictures(const Csv& csv, const CsvTargets& targets, size_t column, const fs::path& root,
                                         const std::vector<std::string>& excluded) {
  std::vector<Sample> samples;
  std::unordered_map<std::string, size_t> rows;
  size_t missing = 0, first_missing = 0;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto cell = csv.cell(row, column);
    if (cell.empty())
      return fail(ErrorCode::Data, "names no picture", csv.place(row), "fill in the column \"" + csv.header()[column] + "\", or remove the row");
    std::string file = found(root, cell);
    if (file.empty()) {
      if (!isLeftOut(std::string(cell), excluded) && missing++ == 0) first_missing = row;
      continue;
    }
    const auto [known, fresh] = rows.emplace(file, row);
    if (fresh) {
      samples.push_back({std::move(file), row});
    } else if (!targets.equal(known->second, row)) {
      return fail(ErrorCode::Data, "gives \"" + file + "\" another label than line " + std::to_string(csv.line(known->second)) + " does", csv.place(row),
                  "keep one of the two rows; several labels of one picture go into one cell, with data.separator between them");
    }
  }
  if (missing > 0) {
    return fail(ErrorCode::Data,
                "there is no picture \"" + std::string(csv.cell(first_missing, column)) + "\" in " + displayPath(root) +
                    (missing > 1 ? "; " + formatCount(missing) + " of " + formatCount(csv.rows()) + " pictures are missing" : ""),
                csv.place(first_missing), "correct the name, or say where the pictures are with data.root (and which column names them with data.path_column)");
  }
  return samples;
}

}  // namespace

Result<std::unique_ptr<Dataset>> openImageCsv(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path file, csvFileOf(data.path));
  TRAINYARD_TRY(const std::string text, readFile(file));
  TRAINYARD_TRY(Csv csv, parseCsv(text, displayPath(file), csvOptions(data.format)));
  size_t path_column = 0;
  if (const std::string name = columnOr(data.format, "path_column"); !name.empty()) {
    TRAINYARD_TRY(path_column, csv.column(name, "data.path_column"));
  }
  TRAINYARD_TRY(const TargetWish wish, wishOf(csv, data.format, path_column));
  TRAINYARD_TRY(CsvTargets targets, readTargets(csv, wish));
  const fs::path root = (file.parent_path() / expandUser(columnOr(data.format, "root"))).lexically_normal();
  TRAINYARD_TRY(auto samples, findPictures(csv, targets, path_column, root, data.exclude));
  if (samples.empty()) return fail(ErrorCode::Data, "none of its pictures is there", csv.name(), "say where the pictures are with data.root");
  return std::make_unique<ImageCsv>(std::move(csv), std::move(targets), root, std::move(samples), decodeOptions(data));
}

}  // namespace trainyard::data
