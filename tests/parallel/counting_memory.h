#pragma once
// Counts the memory of all tensors of this process.
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace trainyard::sharded {

// Installed before any tensor is made. Each block has a header with its size.
class CountingMemory : public c10::Allocator {
 public:
  static CountingMemory& instance() {
    static CountingMemory memory;
    return memory;
  }
  void install() { c10::SetCPUAllocator(this, 1); }
  int64_t bytes() const { return bytes_; }

  c10::DataPtr allocate(size_t count) override {
    if (count == 0) return {nullptr, nullptr, &give, c10::Device(c10::kCPU)};
    auto* block = static_cast<std::byte*>(std::aligned_alloc(kHeader, (count + 2 * kHeader - 1) / kHeader * kHeader));
    if (block == nullptr) throw std::bad_alloc();
    std::memcpy(block, &count, sizeof count);
    bytes_ += static_cast<int64_t>(count);
    return {block + kHeader, block + kHeader, &give, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give; }
  void copy_data(void* to, const void* from, size_t count) const override { std::memcpy(to, from, count); }

 private:
  static constexpr size_t kHeader = 64;
  static void give(void* data) {
    if (data == nullptr) return;
    auto* block = static_cast<std::byte*>(data) - kHeader;
    size_t count = 0;
    std::memcpy(&count, block, sizeof count);
    instance().bytes_ -= static_cast<int64_t>(count);
    std::free(block);
  }
  std::atomic<int64_t> bytes_ = 0;
};

}  // namespace trainyard::sharded
