#pragma once
// Inside the data room: bytes that can be read anywhere, of a file or in memory. Any thread.
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/files.h"
#include "core/base/result.h"

namespace trainyard::data {

class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual uint64_t size() const = 0;
  virtual const std::string& name() const = 0;  // for messages
  // `count` bytes from `offset`. Error Data when that is not all there.
  virtual Result<void> read(uint64_t offset, char* to, size_t count) const = 0;
  // The same, checked against size() before anything is allocated.
  Result<std::string> read(uint64_t offset, uint64_t count) const;
};

// A file that stays open: for reading many small pieces in a row.
class OpenFile : public Bytes {
 public:
  static Result<std::unique_ptr<OpenFile>> open(const fs::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() override;
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  int64_t modifiedNs() const { return modified_ns_; }
  using Bytes::read;
  Result<void> read(uint64_t offset, char* to, size_t count) const override;

 private:
  OpenFile(int descriptor, std::string name, uint64_t size, int64_t modified_ns)
      : descriptor_(descriptor), name_(std::move(name)), size_(size), modified_ns_(modified_ns) {}
  int descriptor_;
  std::string name_;
  uint64_t size_;
  int64_t modified_ns_;
};

// A file that is opened anew for every read, so that a thousand shards need no thousand descriptors. A read fails once the file is gone or
// is no longer the one that was first seen (size, time): offsets into it mean nothing then.
class WatchedFile : public Bytes {
 public:
  WatchedFile(fs::path path, const OpenFile& seen) : path_(std::move(path)), name_(seen.name()), size_(seen.size()), modified_ns_(seen.modifiedNs()) {}
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  using Bytes::read;
  Result<void> read(uint64_t offset, char* to, size_t count) const override;
  // Error Data when the file is gone or another.
  Result<void> check() const;

 private:
  Result<std::unique_ptr<OpenFile>> openSame() const;

  fs::path path_;
  std::string name_;
  uint64_t size_;
  int64_t modified_ns_;
};

class HeldBytes : public Bytes {
 public:
  HeldBytes(std::string content, std::string name) : content_(std::move(content)), name_(std::move(name)) {}
  uint64_t size() const override { return content_.size(); }
  const std::string& name() const override { return name_; }
  using Bytes::read;
  Result<void> read(uint64_t offset, char* to, size_t count) const override;

 private:
  std::string content_;
  std::string name_;
};

// Many small reads that go forward, in few reads of `bytes`. One thread.
class Window {
 public:
  explicit Window(const Bytes& bytes) : bytes_(bytes) {}
  // At most kLargest bytes; valid until the next call. Error Data as Bytes::read.
  Result<std::string_view> at(uint64_t offset, size_t count);
  static constexpr size_t kLargest = 16384;

 private:
  const Bytes& bytes_;
  std::string held_;
  uint64_t start_ = 0;
};

}  // namespace trainyard::data
