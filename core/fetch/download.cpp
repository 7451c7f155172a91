#include "core/fetch/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/units.h"
#include "core/fetch/sha256.h"

namespace trainyard::fetch {

namespace {

constexpr long kConnect_s = 30, kSilence_s = 60;
constexpr char kAgain[] = "run the same command again: it goes on where this one ended";

// The file under way, locked.
class PartFile {
 public:
  static Result<PartFile> open(fs::path path) {
    TRAINYARD_CHECK(makeFolder(path.parent_path()));
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return fail(ErrorCode::Failed, std::string("cannot write: ") + std::strerror(errno), displayPath(path), "check that you may write in its folder");
    PartFile part(std::move(path), descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return fail(ErrorCode::Usage, "another process is fetching this file", displayPath(part.path_), "wait until it is done");
    struct stat info {};
    if (::fstat(descriptor, &info) == 0) part.bytes_ = static_cast<uint64_t>(info.st_size);
    ::lseek(descriptor, 0, SEEK_END);
    return part;
  }
  PartFile(PartFile&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  const fs::path& path() const { return path_; }
  uint64_t bytes() const { return bytes_; }
  bool clear() {
    bytes_ = 0;
    return ::ftruncate(descriptor_, 0) == 0 && ::lseek(descriptor_, 0, SEEK_SET) == 0;
  }
  bool append(const char* data, size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(descriptor_, data, count);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      data += written;
      count -= static_cast<size_t>(written);
      bytes_ += static_cast<uint64_t>(written);
    }
    return true;
  }

 private:
  PartFile(fs::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  fs::path path_;
  int descriptor_;
  uint64_t bytes_ = 0;
};

// One request for what is missing.
class Transfer {
 public:
  Transfer(const Wanted& wanted, const Watcher& watcher, PartFile& part) : wanted_(wanted), watcher_(watcher), part_(part), offset_(part.bytes()) {}

  // Gives the server's status. Error Failed or Interrupted.
  Result<long> run() {
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), &curl_easy_cleanup);
    if (!handle) return fail(ErrorCode::OutOfMemory, "the transfer cannot be started");
    handle_ = handle.get();
    prepare();
    const CURLcode code = curl_easy_perform(handle_);
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status_);
    if (problem_) return tl::unexpected(std::move(*problem_));
    if (code == CURLE_ABORTED_BY_CALLBACK) return fail(ErrorCode::Interrupted, "interrupted after " + formatBytes(part_.bytes()), wanted_.address, kAgain);
    if (code != CURLE_OK) return broken(code);
    return status_;
  }

