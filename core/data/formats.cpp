#include "core/data/formats.h"

#include <algorithm>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

struct Entry {
  const char* id;
  Maker maker;
};

constexpr Entry kMakers[] = {
    {"image-folder", openImageFolder},
    {"idx", openIdx},
    {"cifar10", openCifar10},
    {"cifar100", openCifar100},
    {"tar", openTar},
    {"zip", openZip},
    {"webdataset", openWebDataset},
    {"tfrecord", openTfRecord},
};

}  // namespace

Result<std::unique_ptr<Dataset>> open(const recipe::Data& data) {
  for (const auto& [id, maker] : kMakers) {
    if (data.format.id == id) return maker(data);
  }
  const std::string near = nearestWord(data.format.id, madeIds());
  return fail(ErrorCode::Recipe, "there is no data format \"" + data.format.id + "\"", "data.format", near.empty() ? "" : "did you mean \"" + near + "\"?");
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& entry : kMakers) ids.emplace_back(entry.id);
  return ids;
}

std::string guessFormat(const fs::path& folder) {
  if (std::string packed = guessPacked(folder); !packed.empty()) return packed;
  const auto entries = listFolder(folder);
  if (!entries) return "image-folder";
  bool idx = false, ten = false, hundred = false;
  for (const auto& entry : *entries) {
    const std::string name = entry.filename().string();
    std::error_code ignored;
    const bool file = fs::is_regular_file(entry, ignored);
    idx |= file && name.find("-images") != std::string::npos && name.find("idx") != std::string::npos;
    ten |= name == "data_batch_1.bin" || name == "cifar-10-batches-bin";
    hundred |= name == "cifar-100-binary" || (name == "train.bin" && fs::exists(folder / "fine_label_names.txt", ignored));
  }
  return ten ? "cifar10" : hundred ? "cifar100" : idx ? "idx" : "image-folder";
}

bool isHiddenName(std::string_view name) {
  return name.empty() || name[0] == '.' || name == "Thumbs.db" || name == "desktop.ini" || name == "__MACOSX";
}

Result<std::vector<fs::path>> listFolder(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  fs::directory_iterator iterator(folder, error);
  for (; !error && iterator != fs::directory_iterator(); iterator.increment(error)) {
    if (!isHiddenName(iterator->path().filename().string())) entries.push_back(iterator->path());
  }
  if (error) return fail(ErrorCode::Data, "the folder cannot be read: " + error.message(), displayPath(folder), "check the path and its permissions");
  std::sort(entries.begin(), entries.end());
  return entries;
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
