#pragma once
// Where snapshots are copied to: the same memory again and again, because fresh pages cost more than the copy itself.
#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/models/model.h"

namespace trainyard::train {

// At most two snapshots hold memory at a time, one being written and one waiting; that of one is kept for the next. Any thread.
class SnapshotMemory {
 public:
  // One snapshot's memory. It goes back when the last tensor on it is gone.
  class Block {
   public:
    ~Block();

   private:
    friend class SnapshotMemory;
    struct Pages {
      std::shared_ptr<char> memory;
      size_t bytes = 0;
      bool pinned = false;
    };
    struct Home {
      std::mutex mutex;
      std::condition_variable returned;
      int out = 0;
      Pages kept;
    };
    explicit Block(std::shared_ptr<Home> home) : home_(std::move(home)) {}
    std::shared_ptr<Home> home_;
    Pages pages_;
    size_t used_ = 0;
  };

  SnapshotMemory() : home_(std::make_shared<Block::Home>()) {}

  // Fetches and touches the memory that a snapshot of these tensors takes, so that not even the first one waits for it.
  void prepare(std::span<const models::NamedTensor> tensors);

  // Room for copies of `tensors`; waits while two snapshots are out. Throws what allocating throws.
  std::shared_ptr<Block> take(std::span<const models::NamedTensor> tensors);

  // Copies on the CPU, with the strides of the originals where those are dense. Tensors may be copied into a block in several calls, as long as
  // they are among those it was taken for.
  static std::vector<models::NamedTensor> copy(std::span<const models::NamedTensor> tensors, const std::shared_ptr<Block>& block);

 private:
  std::shared_ptr<Block::Home> home_;
};

}  // namespace trainyard::train
