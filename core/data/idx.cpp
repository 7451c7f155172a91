// IDX, MNIST's format: a header of big-endian numbers (magic, count, height, width), then the bytes.
#include <algorithm>

#include "core/base/units.h"
#include "core/data/formats.h"
#include "core/data/packed_file.h"

namespace trainyard::data {

namespace {

constexpr char kCopyAgain[] = "download or copy it again";
constexpr uint64_t kLargestEdge = 16384;

struct Pair {
  fs::path pictures, labels;
  Part part = Part::Unassigned;
};

struct Idx {
  std::vector<uint64_t> sizes;  // the first is the count
  std::string bytes;
  size_t start = 0;  // of the values in `bytes`
  std::string name;
  const unsigned char* values() const { return reinterpret_cast<const unsigned char*>(bytes.data()) + start; }
};

std::string magicText(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < 4; ++i) text += (i ? " " : "") + std::to_string(static_cast<unsigned char>(bytes[i]));
  return text;
}

// Labels have one dimension, pictures three (or four, with channels last).
Result<Idx> readIdx(const fs::path& file, bool pictures) {
  TRAINYARD_TRY(std::string bytes, readPlainOrGz(file));
  const std::string name = displayPath(file);
  const char* wanted = pictures ? "pictures: 0 0 8 3" : "labels: 0 0 8 1";
  if (bytes.size() < 8) return fail(ErrorCode::Data, "is cut short: " + std::to_string(bytes.size()) + " bytes are less than an IDX header", name, kCopyAgain);
  const auto dimensions = static_cast<unsigned char>(bytes[3]);
  const bool known = bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 8;
  if (!known || (pictures ? dimensions != 3 && dimensions != 4 : dimensions != 1)) {
    const bool swapped = known && (pictures ? dimensions == 1 : dimensions == 3);
    return fail(ErrorCode::Data,
                "is not an IDX file of " + std::string(pictures ? "pictures" : "labels") + ": it starts with " + magicText(bytes) + ", not " + wanted, name,
                swapped ? "are the picture and label files swapped?" : kCopyAgain);
  }
  Idx idx;
  idx.start = 4 + 4 * size_t{dimensions};
  if (bytes.size() < idx.start) return fail(ErrorCode::Data, "is cut short in its header", name, kCopyAgain);
  uint64_t expected = idx.start, each = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    uint64_t size = 0;
    for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(bytes[4 + 4 * d + i]);
    idx.sizes.push_back(size);
    if (d == 0) continue;
    if (size == 0 || size > kLargestEdge) return fail(ErrorCode::Data, "says its pictures have an edge of " + std::to_string(size), name, kCopyAgain);
    each *= size;
  }
  expected += each * idx.sizes[0];
  if (bytes.size() < expected) {
    return fail(ErrorCode::Data, "is cut short: it holds " + formatCount(bytes.size()) + " of the " + formatCount(expected) + " bytes its header announces",
                name, kCopyAgain);
  }
  if (bytes.size() > expected) {
    return fail(ErrorCode::Data, "holds " + formatCount(bytes.size() - expected) + " bytes more than its header announces", name, kCopyAgain);
  }
  idx.bytes = std::move(bytes);
  idx.name = name;
  return idx;
}

std::string stem(const fs::path& file) { return file.extension() == ".gz" ? file.stem().string() : file.filename().string(); }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.rfind(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Part partOf(const std::string& name) {
  const std::string before = name.substr(0, name.rfind("-images"));
  for (const char* word : {"t10k", "test", "val", "valid", "validation"}) {
    if (before == word || before.ends_with(std::string("-") + word)) return Part::Validation;
  }
  return before == "train" || before.ends_with("-train") ? Part::Train : Part::Unassigned;
}

Result<std::vector<Pair>> findPairs(const fs::path& folder) {
  TRAINYARD_TRY(const auto entries, listFolder(folder));
  std::vector<Pair> pairs;
  std::string last;
  for (const auto& entry : entries) {  // sorted: a plain file stands before the packed one of the same name
    const std::string name = stem(entry);
    std::error_code ignored;
    if (name.rfind("-images") == std::string::npos || name == last || !fs::is_regular_file(entry, ignored)) continue;
    last = name;
    const std::string wanted = replaced(replaced(replaced(name, "-images", "-labels"), "idx3", "idx1"), "idx4", "idx1");
    const fs::path labels = plainOrGz(folder / wanted);
    if (labels.empty()) {
      return fail(ErrorCode::Data, "the label file of " + displayPath(entry.path().filename()) + " is missing", displayPath(folder / wanted),
                  "put it beside the pictures, plain or as .gz");
    }
    pairs.push_back({entry, labels, partOf(name)});
  }
  if (pairs.empty()) {
    return fail(ErrorCode::Data, "there are no IDX files here", displayPath(folder),
                "MNIST's are called train-images-idx3-ubyte and train-labels-idx1-ubyte, plain or with .gz");
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.part < b.part; });
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i].part != pairs[i - 1].part && pairs[0].part != Part::Unassigned) continue;
    return fail(ErrorCode::Data,
                "it is not clear what " + pairs[i - 1].pictures.filename().string() + " and " + pairs[i].pictures.filename().string() + " are for",
                displayPath(folder), "keep one pair here, or name them train-images… and test-images…");
  }
  return pairs;
}

