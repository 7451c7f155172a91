#include "core/data/formats.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "core/base/units.h"
#include "core/data/csv.h"
#include "core/data/csv_targets.h"
#include "core/data/selected.h"

namespace trainyard::data {

namespace {

struct Entry {
  const char* id;
  Maker maker;
};

constexpr Entry kMakers[] = {
    {"image-folder", openImageFolder}, {"image-csv", openImageCsv}, {"table", openTable}, {"idx", openIdx},
    {"cifar10", openCifar10},          {"cifar100", openCifar100},  {"tar", openTar},     {"zip", openZip},
    {"webdataset", openWebDataset},    {"tfrecord", openTfRecord},  {"text", openText},
};

Result<std::unique_ptr<Dataset>> openWhole(const recipe::Data& data) {
  for (const auto& [id, maker] : kMakers) {
    if (data.format.id == id) return maker(data);
  }
  const std::string near = nearestWord(data.format.id, madeIds());
  return fail(ErrorCode::Recipe, "there is no data format \"" + data.format.id + "\"", "data.format", near.empty() ? "" : "did you mean \"" + near + "\"?");
}

bool isTableName(const fs::path& file) {
  const auto ending = file.extension();
  return ending == ".csv" || ending == ".tsv" || ending == ".CSV";
}

// A CSV file that names pictures in its first rows, or one of values.
std::string guessTable(const fs::path& file) {
  constexpr size_t kEnough = 1 << 16;
  std::string text(kEnough, '\0');
  std::ifstream stream(file, std::ios::binary);
  text.resize(static_cast<size_t>(stream.read(text.data(), kEnough).gcount()));
  if (text.size() == kEnough) text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));  // no row that is cut
  const auto csv = parseCsv(text, displayPath(file));
  if (!csv) return "table";
  for (size_t c = 0; c < csv->columns(); ++c) {
    if (looksLikeImage(fs::path(csv->cell(0, c)))) return "image-csv";
  }
  return "table";
}

}  // namespace

Result<std::unique_ptr<Dataset>> open(const recipe::Data& data) {
  TRAINYARD_TRY(auto whole, openWhole(data));
  return leaveOut(std::move(whole), data, true);
}

Result<std::unique_ptr<Dataset>> openLike(const Dataset& training, const recipe::Data& data) {
  recipe::Data like = data;
  like.format.params["task"] = taskName(training.task());
  TRAINYARD_TRY(auto whole, training.columns() != nullptr ? openTableLike(like, training) : openWhole(like));
  return leaveOut(std::move(whole), data, false);
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

std::string guessFormat(const fs::path& path) {
  std::error_code ignored;
  if (isTableName(path) && fs::is_regular_file(path, ignored)) return guessTable(path);
  if (std::string packed = guessPacked(path); !packed.empty()) return packed;
  if (looksLikeText(path)) return "text";
  const auto entries = listFolder(path);
  if (!entries) return "image-folder";
  bool idx = false, ten = false, hundred = false;
  std::vector<fs::path> tables;
  for (const auto& entry : *entries) {
    const std::string name = entry.path().filename().string();
    const bool file = fs::is_regular_file(entry, ignored);
    if (file && isTableName(entry)) tables.push_back(entry);
    idx |= file && name.find("-images") != std::string::npos && name.find("idx") != std::string::npos;
    ten |= name == "data_batch_1.bin" || name == "cifar-10-batches-bin";
    hundred |= name == "cifar-100-binary" || (name == "train.bin" && fs::exists(path / "fine_label_names.txt", ignored));
  }
  // One table that names pictures says more than the folders they lie in.
  if (tables.size() == 1 && (guessTable(tables[0]) == "image-csv" ||
                             std::none_of(entries->begin(), entries->end(), [&](const fs::path& entry) { return fs::is_directory(entry, ignored); }))) {
    return guessTable(tables[0]);
  }
  return ten ? "cifar10" : hundred ? "cifar100" : idx ? "idx" : "image-folder";
}

bool isHiddenName(std::string_view name) { return name.empty() || name[0] == '.' || name == "Thumbs.db" || name == "desktop.ini" || name == "__MACOSX"; }

Result<std::vector<fs::directory_entry>> listFolder(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  fs::directory_iterator iterator(folder, error);
  for (; !error && iterator != fs::directory_iterator(); iterator.increment(error)) {
    if (!isHiddenName(iterator->path().filename().string())) entries.push_back(*iterator);
  }
  if (error) return fail(ErrorCode::Data, "the folder cannot be read: " + error.message(), displayPath(folder), "check the path and its permissions");
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path().native() < b.path().native(); });
  return entries;
}

Result<std::unique_ptr<augment::Source>> openImageFile(const fs::path& file, const DecodeOptions& options) {
  TRAINYARD_TRY(std::string bytes, readFile(file));
  return openImage(std::move(bytes), displayPath(file), options);
}

Dataset::Stamp stampOf(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return {static_cast<uint64_t>(info.st_size), info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec};
}

Result<fs::path> folderOf(const recipe::Data& data) {
  std::error_code error;
  if (!fs::exists(data.path, error)) {
    return fail(ErrorCode::Data, "there is no such folder", displayPath(data.path), "check data.path; a relative path starts at the recipe's folder");
  }
  if (!fs::is_directory(data.path, error)) {
    return fail(ErrorCode::Data, "is a file, not a folder", displayPath(data.path), "give the folder that holds the data");
  }
  return data.path;
}

std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace trainyard::data
