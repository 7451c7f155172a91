#include "core/runs/socket_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/files.h"
#include "core/runs/control.h"

namespace trainyard::runs {

namespace {

tl::unexpected<Error> refused(const fs::path& folder, const std::string& what) {
  return fail(ErrorCode::Failed, "no safe place for the control socket: " + what, displayPath(folder),
              "remove it, or set XDG_RUNTIME_DIR to a folder that only you may enter");
}

// FNV-1a: the same in every program and version, short, and no secret.
std::string shortHash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

bool isOwnFolder(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() && ::access(path.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

Result<void> checkSocketPath(const fs::path& socket) {
  const size_t length = socket.native().size();
  if (length <= kLongestSocketPath) return {};
  return fail(ErrorCode::Failed,
              "the path of the control socket has " + std::to_string(length) + " bytes, the system allows " + std::to_string(kLongestSocketPath),
              displayPath(socket), "set XDG_RUNTIME_DIR to a folder with a shorter path");
}

Result<void> makePrivateFolder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return refused(folder, "cannot create the folder: " + std::string(std::strerror(errno)));
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0) return refused(folder, std::strerror(errno));
  if (S_ISLNK(info.st_mode)) return refused(folder, "a link is in the way");
  if (!S_ISDIR(info.st_mode)) return refused(folder, "a file is in the way");
  if (info.st_uid != ::geteuid()) return refused(folder, "the folder belongs to user " + std::to_string(info.st_uid) + ", not to you");
  if ((info.st_mode & 07777) != 0700 && ::chmod(folder.c_str(), 0700) != 0) return refused(folder, "others may enter the folder");
  return {};
}

Result<fs::path> chooseSocketPath(const fs::path& run_dir, const std::string& runtime_dir, const fs::path& fallback) {
  std::error_code error;
  fs::path run = fs::weakly_canonical(fs::absolute(run_dir), error);
  if (error) run = fs::absolute(run_dir).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();
  const std::string name = shortHash(run.native()) + ".sock";
  const fs::path preferred = fs::path(runtime_dir) / "trainyard";
  if (fs::path(runtime_dir).is_absolute() && (preferred / name).native().size() <= kLongestSocketPath && isOwnFolder(runtime_dir) &&
      makePrivateFolder(preferred)) {
    return preferred / name;
  }
  TRAINYARD_CHECK(checkSocketPath(fallback / name));
  TRAINYARD_CHECK(makePrivateFolder(fallback));
  return fallback / name;
}

Result<fs::path> socketPath(const fs::path& run_dir) {
  const char* runtime_dir = std::getenv("XDG_RUNTIME_DIR");
  return chooseSocketPath(run_dir, runtime_dir == nullptr ? "" : runtime_dir, "/tmp/trainyard-" + std::to_string(::geteuid()));
}

}  // namespace trainyard::runs