Result<void> append(const Pair& pair, std::unique_ptr<MemoryDataset>& dataset) {
  TRAINYARD_TRY(const Idx pictures, readIdx(pair.pictures, true));
  TRAINYARD_TRY(const Idx labels, readIdx(pair.labels, false));
  const uint64_t count = pictures.sizes[0];
  if (count != labels.sizes[0]) {
    return fail(
        ErrorCode::Data,
        "the counts disagree: " + formatCount(count) + " pictures, but " + formatCount(labels.sizes[0]) + " labels in " + pair.labels.filename().string(),
        pictures.name, "these two files do not belong together");
  }
  if (count == 0) return fail(ErrorCode::Data, "holds no pictures", pictures.name, kCopyAgain);
  const auto height = static_cast<int>(pictures.sizes[1]), width = static_cast<int>(pictures.sizes[2]);
  const auto channels = static_cast<int>(pictures.sizes.size() > 3 ? pictures.sizes[3] : 1);
  if (channels != 1 && channels != 3)
    return fail(ErrorCode::Data, "has pictures with " + std::to_string(channels) + " channels", pictures.name, "1 (grey) and 3 (RGB) are read");
  if (!dataset) dataset = std::make_unique<MemoryDataset>(height, width, channels);
  if (dataset->height() != height || dataset->width() != width || dataset->channels() != channels) {
    return fail(ErrorCode::Data,
                "the sizes disagree: " + std::to_string(height) + "×" + std::to_string(width) + " here, " + std::to_string(dataset->height()) + "×" +
                    std::to_string(dataset->width()) + " in the training file",
                pictures.name, "these two files do not belong together");
  }
  dataset->beginStretch(replaced(stem(pair.pictures), "-idx3-ubyte", ""), pair.part);
  dataset->pixels().insert(dataset->pixels().end(), pictures.values(), pictures.values() + count * dataset->pictureBytes());
  dataset->labels().insert(dataset->labels().end(), labels.values(), labels.values() + count);
  return {};
}

// classes.txt beside the files names the classes; without it they are called by their numbers.
Result<std::vector<std::string>> classNames(const fs::path& folder, MemoryDataset& dataset) {
  const auto highest = std::max_element(dataset.labels().begin(), dataset.labels().end());
  const auto count = static_cast<size_t>(*highest) + 1;
  const fs::path file = folder / "classes.txt";
  std::error_code ignored;
  std::vector<std::string> names;
  if (fs::exists(file, ignored)) {
    TRAINYARD_TRY(const std::string text, readFile(file));
    names = splitLines(text);
    if (names.size() < count) {
      const auto sample = static_cast<uint64_t>(highest - dataset.labels().begin());
      return fail(ErrorCode::Data,
                  "names " + std::to_string(names.size()) + " classes, but " + dataset.name(sample) + " has the label " + std::to_string(*highest),
                  displayPath(file), "one name a line, the first for label 0");
    }
  }
  for (size_t i = names.size(); i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

Result<std::unique_ptr<Dataset>> openIdx(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path folder, folderOf(data));
  TRAINYARD_TRY(const auto pairs, findPairs(folder));
  std::unique_ptr<MemoryDataset> dataset;
  for (const Pair& pair : pairs) TRAINYARD_CHECK(append(pair, dataset));
  TRAINYARD_TRY(auto names, classNames(folder, *dataset));
  dataset->setClasses(std::move(names));
  return dataset;
}

}  // namespace trainyard::data
