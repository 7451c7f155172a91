#pragma once
// Checksums of a checkpoint's files: XXH3 of each block of a file, so that several threads can look at one file.
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/files.h"
#include "core/base/json.h"

namespace trainyard::train {

// Taken while a file is written.
class Checksum {
 public:
  Checksum();
  void add(std::string_view bytes);
  Json entry();  // for checksums.json: {bytes, block_bytes, xxh3_64: [hex, …]}

 private:
  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
  std::vector<std::string> sums_;
  uint64_t bytes_ = 0, in_block_ = 0;
};

// A file that lies in memory, mapped or read.
struct FileToVerify {
  fs::path path;
  std::span<const char> bytes;
  Json entry;  // from checksums.json
};

// Whether all bytes are those that were written; mapped files are brought in on the way. Error Data naming the first file that differs or cannot
// be read.
Result<void> verify(std::span<const FileToVerify> files);

}  // namespace trainyard::train
