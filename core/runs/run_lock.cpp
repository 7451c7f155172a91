#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/base/files.h"
#include "core/runs/descriptor.h"
#include "core/runs/run_directory.h"

namespace trainyard::runs {

namespace {

constexpr int kTries = 40;
constexpr auto kPause = std::chrono::milliseconds(5);

bool tryLock(int descriptor, int kind) {
  while (::flock(descriptor, kind | LOCK_NB) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

std::string holderOf(int descriptor) {
  char text[32] = {};
  const ssize_t count = ::pread(descriptor, text, sizeof text - 1, 0);
  const long pid = count > 0 ? std::strtol(text, nullptr, 10) : 0;
  return pid > 0 ? "process " + std::to_string(pid) : "another process";
}

// False when the file was removed or replaced between opening and locking it.
bool stillThere(int descriptor, const fs::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void writeHolder(int descriptor) {
  const std::string text = std::to_string(::getpid()) + "\n";
  // Only for the message of a refused second engine: a full disk must not keep the first one from starting.
  if (::ftruncate(descriptor, 0) == 0) (void)!::pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<RunLock> RunLock::take(const fs::path& run_dir) {
  const fs::path file = Layout{run_dir}.lock();
  std::string holder = "another process";
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(kPause);
    Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!descriptor) {
      return fail(ErrorCode::Failed, "cannot lock the run: " + std::string(std::strerror(errno)), displayPath(file),
                  "check that the run's folder exists and that you may write in it");
    }
    if (tryLock(descriptor.get(), LOCK_EX)) {
      if (!stillThere(descriptor.get(), file)) continue;
      writeHolder(descriptor.get());
      return RunLock(descriptor.release());
    }
    if (errno != EWOULDBLOCK) {
      return fail(ErrorCode::Failed, "cannot lock the run: " + std::string(std::strerror(errno)), displayPath(file),
                  "the file system must support locks; choose another folder for runs");
    }
    // A shared lock is a reader that looks for a moment (isLocked); only an exclusive one is an engine.
    if (!tryLock(descriptor.get(), LOCK_SH)) {
      holder = holderOf(descriptor.get());
      break;
    }
  }
  return fail(ErrorCode::Failed, holder + " is working on this run", displayPath(run_dir), "wait until it ends, or stop it with: trainyard control RUN stop");
}

bool isLocked(const fs::path& run_dir) {
  const Descriptor descriptor(::open(Layout{run_dir}.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor) return false;
  return !tryLock(descriptor.get(), LOCK_SH) && errno == EWOULDBLOCK;
}

}  // namespace trainyard::runs
