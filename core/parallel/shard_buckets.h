#pragma once
// Stage 1: every rank has the whole network, and each parameter one owner, who gets the sum of its gradients and gives its new values to all.
#include <deque>

#include "core/comm/communicator.h"
#include "core/optim/optimizer.h"
#include "core/parallel/shard_layout.h"

namespace trainyard::parallel {

constexpr int64_t kBucketValues = 25 * 1024 * 1024 / 4;

// One thread, that of the rank; all ranks make the same calls. Failing collectives throw comm::CommError. The communicator must outlive it.
class ShardBuckets {
 public:
  // slots: all parameters that train, dense, with equal values on every rank. blocks: of each slot, the block whose backward is the last to add to
  // its gradient.
  ShardBuckets(std::span<const optim::ParamSlot> slots, std::span<const size_t> blocks, comm::Communicator& comm, int64_t largest = kBucketValues);

  // This rank's own, in the order of `slots`.
  const std::vector<size_t>& owned() const { return owned_; }

  // Backward has gone through this block and all behind it: starts to sum what is complete. What is sent is freed.
  void reached(size_t block);
  // Sums the rest and waits: the gradients of the owned slots, in their order and strides. A parameter without a gradient counts as zeros.
  std::vector<at::Tensor> finish();
  // The owners' values to everybody.
  void spread();

  uint64_t peakBytes() const { return peak_bytes_; }  // most that was on its way at once

 private:
  struct Travelling {
    comm::WorkPtr work;
    size_t bucket = 0;
    at::Tensor all, own;  // a segment for each rank, and this rank's; of a parameter that travels alone: its memory, and the gradient itself
  };
  Travelling take(size_t bucket);
  void ended(const Travelling& done);
  void start(size_t bucket);
  Travelling sendAlone(size_t bucket);
  Travelling sendTogether(size_t bucket);
  void arrive();
  Travelling send(size_t bucket);
  void receive();

  std::vector<at::Tensor> params_;  // of the slots
  std::vector<int> owners_;
  std::vector<size_t> owned_;
  std::vector<Bucket> buckets_;
  std::vector<at::Tensor> grads_;  // of the slots, where owned and summed
  comm::Communicator& comm_;
  size_t next_ = 0;  // bucket to start
  std::deque<Travelling> on_the_way_;
  uint64_t bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace trainyard::parallel
