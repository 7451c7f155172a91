#include "core/base/large_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace trainyard {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;  // the disk gets a block in few pieces; alignment enough for the strictest

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

char* allocateBlock() {
  void* memory = std::aligned_alloc(kHugePage, LargeFile::kBlock);
  if (memory != nullptr) ::madvise(memory, LargeFile::kBlock, MADV_HUGEPAGE);
  return static_cast<char*>(memory);
}

bool setDirect(int descriptor, bool on) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && ::fcntl(descriptor, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

}  // namespace

Result<LargeFile> LargeFile::create(const fs::path& path) {
  LargeFile file(path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.descriptor_ < 0) return tl::unexpected(file.error(errno));
  return file;
}

LargeFile::LargeFile(fs::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

LargeFile::LargeFile(LargeFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      gathering_(std::move(other.gathering_)),
      writing_(std::move(other.writing_)),
      gathered_(std::exchange(other.gathered_, 0)),
      direct_(other.direct_),
      pending_(std::move(other.pending_)) {}

LargeFile::~LargeFile() {
  if (pending_.valid()) pending_.wait();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LargeFile::Free::operator()(char* memory) const { std::free(memory); }

Error LargeFile::error(int reason) const {
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  return {ErrorCode::Failed, std::string("cannot write: ") + std::strerror(reason), displayPath(path_),
          full ? "free some space on this disk" : "check that the folder exists and that you may write in it"};
}

Result<void> LargeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!gathering_) gathering_.reset(allocateBlock());
    if (!gathering_) return tl::unexpected(error(ENOMEM));
    const size_t count = std::min(bytes.size(), kBlock - gathered_);
    std::memcpy(gathering_.get() + gathered_, bytes.data(), count);
    gathered_ += count;
    bytes.remove_prefix(count);
    if (gathered_ < kBlock) break;
    TRAINYARD_CHECK(finishBlock());
    std::swap(gathering_, writing_);
    gathered_ = 0;
    pending_ = std::async(std::launch::async, writeBlock, descriptor_, std::string_view(writing_.get(), kBlock), direct_);
  }
  return {};
}

Result<void> LargeFile::finishBlock() {
  if (!pending_.valid()) return {};
  const Outcome outcome = pending_.get();
  direct_ = outcome.direct;
  if (outcome.error != 0) return tl::unexpected(error(outcome.error));
  return {};
}

// Some file systems take the flag and then refuse the write; and after a short write the next offset is no longer aligned.
LargeFile::Outcome LargeFile::writeBlock(int descriptor, std::string_view bytes, Direct direct) {
  const bool whole = bytes.size() == kBlock;
  if (direct == Direct::Off && whole) direct = setDirect(descriptor, true) ? Direct::On : Direct::Refused;
  if (direct == Direct::On && !whole) direct = setDirect(descriptor, false) ? Direct::Off : Direct::On;
  bytes.remove_prefix(writeSome(descriptor, bytes));
  if (!bytes.empty() && errno == EINVAL && direct == Direct::On) {
    setDirect(descriptor, false);
    direct = Direct::Refused;
    bytes.remove_prefix(writeSome(descriptor, bytes));
  }
  return {bytes.empty() ? 0 : errno, direct};
}

Result<void> LargeFile::close() {
  TRAINYARD_CHECK(finishBlock());
  if (gathered_ > 0) {
    const Outcome outcome = writeBlock(descriptor_, {gathering_.get(), std::exchange(gathered_, 0)}, direct_);
    if (outcome.error != 0) return tl::unexpected(error(outcome.error));
  }
  if (::fsync(descriptor_) != 0) return tl::unexpected(error(errno));
  if (::close(std::exchange(descriptor_, -1)) != 0) return tl::unexpected(error(errno));
  return {};
}

}  // namespace trainyard
