#include "core/base/large_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace trainyard {

namespace {

constexpr size_t kAlignment = 4096;  // of memory and offsets, as the strictest disks ask for it

// Writes until an error, which errno then holds; gives how many bytes were written.
size_t writeSome(int descriptor, std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) break;
    done += static_cast<size_t>(written);
  }
  return done;
}

}  // namespace

Result<LargeFile> LargeFile::create(const fs::path& path) {
  LargeFile file(path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.descriptor_ < 0) return tl::unexpected(file.error());
  return file;
}

LargeFile::LargeFile(fs::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

LargeFile::LargeFile(LargeFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      block_(std::move(other.block_)),
      gathered_(std::exchange(other.gathered_, 0)),
      direct_(other.direct_) {}

LargeFile::~LargeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LargeFile::Free::operator()(char* memory) const { std::free(memory); }

Error LargeFile::error() const {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return {ErrorCode::Failed, std::string("cannot write: ") + std::strerror(errno), displayPath(path_),
          full ? "free some space on this disk" : "check that the folder exists and that you may write in it"};
}

Result<void> LargeFile::write(std::string_view bytes) {
  if (!block_) block_.reset(static_cast<char*>(std::aligned_alloc(kAlignment, kBlock)));
  if (!block_) return tl::unexpected(error());
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), kBlock - gathered_);
    std::memcpy(block_.get() + gathered_, bytes.data(), count);
    gathered_ += count;
    bytes.remove_prefix(count);
    if (gathered_ == kBlock) TRAINYARD_CHECK(flush());
  }
  return {};
}

void LargeFile::setDirect(bool on) {
  if (direct_ == Direct::Refused || on == (direct_ == Direct::On)) return;
  const int flags = ::fcntl(descriptor_, F_GETFL);
  const bool done = flags >= 0 && ::fcntl(descriptor_, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
  direct_ = on ? (done ? Direct::On : Direct::Refused) : Direct::Off;
}

// Some file systems take the flag and then refuse the write; and after a short write the next offset is no longer aligned.
Result<void> LargeFile::flush() {
  setDirect(gathered_ == kBlock);
  std::string_view bytes(block_.get(), std::exchange(gathered_, 0));
  bytes.remove_prefix(writeSome(descriptor_, bytes));
  if (!bytes.empty() && errno == EINVAL && direct_ == Direct::On) {
    setDirect(false);
    direct_ = Direct::Refused;
    bytes.remove_prefix(writeSome(descriptor_, bytes));
  }
  if (!bytes.empty()) return tl::unexpected(error());
  return {};
}

Result<void> LargeFile::close() {
  if (gathered_ > 0) TRAINYARD_CHECK(flush());
  if (::fsync(descriptor_) != 0) return tl::unexpected(error());
  if (::close(std::exchange(descriptor_, -1)) != 0) return tl::unexpected(error());
  return {};
}

}  // namespace trainyard