 private:
  void prepare() {
    curl_easy_setopt(handle_, CURLOPT_URL, wanted_.address.c_str());
    curl_easy_setopt(handle_, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT, kConnect_s);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, kSilence_s);
    curl_easy_setopt(handle_, CURLOPT_USERAGENT, "trainyard");
    curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, reason_);
    // CURLOPT_RESUME_FROM would fail where the server knows no ranges; so the whole file comes then.
    if (offset_ > 0) curl_easy_setopt(handle_, CURLOPT_RANGE, (std::to_string(offset_) + "-").c_str());
    curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &Transfer::onBytes);
    curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle_, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle_, CURLOPT_XFERINFOFUNCTION, &Transfer::onProgress);
    curl_easy_setopt(handle_, CURLOPT_XFERINFODATA, this);
  }

  static size_t onBytes(const char* data, size_t, size_t count, void* self) { return static_cast<Transfer*>(self)->take(data, count) ? count : 0; }
  static int onProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto* cancelled = static_cast<Transfer*>(self)->watcher_.cancelled;
    return cancelled != nullptr && cancelled->load() ? 1 : 0;
  }

  bool take(const char* data, size_t count) {
    if (!begun_ && !begin()) return false;
    if (status_ != 200 && status_ != 206) return true;  // the text of a refusal
    if (!part_.append(data, count)) return stop({ErrorCode::Failed, std::string("cannot write: ") + std::strerror(errno), displayPath(part_.path()), "free some space; the next try goes on from here"});
    if (watcher_.progress) watcher_.progress(part_.bytes(), total_);
    return true;
  }

  // With the first bytes: what the server gives.
  bool begin() {
    begun_ = true;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status_);
    if (status_ == 200 && !part_.clear()) return stop({ErrorCode::Failed, std::string("cannot write: ") + std::strerror(errno), displayPath(part_.path()), ""});
    curl_off_t length = -1;
    curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length <= 0 || (status_ != 200 && status_ != 206)) return true;
    total_ = part_.bytes() + static_cast<uint64_t>(length);
    const uint64_t free = freeBytes(part_.path().parent_path());
    if (free == 0 || free >= static_cast<uint64_t>(length)) return true;
    return stop({ErrorCode::Failed, "there is no room: " + formatBytes(static_cast<uint64_t>(length)) + " are missing and " + formatBytes(free) + " are free", displayPath(part_.path().parent_path()), "free some space, and run the same command again"});
  }

  bool stop(Error error) {
    problem_ = std::move(error);
    return false;
  }

  tl::unexpected<Error> broken(CURLcode code) const {
    const std::string reason = reason_[0] != '\0' ? reason_ : curl_easy_strerror(code);
    if (part_.bytes() == 0) return fail(ErrorCode::Failed, "cannot be fetched: " + reason, wanted_.address, "check the connection to the internet");
    const std::string of = total_ > 0 ? " of " + formatBytes(total_) : "";
    return fail(ErrorCode::Failed, "the connection broke after " + formatBytes(part_.bytes()) + of + ": " + reason, wanted_.address, kAgain);
  }

  const Wanted& wanted_;
  const Watcher& watcher_;
  PartFile& part_;
  const uint64_t offset_;
  CURL* handle_ = nullptr;
  bool begun_ = false;
  long status_ = 0;
  uint64_t total_ = 0;
  std::optional<Error> problem_;
  char reason_[CURL_ERROR_SIZE] = {};
};

constexpr long kNothingLeft = 416;  // the range begins at the end of the file: nothing of it is missing

Result<void> verify(const Wanted& wanted, const PartFile& part) {
  TRAINYARD_TRY(const std::string digest, sha256Of(part.path()));
  if (digest.starts_with(wanted.sha256)) return {};
  std::error_code ignored;
  fs::remove(part.path(), ignored);
  return fail(ErrorCode::Data, "is not the published file: its SHA-256 begins with " + digest.substr(0, wanted.sha256.size()) + ", not " + wanted.sha256 + "; what was fetched is removed", wanted.address,
              "try again; if it stays so, something between here and the server changes it");
}

}  // namespace

Result<void> download(const Wanted& wanted, const Watcher& watcher) {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (kReady != CURLE_OK) return fail(ErrorCode::Failed, "the transfer library cannot be started", wanted.address);
  fs::path path = wanted.file;
  path += ".part";
  TRAINYARD_TRY(PartFile part, PartFile::open(path));
  TRAINYARD_TRY(const long status, Transfer(wanted, watcher, part).run());
  const bool whole = status == 200 || status == 206 || (status == kNothingLeft && part.bytes() > 0);
  if (!whole) {
    return fail(ErrorCode::Failed, "the server answers with status " + std::to_string(status), wanted.address, status == 404 ? "the file is no longer there" : "try again later");
  }
  TRAINYARD_CHECK(verify(wanted, part));
  TRAINYARD_CHECK(syncPath(part.path()));
  std::error_code failed;
  fs::rename(part.path(), wanted.file, failed);
  if (failed) return fail(ErrorCode::Failed, "cannot be put in place: " + failed.message(), displayPath(wanted.file));
  return syncPath(wanted.file.parent_path());
}

}  // namespace trainyard::fetch
