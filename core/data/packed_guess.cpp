// Which of the formats that lie inside larger files a path looks like.
#include <algorithm>

#include "core/data/formats.h"
#include "core/data/image_decode.h"

namespace trainyard::data {

namespace {

std::string lowerName(const fs::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return name;
}

std::string guessFile(const fs::path& file) {
  const std::string name = lowerName(file);
  if (name.ends_with(".zip")) return "zip";
  if (name.ends_with(".tar")) return looksLikeWebDataset(file) ? "webdataset" : "tar";
  for (const char* ending : {".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst"}) {
    if (name.ends_with(ending)) return "tar";
  }
  return looksLikeTfRecord(file) ? "tfrecord" : "";
}

bool isPartName(const std::string& name) { return name == "train" || name == "val" || name == "valid" || name == "validation" || name == "test"; }

}  // namespace

std::string guessPacked(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return guessFile(path);
  const auto entries = listFolder(path);
  if (!entries) return {};
  std::string inner;
  for (const auto& entry : *entries) {
    if (fs::is_directory(entry, ignored)) {
      if (!isPartName(lowerName(entry))) return {};
      if (inner.empty()) inner = guessPacked(entry);
      continue;
    }
    if (lowerName(entry).ends_with(".tar") && looksLikeWebDataset(entry)) return "webdataset";
    if (looksLikeTfRecord(entry)) return "tfrecord";
  }
  return inner;
}

}  // namespace trainyard::data
