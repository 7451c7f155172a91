#pragma once
// Collectives between the ranks of one run, over PyTorch's c10d.
#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace c10d {
class ProcessGroup;
class Store;
}  // namespace c10d

namespace trainyard::comm {

enum class ReduceOp { Sum, Max };

// A collective under way. wait() gives Error Device when it failed, timed out or was aborted; any thread.
class Work {
 public:
  virtual ~Work() = default;
  virtual Result<void> wait() = 0;
};
using WorkPtr = std::shared_ptr<Work>;

// One rank's end. Every rank calls the same collectives in the same order, from one thread: its own. Tensors are contiguous and on the rank's
// device; they must not change until wait() came back.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual WorkPtr allReduce(at::Tensor& tensor, ReduceOp op) = 0;
  virtual WorkPtr broadcast(at::Tensor& tensor, int root) = 0;
  virtual WorkPtr allGather(at::Tensor& out, const at::Tensor& in) = 0;      // out: size() × in, along the first dimension
  virtual WorkPtr reduceScatter(at::Tensor& out, const at::Tensor& in) = 0;  // the reverse, summed
  virtual WorkPtr barrier() = 0;
  virtual WorkPtr send(at::Tensor tensor, int to, int tag) = 0;              // never blocks; keeps the tensor until it is sent
  virtual WorkPtr receive(at::Tensor& tensor, int from, int tag) = 0;        // of the sender's sizes and type; in the order sent where tags are equal
  virtual void abort(const Error& error) noexcept = 0;                       // any thread, idempotent, wakes waiters of every rank it can reach; they get `error`
  // The group of these ranks of this one, in this order; this rank is among them. Every rank of this one calls it, in the same order of groups
  // among those that share a rank.
  virtual Result<std::unique_ptr<Communicator>> split(const std::vector<int>& ranks) = 0;
  virtual c10::intrusive_ptr<c10d::ProcessGroup> group() = 0;                // the same ranks for c10d::Reducer
};

struct CommOptions {
  double timeout_s = 30;  // of each collective
};

// `size` ranks of this process over shared memory; each is then used by its own thread. Sums are made in rank order: equal to the bit on all ranks.
std::vector<std::unique_ptr<Communicator>> localCommunicators(int size, const CommOptions& options);

// What libtrainyard_nccl.so offers: made from CUDA and NCCL headers (nccl.cpp), or refusing (no_nccl.cpp).
class NcclLibrary {
 public:
  virtual ~NcclLibrary() = default;
  virtual std::string version() const = 0;  // "NCCL 2.27.3", or why there is none
  // On the device's thread. All `size` ranks call it with the same store. Error Device.
  virtual Result<std::unique_ptr<Communicator>> communicator(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, int device, const CommOptions& options) = 0;
};

// Loads the library where a GPU is. Error Device with the reason.
Result<NcclLibrary*> loadNccl();

}  // namespace trainyard::comm

extern "C" trainyard::comm::NcclLibrary* trainyardNccl();
