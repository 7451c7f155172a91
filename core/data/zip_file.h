#pragma once
// Inside the data room: a zip file (stored or deflated entries, zip64), read in place with libzip.
#include <condition_variable>
#include <mutex>

#include "core/data/packed_pictures.h"

struct zip;

namespace trainyard::data {

// Any thread. libzip's handles are for one thread each, so there is a small pool; each handle keeps the archive's directory in memory.
class ZipFile : public Container {
 public:
  struct Entry {
    std::string name;  // "roses/1.jpg"
    uint64_t number = 0, size = 0;
    bool folder = false;
  };

  // O(entries). Symbolic links are left out. Error Data: not a zip, damaged, encrypted, packed by a method that is not read, a path that leaves
  // the archive, a name twice, a size that its packed bytes cannot hold.
  static Result<std::unique_ptr<ZipFile>> open(const fs::path& path);
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;
  ~ZipFile() override;

  const std::vector<Entry>& entries() const { return entries_; }
  // `at` is Entry::number. The entry's checksum is checked. Error Data: the file is gone or another, the entry is damaged.
  Result<std::string> take(uint64_t at, uint64_t size) const override;
  int64_t modifiedNs() const override { return modified_ns_; }

 private:
  ZipFile(fs::path path, const OpenFile& seen) : path_(std::move(path)), watched_(path_, seen), modified_ns_(seen.modifiedNs()) {}
  Result<zip*> borrow() const;
  void giveBack(zip* handle) const;
  Result<void> list(zip* handle, uint64_t file_bytes);

  fs::path path_;
  WatchedFile watched_;
  int64_t modified_ns_;
  std::vector<Entry> entries_;
  mutable std::mutex mutex_;
  mutable std::condition_variable returned_;
  mutable std::vector<zip*> idle_;
  mutable int handles_ = 0;
};

}  // namespace trainyard::data
