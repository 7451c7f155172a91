#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/data/image_decode.h"
#include "core/data/parallel.h"
#include "core/data/quick_check.h"
#include "core/data/scan.h"
#include "core/data/scan_cache.h"

namespace trainyard::data {

namespace {

class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat info {};
    if (descriptor_ >= 0 && ::fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode)) size_ = static_cast<uint64_t>(info.st_size);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  uint64_t size() const { return size_; }
  std::string read(uint64_t offset, uint64_t count) const {
    std::string bytes(static_cast<size_t>(std::min(count, size_ - std::min(offset, size_))), '\0');
    size_t used = 0;
    while (used < bytes.size()) {
      const ssize_t got = ::pread(descriptor_, bytes.data() + used, bytes.size() - used, static_cast<off_t>(offset + used));
      if (got <= 0) break;
      used += static_cast<size_t>(got);
    }
    bytes.resize(used);
    return bytes;
  }

 private:
  int descriptor_;
  uint64_t size_ = 0;
};

bool fileLooksWhole(const fs::path& path, uint64_t max_pixels) {
  const OpenFile file(path);
  return looksWhole({file.size(), [&](uint64_t offset, uint64_t count) { return file.read(offset, count); }}, max_pixels);
}

// Nothing when the sample can be used.
std::optional<Error> check(const Dataset& dataset, uint64_t sample, const DecodeOptions& options) {
  const fs::path file = dataset.file(sample);
  if (!file.empty() && fileLooksWhole(file, options.max_pixels)) return {};
  const auto bytes = dataset.fileBytes(sample);
  if (!bytes) {
    if (bytes.error().code != ErrorCode::Usage) return bytes.error();
    const auto picture = dataset.picture(sample);
    return picture ? std::optional<Error>() : picture.error();
  }
  const auto read = [&](uint64_t offset, uint64_t count) { return bytes->substr(std::min<size_t>(offset, bytes->size()), count); };
  if (file.empty() && looksWhole({bytes->size(), read}, options.max_pixels)) return {};
  const auto picture = decodeImage(*bytes, dataset.name(sample), options);
  return picture ? std::optional<Error>() : picture.error();
}

}  // namespace

Result<std::vector<std::pair<uint64_t, Error>>> unusable(const Dataset& dataset, const recipe::Data& data, const ScanOptions& options) {
  std::vector<std::pair<uint64_t, Error>> found;
  if (dataset.inMemory() || dataset.columns() != nullptr) return found;
  const ScanCache cache = options.use_cache ? ScanCache::open(data, options.cache) : ScanCache();
  const DecodeOptions decode = decodeOptions(data);
  std::mutex mutex;
  const auto checkOne = [&](uint64_t sample) {
    std::optional<Error> error;
    const Dataset::Stamp stamp = dataset.stamp(sample);
    const auto entry = stamp.bytes > 0 ? cache.find(keptAs(dataset, sample), stamp) : std::optional<ScanCache::Entry>();
    if (!entry)
      error = check(dataset, sample, decode);
    else if (entry->look.verdict != Verdict::Fine)
      error = Error{ErrorCode::Data, entry->what, dataset.name(sample), entry->hint};
    if (!error) return;
    const std::scoped_lock lock(mutex);
    found.emplace_back(sample, std::move(*error));
  };
  if (!forEach(dataset.size(), 0, options, checkOne)) return fail(ErrorCode::Interrupted, "looking for damaged pictures was stopped", displayPath(data.path));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto other = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.second.code != ErrorCode::Data; });
  if (other != found.end()) return tl::unexpected(std::move(other->second));
  return found;
}

}  // namespace trainyard::data
