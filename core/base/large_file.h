#pragma once
// A large file, written quickly and durably.
#include <cstdint>
#include <memory>

#include "core/base/files.h"

namespace trainyard {

// A new file, written piece by piece; close() fsyncs. Without close() the file is incomplete: the caller removes it. One thread.
// Pieces are gathered to blocks; whole blocks go past the page cache where the file system can do that, so that the file costs the processor one
// copy and pushes nothing else out of memory. Error Failed, with the system's reason.
class LargeFile {
 public:
  static constexpr size_t kBlock = size_t{8} << 20;  // bytes
  static Result<LargeFile> create(const fs::path& path);
  LargeFile(LargeFile&& other) noexcept;
  LargeFile& operator=(LargeFile&&) = delete;
  ~LargeFile();
  Result<void> write(std::string_view bytes);
  Result<void> close();

 private:
  struct Free {
    void operator()(char* memory) const;
  };
  enum class Direct { Off, On, Refused };
  LargeFile(fs::path path, int descriptor);
  Result<void> flush();
  void setDirect(bool on);
  Error error() const;  // from errno
  fs::path path_;
  int descriptor_;
  std::unique_ptr<char, Free> block_;  // kBlock bytes
  size_t gathered_ = 0;
  Direct direct_ = Direct::Off;
};

}  // namespace trainyard
