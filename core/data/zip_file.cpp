#include "core/data/zip_file.h"

#include <zip.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/units.h"
#include "core/data/tar_index.h"

namespace trainyard::data {

namespace {

constexpr int kMostHandles = 4;
constexpr char kHint[] = "download or copy it again, or pack it anew";
// Deflate makes 258 bytes of two bits at best.
constexpr uint64_t kLargestRatio = 1032;

std::string reasonOf(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

bool isLink(zip_t* handle, uint64_t number) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(handle, number, 0, &system, &attributes) != 0) return false;
  constexpr zip_uint32_t kKind = 0170000, kLink = 0120000;
  return system == ZIP_OPSYS_UNIX && (attributes >> 16 & kKind) == kLink;
}

struct CloseEntry {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

// Why an entry cannot be read, with its remedy; empty when it can.
std::pair<std::string, std::string> unreadable(const zip_stat_t& info, uint64_t file_bytes) {
  if (info.encryption_method != ZIP_EM_NONE) return {"is encrypted", "unpack it with its password, and pack it anew without one"};
  if (zip_compression_method_supported(info.comp_method, 0) == 0)
    return {"is packed by a method that is not read (number " + std::to_string(info.comp_method) + ")", "pack it anew as an ordinary .zip, or unpack it"};
  if (info.comp_size > file_bytes || (info.comp_method == ZIP_CM_STORE && info.size != info.comp_size) ||
      (info.comp_method == ZIP_CM_DEFLATE && info.size / kLargestRatio > info.comp_size))
    return {"is damaged: " + formatCount(info.size) + " bytes cannot come of " + formatCount(info.comp_size) + " packed ones", kHint};
  return {};
}

// Fills `bytes`; what went wrong, or nothing.
std::string readEntry(zip_t* handle, uint64_t number, std::string& bytes) {
  const std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(handle, number, 0));
  if (!entry) return zip_strerror(handle);
  uint64_t got = 0;
  while (got < bytes.size()) {
    const zip_int64_t count = zip_fread(entry.get(), bytes.data() + got, bytes.size() - got);
    if (count < 0) return zip_file_strerror(entry.get());
    if (count == 0) return "it is shorter than announced";
    got += static_cast<uint64_t>(count);
  }
  char beyond = 0;  // the checksum is compared when the end is read
  const zip_int64_t rest = zip_fread(entry.get(), &beyond, 1);
  return rest == 0 ? "" : rest > 0 ? "it is longer than announced" : zip_file_strerror(entry.get());
}

}  // namespace

Result<std::unique_ptr<ZipFile>> ZipFile::open(const fs::path& path) {
  TRAINYARD_TRY(const auto seen, OpenFile::open(path));
  auto file = std::unique_ptr<ZipFile>(new ZipFile(path, *seen));
  TRAINYARD_TRY(zip* const handle, file->borrow());
  auto listed = file->list(handle, seen->size());
  file->giveBack(handle);
  TRAINYARD_CHECK(std::move(listed));
  return file;
}

ZipFile::~ZipFile() {
  for (zip* handle : idle_) zip_discard(handle);
}

Result<void> ZipFile::list(zip* handle, uint64_t file_bytes) {
  const auto refuse = [&](const std::string& what, std::string hint) { return fail(ErrorCode::Data, what, watched_.name(), std::move(hint)); };
  std::unordered_map<std::string, uint64_t> by_name;
  const auto count = static_cast<uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(handle, 0)));
  for (uint64_t i = 0; i < count; ++i) {
    zip_stat_t info;
    if (zip_stat_index(handle, i, 0, &info) != 0 || info.name == nullptr) return refuse("is damaged: entry " + formatCount(i) + " has no name", kHint);
    std::string stored = info.name;
    // Some Windows programs write their own separator, against the format's rules.
    if (stored.find('/') == std::string::npos) std::replace(stored.begin(), stored.end(), '\\', '/');
    const auto name = cleanEntryName(stored);
    if (!name) return refuse("holds an entry whose path leaves the archive: \"" + stored + "\"", kHint);
    if (name->empty() || isLink(handle, i)) continue;
    if (stored.ends_with('/')) {
      entries_.push_back({*name, i, 0, true});
      continue;
    }
    if (auto [problem, hint] = unreadable(info, file_bytes); !problem.empty()) return refuse(*name + " " + problem, hint);
    const auto [other, fresh] = by_name.emplace(*name, i);
    if (!fresh) return refuse("holds " + *name + " twice, as entries " + formatCount(other->second) + " and " + formatCount(i), kHint);
    entries_.push_back({*name, i, info.size, false});
  }
  return {};
}

Result<std::string> ZipFile::take(uint64_t at, uint64_t size) const {
  TRAINYARD_CHECK(watched_.check());
  TRAINYARD_TRY(zip* const handle, borrow());
  std::string bytes(size, '\0');
  const std::string problem = readEntry(handle, at, bytes);
  giveBack(handle);
  if (!problem.empty()) return fail(ErrorCode::Data, "cannot be unpacked: " + problem, watched_.name(), kHint);
  return bytes;
}

Result<zip*> ZipFile::borrow() const {
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !idle_.empty() || handles_ < kMostHandles; });
    if (!idle_.empty()) {
      zip* handle = idle_.back();
      idle_.pop_back();
      return handle;
    }
    ++handles_;
  }
  int code = 0;
  zip* handle = zip_open(path_.c_str(), ZIP_RDONLY, &code);
  if (handle != nullptr) return handle;
  {
    const std::lock_guard lock(mutex_);
    --handles_;
  }
  returned_.notify_one();
  return fail(ErrorCode::Data, "is not a zip file that can be read: " + reasonOf(code), watched_.name(), kHint);
}

void ZipFile::giveBack(zip* handle) const {
  {
    const std::lock_guard lock(mutex_);
    idle_.push_back(handle);
  }
  returned_.notify_one();
}

}  // namespace trainyard::data
