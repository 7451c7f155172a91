#include "core/data/bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/units.h"

namespace trainyard::data {

namespace {

constexpr char kCopyAgain[] = "download or copy it again";

// Everything that is read is read at most so much at a time: more is refused by Linux anyway.
constexpr size_t kLargestRead = size_t{1} << 30;

tl::unexpected<Error> beyondEnd(const Bytes& bytes, uint64_t offset, uint64_t count) {
  return fail(ErrorCode::Data,
              "is cut short: " + formatCount(count) + " bytes are needed from byte " + formatCount(offset) + ", but it ends at " + formatCount(bytes.size()),
              bytes.name(), kCopyAgain);
}

bool holds(const Bytes& bytes, uint64_t offset, uint64_t count) { return offset <= bytes.size() && count <= bytes.size() - offset; }

}  // namespace

Result<std::string> Bytes::read(uint64_t offset, uint64_t count) const {
  if (!holds(*this, offset, count)) return beyondEnd(*this, offset, count);
  std::string bytes(count, '\0');
  TRAINYARD_CHECK(read(offset, bytes.data(), bytes.size()));
  return bytes;
}

Result<std::unique_ptr<OpenFile>> OpenFile::open(const fs::path& path) {
  const std::string name = displayPath(path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe of that name must not block
  if (descriptor < 0) return fail(ErrorCode::Data, std::string("cannot open: ") + std::strerror(errno), name, "check the path and its permissions");
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return fail(ErrorCode::Data, "is not a file", name, "give the file itself");
  }
  const int64_t modified_ns = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return std::unique_ptr<OpenFile>(new OpenFile(descriptor, name, static_cast<uint64_t>(info.st_size), modified_ns));
}

OpenFile::~OpenFile() { ::close(descriptor_); }

Result<void> OpenFile::read(uint64_t offset, char* to, size_t count) const {
  if (!holds(*this, offset, count)) return beyondEnd(*this, offset, count);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, std::min(count, kLargestRead), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::Data, std::string("cannot read: ") + std::strerror(errno), name_, "check the disk, and " + std::string(kCopyAgain));
    if (got == 0) return fail(ErrorCode::Data, "has become shorter: it ended at byte " + formatCount(offset), name_, "do not change it while it is in use");
    to += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<size_t>(got);
  }
  return {};
}

Result<std::unique_ptr<OpenFile>> WatchedFile::openSame() const {
  TRAINYARD_TRY(auto file, OpenFile::open(path_));
  if (file->size() == size_ && file->modifiedNs() == modified_ns_) return file;
  return fail(ErrorCode::Data, "has been changed since it was opened: it has " + formatCount(file->size()) + " bytes now, and had " + formatCount(size_), name_,
              "put the old file back, or start again");
}

Result<void> WatchedFile::read(uint64_t offset, char* to, size_t count) const {
  TRAINYARD_TRY(const auto file, openSame());
  return file->read(offset, to, count);
}

Result<void> WatchedFile::check() const {
  TRAINYARD_TRY(const auto file, openSame());
  return {};
}

Result<void> HeldBytes::read(uint64_t offset, char* to, size_t count) const {
  if (!holds(*this, offset, count)) return beyondEnd(*this, offset, count);
  std::memcpy(to, content_.data() + offset, count);
  return {};
}

Result<std::string_view> Window::at(uint64_t offset, size_t count) {
  if (!holds(bytes_, offset, count)) return beyondEnd(bytes_, offset, count);
  if (offset < start_ || offset + count > start_ + held_.size()) {
    held_.resize(static_cast<size_t>(std::min<uint64_t>(std::max(count, kLargest), bytes_.size() - offset)));
    start_ = offset;
    if (auto read = bytes_.read(offset, held_.data(), held_.size()); !read) {
      held_.clear();
      return tl::unexpected(std::move(read).error());
    }
  }
  return std::string_view(held_).substr(static_cast<size_t>(offset - start_), count);
}

}  // namespace trainyard::data
