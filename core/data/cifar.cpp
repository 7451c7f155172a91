// CIFAR's binary versions: records of the label bytes and 3 × 32 × 32 pixels, channel by channel.
#include <array>

#include "core/base/units.h"
#include "core/data/formats.h"

namespace trainyard::data {

namespace {

constexpr int kEdge = 32;
constexpr size_t kPlane = size_t{kEdge} * kEdge;
constexpr char kCopyAgain[] = "download or unpack it again";

struct Layout {
  size_t label_bytes;  // the last of them is the label
  size_t classes;
  const char* inner_folder;  // as in the archive
  const char* names_file;
  const char* other;  // the format to try when labels do not fit
};

constexpr Layout kTen = {1, 10, "cifar-10-batches-bin", "batches.meta.txt", "cifar100"};
constexpr Layout kHundred = {2, 100, "cifar-100-binary", "fine_label_names.txt", "cifar10"};

constexpr std::array<const char*, 10> kTenNames = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Result<void> append(const fs::path& file, const Layout& layout, Part part, MemoryDataset& dataset) {
  TRAINYARD_TRY(const std::string bytes, readFile(file));
  const size_t record = layout.label_bytes + 3 * kPlane;
  if (bytes.empty() || bytes.size() % record != 0) {
    return fail(ErrorCode::Data, "is cut short: " + formatCount(bytes.size()) + " bytes are not a whole number of records of " + formatCount(record) + " bytes",
                displayPath(file), kCopyAgain);
  }
  const size_t count = bytes.size() / record;
  dataset.beginStretch(file.stem().string(), part);
  auto& pixels = dataset.pixels();
  size_t to = pixels.size();
  pixels.resize(to + count * 3 * kPlane);
  for (size_t i = 0; i < count; ++i) {
    const auto* from = reinterpret_cast<const unsigned char*>(bytes.data()) + i * record + layout.label_bytes;
    const int label = from[-1];
    if (static_cast<size_t>(label) >= layout.classes) {
      return fail(ErrorCode::Data,
                  "record " + std::to_string(i) + " has the label " + std::to_string(label) + "; labels go from 0 to " + std::to_string(layout.classes - 1),
                  displayPath(file), std::string("is this ") + layout.other + "? Else " + kCopyAgain);
    }
    dataset.labels().push_back(label);
    for (size_t p = 0; p < kPlane; ++p) {
      for (size_t c = 0; c < 3; ++c) pixels[to++] = from[c * kPlane + p];
    }
  }
  return {};
}

Result<std::vector<std::string>> classNames(const fs::path& folder, const Layout& layout) {
  const fs::path file = folder / layout.names_file;
  std::vector<std::string> names;
  if (isFile(file)) {
    TRAINYARD_TRY(const std::string text, readFile(file));
    names = splitLines(text);
    if (names.size() != layout.classes) {
      return fail(ErrorCode::Data, "names " + std::to_string(names.size()) + " classes instead of " + std::to_string(layout.classes), displayPath(file),
                  kCopyAgain);
    }
    return names;
  }
  if (layout.classes == kTenNames.size()) return std::vector<std::string>(kTenNames.begin(), kTenNames.end());
  for (size_t i = 0; i < layout.classes; ++i) names.push_back(std::to_string(i));
  return names;
}

struct Source {
  fs::path file;
  Part part;
};

Result<std::unique_ptr<Dataset>> openRecords(const fs::path& folder, const std::vector<Source>& sources, const Layout& layout) {
  auto dataset = std::make_unique<MemoryDataset>(kEdge, kEdge, 3);
  for (const Source& source : sources) TRAINYARD_CHECK(append(source.file, layout, source.part, *dataset));
  TRAINYARD_TRY(auto names, classNames(folder, layout));
  dataset->setClasses(std::move(names));
  return dataset;
}

// The folder itself, or the one that the archive unpacks to.
Result<fs::path> folderFor(const recipe::Data& data, const Layout& layout) {
  TRAINYARD_TRY(const fs::path folder, folderOf(data));
  std::error_code ignored;
  const fs::path inner = folder / layout.inner_folder;
  return fs::is_directory(inner, ignored) ? inner : folder;
}

tl::unexpected<Error> missing(const fs::path& file, const fs::path& python_version) {
  return fail(ErrorCode::Data, "there is no such file", displayPath(file),
              isFile(python_version) ? "this folder holds the Python version; get the binary version of the data"
                                     : "get the binary version of the data and unpack it here");
}

}  // namespace

Result<std::unique_ptr<Dataset>> openCifar10(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path folder, folderFor(data, kTen));
  std::vector<Source> sources;
  fs::path gap;
  for (int i = 1; i <= 5; ++i) {
    const fs::path file = folder / ("data_batch_" + std::to_string(i) + ".bin");
    if (!isFile(file)) {
      if (gap.empty()) gap = file;
      continue;
    }
    if (!gap.empty()) return missing(gap, {});
    sources.push_back({file, Part::Train});
  }
  if (sources.empty()) return missing(gap, folder / "data_batch_1");
  if (isFile(folder / "test_batch.bin")) sources.push_back({folder / "test_batch.bin", Part::Validation});
  return openRecords(folder, sources, kTen);
}

Result<std::unique_ptr<Dataset>> openCifar100(const recipe::Data& data) {
  TRAINYARD_TRY(const fs::path folder, folderFor(data, kHundred));
  if (!isFile(folder / "train.bin")) return missing(folder / "train.bin", folder / "train");
  std::vector<Source> sources = {{folder / "train.bin", Part::Train}};
  if (isFile(folder / "test.bin")) sources.push_back({folder / "test.bin", Part::Validation});
  return openRecords(folder, sources, kHundred);
}

}  // namespace trainyard::data
