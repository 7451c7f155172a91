// The communicator over c10d::ProcessGroupNCCL. This file alone sees CUDA's and NCCL's headers.
#include <ATen/ATen.h>
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "core/comm/communicator.h"

namespace trainyard::comm {

namespace {

Error deviceError(const std::string& what, int device) { return {ErrorCode::Device, what, "cuda:" + std::to_string(device), "check the GPUs with `trainyard hardware`"}; }

class NcclWork : public Work {
 public:
  NcclWork(c10::intrusive_ptr<c10d::Work> work, int device) : work_(std::move(work)), device_(device) {}
  Result<void> wait() override {
    try {
      work_->wait();
      return {};
    } catch (const std::exception& error) {
      return tl::unexpected(deviceError(error.what(), device_));
    }
  }

 private:
  c10::intrusive_ptr<c10d::Work> work_;
  int device_;
};

class NcclCommunicator : public Communicator {
 public:
  NcclCommunicator(c10::intrusive_ptr<c10d::ProcessGroupNCCL> group, int device) : group_(std::move(group)), device_(device) {}
  ~NcclCommunicator() override { abort({}); }

  int rank() const override { return group_->getRank(); }
  int size() const override { return group_->getSize(); }

  WorkPtr allReduce(at::Tensor& tensor, ReduceOp op) override {
    std::vector<at::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = op == ReduceOp::Sum ? c10d::ReduceOp::SUM : c10d::ReduceOp::MAX;
    return wrap(group_->allreduce(tensors, options));
  }
  WorkPtr broadcast(at::Tensor& tensor, int root) override {
    std::vector<at::Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    return wrap(group_->broadcast(tensors, options));
  }
  WorkPtr allGather(at::Tensor& out, const at::Tensor& in) override {
    at::Tensor source = in;
    return wrap(group_->_allgather_base(out, source, {}));
  }
  WorkPtr reduceScatter(at::Tensor& out, const at::Tensor& in) override {
    at::Tensor source = in;
    return wrap(group_->_reduce_scatter_base(out, source, {}));
  }
  WorkPtr barrier() override { return wrap(group_->barrier({})); }
  WorkPtr send(at::Tensor tensor, int to, int tag) override {
    std::vector<at::Tensor> tensors{std::move(tensor)};
    return wrap(group_->send(tensors, to, tag));
  }
  WorkPtr receive(at::Tensor& tensor, int from, int tag) override {
    std::vector<at::Tensor> tensors{tensor};
    return wrap(group_->recv(tensors, from, tag));
  }
  Result<std::unique_ptr<Communicator>> split(const std::vector<int>&) override { return tl::unexpected(deviceError("groups are not made yet", device_)); }
  c10::intrusive_ptr<c10d::ProcessGroup> group() override { return {}; }
  void abort(const Error&) noexcept override {
    try {
      group_->abort();
    } catch (...) {  // already gone; there is nothing left to end
    }
  }

 private:
  WorkPtr wrap(c10::intrusive_ptr<c10d::Work> work) const { return std::make_shared<NcclWork>(std::move(work), device_); }

  c10::intrusive_ptr<c10d::ProcessGroupNCCL> group_;
  int device_;
};

class Nccl : public NcclLibrary {
 public:
  std::string version() const override {
    int number = 0;
    ncclGetVersion(&number);
    return "NCCL " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
  }

  Result<std::unique_ptr<Communicator>> communicator(const std::string& store_path, int rank, int size, int device, int timeout_s) override {
    try {
      // The process group's own watchdog may end the process before the run's failure is written; the trainer supervises instead.
      setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", 1);
      setenv("TORCH_NCCL_ENABLE_MONITORING", "0", 1);
      if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) return tl::unexpected(deviceError(cudaGetErrorString(status), device));
      auto store = c10::make_intrusive<c10d::FileStore>(store_path, size);
      auto options = c10d::ProcessGroupNCCL::Options::create();
      options->timeout = std::chrono::seconds(timeout_s);
      auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
      return std::make_unique<NcclCommunicator>(std::move(group), device);
    } catch (const std::exception& error) {
      return tl::unexpected(deviceError(error.what(), device));
    }
  }
};

}  // namespace

}  // namespace trainyard::comm

extern "C" trainyard::comm::NcclLibrary* trainyardNccl() {
  static trainyard::comm::Nccl library;
  return &library;
}
