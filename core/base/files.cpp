#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/unfinished.h"

namespace trainyard {

namespace {

std::string systemReason() { return std::strerror(errno); }

constexpr const char* kUnfinished = ".new.";  // between a file's name and the process that replaces it

Error writeError(const fs::path& path, const std::string& reason) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  return {ErrorCode::Failed, "cannot write: " + reason, displayPath(path),
          full ? "free some space on this disk" : "check that the folder exists and that you may write in it"};
}

Result<void> writeAll(int descriptor, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return tl::unexpected(writeError(path, systemReason()));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

Result<std::string> readFile(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail(ErrorCode::Data, "cannot open: " + systemReason(), displayPath(path), "check the path and its permissions");
  struct stat info {};
  const bool known = ::fstat(descriptor, &info) == 0;
  if (known && S_ISDIR(info.st_mode)) {
    ::close(descriptor);
    return fail(ErrorCode::Data, "is a folder, not a file", displayPath(path));
  }
  // Files of /proc have no size, and are read to their end.
  const size_t size = known && S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
  std::string bytes(size > 0 ? size : 4096, '\0');
  size_t used = 0;
  ssize_t got = 0;
  while ((got = ::read(descriptor, bytes.data() + used, bytes.size() - used)) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    used += static_cast<size_t>(got);
    if (used == size) break;
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
  }
  const std::string reason = got < 0 ? systemReason() : "";
  ::close(descriptor);
  if (got < 0) return fail(ErrorCode::Data, "cannot read: " + reason, displayPath(path));
  bytes.resize(used);
  return bytes;
}

Result<void> syncPath(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected(writeError(path, systemReason()));
  const int failed = ::fsync(descriptor);
  const std::string reason = failed ? systemReason() : "";
  ::close(descriptor);
  if (failed) return tl::unexpected(writeError(path, reason));
  return {};
}

Result<FileWriter> FileWriter::create(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return tl::unexpected(writeError(path, systemReason()));
  return FileWriter(path, descriptor);
}

FileWriter::FileWriter(FileWriter&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> FileWriter::write(std::string_view bytes) { return writeAll(descriptor_, bytes, path_); }

Result<void> FileWriter::close() {
  const bool synced = ::fsync(descriptor_) == 0;
  const std::string reason = synced ? "" : systemReason();
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!synced || !closed) return tl::unexpected(writeError(path_, synced ? systemReason() : reason));
  return {};
}

Result<void> replaceFile(const fs::path& path, std::string_view bytes) {
  fs::path aside = path;
  aside += kUnfinished + std::to_string(::getpid());
  const auto write = [&]() -> Result<void> {
    TRAINYARD_TRY(auto file, FileWriter::create(aside));
    TRAINYARD_CHECK(file.write(bytes));
    TRAINYARD_CHECK(file.close());
    if (::rename(aside.c_str(), path.c_str()) != 0) return tl::unexpected(writeError(path, systemReason()));
    return {};
  };
  if (auto result = write(); !result) {
    ::unlink(aside.c_str());
    result.error().where = displayPath(path);
    return result;
  }
  return syncPath(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

void removeUnfinished(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    const size_t at = name.rfind(kUnfinished);
    const std::string process = at == std::string::npos ? "" : name.substr(at + std::strlen(kUnfinished));
    const bool number = !process.empty() && process.find_first_not_of("0123456789") == std::string::npos;
    if (number && process != std::to_string(::getpid())) found.push_back(entry.path());
  }
  for (const auto& path : found) ::unlink(path.c_str());
}

Result<void> makeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path, error)) {
    return fail(ErrorCode::Failed, "cannot create the folder: " + (error ? error.message() : "a file of that name is in the way"), displayPath(path),
                "check the path and its permissions");
  }
  return {};
}

fs::path expandUser(std::string_view text) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || text.empty() || text[0] != '~' || (text.size() > 1 && text[1] != '/')) return fs::path(text);
  return fs::path(home) / fs::path(text.size() > 2 ? text.substr(2) : "");
}

uint64_t freeBytes(const fs::path& path) {
  struct statvfs info {};
  fs::path probe = fs::absolute(path);
  while (::statvfs(probe.c_str(), &info) != 0) {
    if (probe == probe.parent_path()) return 0;
    probe = probe.parent_path();
  }
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

fs::path dataHome() {
  const char* xdg = std::getenv("XDG_DATA_HOME");
  if (xdg != nullptr && xdg[0] == '/') return fs::path(xdg) / "trainyard";
  return expandUser("~/.local/share") / "trainyard";
}

fs::path runsHome() {
  const char* chosen = std::getenv("TRAINYARD_RUNS");
  return chosen != nullptr && *chosen != '\0' ? fs::absolute(chosen) : dataHome() / "runs";
}

fs::path programFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::current_path() : program.parent_path();
}

fs::path resourcesFolder() {
  const char* chosen = std::getenv("TRAINYARD_RESOURCES");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path installed = fs::canonical(programFolder() / "../share/trainyard", error);
  return error ? programFolder() / "../share/trainyard" : installed;
}

std::string displayPath(const fs::path& path) {
  const auto text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace trainyard
