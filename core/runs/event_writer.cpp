#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/runs/descriptor.h"
#include "core/runs/event_log.h"

namespace trainyard::runs {

namespace {

constexpr off_t kBlock = 64 * 1024;

tl::unexpected<Error> fileError(const fs::path& file, const std::string& doing, int reason) {
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  return fail(ErrorCode::Failed, "cannot " + doing + ": " + std::strerror(reason), displayPath(file),
              full ? "free some space on this disk" : "check that the folder exists and that you may write in it");
}

Result<std::string> readRange(int descriptor, const fs::path& file, off_t begin, off_t end) {
  std::string bytes(static_cast<size_t>(end - begin), '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t count = ::pread(descriptor, bytes.data() + have, bytes.size() - have, begin + static_cast<off_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fileError(file, "read", errno);
    if (count == 0) break;
    have += static_cast<size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

// The position after the last newline before `end`; 0 when there is none.
Result<off_t> lineStartBefore(int descriptor, const fs::path& file, off_t end) {
  while (end > 0) {
    const off_t begin = std::max<off_t>(0, end - kBlock);
    TRAINYARD_TRY(const std::string block, readRange(descriptor, file, begin, end));
    const size_t newline = block.rfind('\n');
    if (newline != std::string::npos) return begin + static_cast<off_t>(newline) + 1;
    end = begin;
  }
  return 0;
}

// The seq of the last readable line of the file's first `end` bytes, which end with a newline.
Result<uint64_t> lastSeq(int descriptor, const fs::path& file, off_t end) {
  while (end > 0) {
    TRAINYARD_TRY(const off_t begin, lineStartBefore(descriptor, file, end - 1));
    TRAINYARD_TRY(const std::string line, readRange(descriptor, file, begin, end - 1));
    if (const auto event = fromLine(line)) return event->seq;
    end = begin;
  }
  return 0;
}

class FileWriter : public EventWriter {
 public:
  FileWriter(fs::path file, Descriptor descriptor, off_t end, uint64_t seq)
      : file_(std::move(file)), descriptor_(std::move(descriptor)), end_(end), seq_(seq) {}

  Result<void> append(Event event) override {
    std::scoped_lock lock(mutex_);
    event.seq = seq_ + 1;
    event.time = unixTime();
    const std::string line = toLine(event) + '\n';
    if (torn_) TRAINYARD_CHECK(cutBack());
    size_t done = 0;
    while (done < line.size()) {
      const ssize_t count = ::write(descriptor_.get(), line.data() + done, line.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        const int reason = count < 0 ? errno : EIO;
        torn_ = done > 0;
        if (torn_) (void)cutBack();
        return fileError(file_, "record an event", reason);
      }
      done += static_cast<size_t>(count);
    }
    end_ += static_cast<off_t>(line.size());
    ++seq_;
    return {};
  }

  Result<void> sync() override {
    if (::fsync(descriptor_.get()) != 0) return fileError(file_, "sync", errno);
    return {};
  }

 private:
  Result<void> cutBack() {
    if (::ftruncate(descriptor_.get(), end_) != 0) return fileError(file_, "cut off an unfinished line", errno);
    torn_ = false;
    return {};
  }

  const fs::path file_;
  const Descriptor descriptor_;
  std::mutex mutex_;
  off_t end_;
  uint64_t seq_;
  bool torn_ = false;  // part of a line stands after end_
};

}  // namespace

Result<std::unique_ptr<EventWriter>> EventWriter::open(const fs::path& file) {
  Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!descriptor) return fileError(file, "open for writing", errno);
  struct stat info {};
  if (::fstat(descriptor.get(), &info) != 0) return fileError(file, "open for writing", errno);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::Failed, "is not a regular file", displayPath(file), "move it away; the events of the run belong here");
  TRAINYARD_TRY(const off_t end, lineStartBefore(descriptor.get(), file, info.st_size));
  if (end < info.st_size && ::ftruncate(descriptor.get(), end) != 0) return fileError(file, "cut off an unfinished line", errno);
  TRAINYARD_TRY(const uint64_t seq, lastSeq(descriptor.get(), file, end));
  return std::make_unique<FileWriter>(file, std::move(descriptor), end, seq);
}

}  // namespace trainyard::runs
