#pragma once
// A large file, written quickly and durably.
#include <cstdint>
#include <future>
#include <memory>

#include "core/base/files.h"

namespace trainyard {

// A new file, written piece by piece; close() fsyncs. Without close() the file is incomplete: the caller removes it. One thread.
// Pieces are gathered to blocks; a thread writes one whole block while the next is gathered, past the page cache where the file system can do that,
// so that the file costs the processor one copy and pushes nothing else out of memory. Error Failed, with the system's reason; that of a block may
// come with a later piece.
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
  using Block = std::unique_ptr<char, Free>;  // kBlock bytes
  enum class Direct { Off, On, Refused };
  struct Outcome {
    int error;  // an errno; 0: all is written
    Direct direct;
  };
  LargeFile(fs::path path, int descriptor);
  static Outcome writeBlock(int descriptor, std::string_view bytes, Direct direct);
  Result<void> finishBlock();  // waits for the block that is being written
  Error error(int reason) const;
  fs::path path_;
  int descriptor_;
  Block gathering_, writing_;
  size_t gathered_ = 0;
  Direct direct_ = Direct::Off;
  std::future<Outcome> pending_;
};

}  // namespace trainyard
