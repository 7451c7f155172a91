#pragma once
// Collectives between the ranks of one run, over PyTorch's c10d.
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>

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

// One rank's end. Every rank calls the same collectives in the same order, from one thread.
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
  virtual WorkPtr send(at::Tensor tensor, int to, int tag) = 0;              // never blocks
  virtual WorkPtr receive(at::Tensor& tensor, int from, int tag) = 0;
  virtual void abort(const Error& error) noexcept = 0;                       // any thread, idempotent, wakes waiters
};

// What libtrainyard_nccl.so offers: made from CUDA and NCCL headers (nccl.cpp), or refusing (no_nccl.cpp).
class NcclLibrary {
 public:
  virtual ~NcclLibrary() = default;
  virtual std::string version() const = 0;  // "NCCL 2.27.3", or why there is none
  // On the device's thread, after cudaSetDevice. Error Device.
  virtual Result<std::unique_ptr<Communicator>> communicator(const std::string& store_path, int rank, int size, int device, int timeout_s) = 0;
};

// Loads the library where a GPU is. Error Device with the reason.
Result<NcclLibrary*> loadNccl();

}  // namespace trainyard::comm

extern "C" trainyard::comm::NcclLibrary* trainyardNccl();
