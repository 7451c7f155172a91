#include "core/train/snapshot_memory.h"

#include <ATen/ATen.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace trainyard::train {

namespace {

constexpr size_t kTensorAlignment = 64, kHugePage = size_t{2} << 20;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

size_t bytesFor(std::span<const models::NamedTensor> tensors) {
  size_t bytes = 0;
  for (const auto& named : tensors) bytes += roundUp(named.tensor.nbytes(), kTensorAlignment);
  return bytes;
}

bool onGpu(std::span<const models::NamedTensor> tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& named) { return named.tensor.is_cuda(); });
}

// Pinned memory is touched by whoever pins it.
std::shared_ptr<char> allocate(size_t bytes, bool pinned) {
  if (pinned) {
    const at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true));
    return {static_cast<char*>(memory.mutable_data_ptr()), [memory](char*) {}};
  }
  const size_t whole = roundUp(bytes, kHugePage);
  std::shared_ptr<char> memory(static_cast<char*>(std::aligned_alloc(kHugePage, whole)), std::free);
  if (!memory) throw std::bad_alloc();
  ::madvise(memory.get(), whole, MADV_HUGEPAGE);
  std::memset(memory.get(), 0, bytes);
  return memory;
}

}  // namespace

SnapshotMemory::Block::~Block() {
  std::scoped_lock lock(home_->mutex);
  --home_->out;
  if (pages_.bytes > home_->kept.bytes) home_->kept = std::move(pages_);
  home_->returned.notify_all();
}

void SnapshotMemory::prepare(std::span<const models::NamedTensor> tensors) { take(tensors); }

std::shared_ptr<SnapshotMemory::Block> SnapshotMemory::take(std::span<const models::NamedTensor> tensors) {
  const size_t bytes = std::max(bytesFor(tensors), kTensorAlignment);
  const bool pinned = onGpu(tensors);
  std::unique_lock lock(home_->mutex);
  home_->returned.wait(lock, [this] { return home_->out < 2; });
  ++home_->out;
  const std::shared_ptr<Block> block(new Block(home_));
  block->pages_ = std::exchange(home_->kept, {});
  lock.unlock();
  if (block->pages_.bytes < bytes || block->pages_.pinned != pinned) {
    block->pages_ = {};
    block->pages_ = {allocate(bytes, pinned), bytes, pinned};
  }
  return block;
}

std::vector<models::NamedTensor> SnapshotMemory::copy(std::span<const models::NamedTensor> tensors, const std::shared_ptr<Block>& block) {
  std::vector<models::NamedTensor> copies;
  copies.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor source = tensor.detach();
    const size_t bytes = source.nbytes();
    TORCH_CHECK(block->used_ + bytes <= block->pages_.bytes, "a snapshot holds more than it was taken for");
    char* const to = block->pages_.memory.get() + block->used_;
    block->used_ += roundUp(bytes, kTensorAlignment);
    const bool dense = source.is_non_overlapping_and_dense();
    const at::TensorOptions options = at::TensorOptions(source.scalar_type());
    const auto keep = [block](void*) {};
    at::Tensor copy = dense ? at::from_blob(to, source.sizes(), source.strides(), keep, options) : at::from_blob(to, source.sizes(), keep, options);
    if (dense && source.is_cpu() && bytes > 0) std::memcpy(to, source.const_data_ptr(), bytes);
    else copy.copy_(source);
    copies.push_back({name, std::move(copy)});
  }
  return copies;
}

}  // namespace trainyard::train
