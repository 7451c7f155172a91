// The communicator over c10d::ProcessGroupNCCL. This file alone sees CUDA's and NCCL's headers.
#include <ATen/ATen.h>
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "core/comm/backend_communicator.h"
#include "core/comm/work_watch.h"

namespace trainyard::comm {

namespace {

Error deviceError(const std::string& what, int device) {
  return {ErrorCode::Device, what, "cuda:" + std::to_string(device), "check the GPUs with `trainyard hardware`"};
}

// Ends what is under way before it goes, so that a rank that is alone does not wait for the others; every collective is watched.
class OwnNccl : public c10d::ProcessGroupNCCL {
 public:
  OwnNccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, c10::intrusive_ptr<Options> settings, std::unique_ptr<WorkWatch> watch)
      : ProcessGroupNCCL(store, rank, size, std::move(settings)), watch_(std::move(watch)) {}
  ~OwnNccl() override {
    watch_.reset();
    try {
      abort();
    } catch (...) {  // already gone; there is nothing left to end
    }
  }

  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override { return watch_->add(ProcessGroupNCCL::allreduce(tensors, options)); }
  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override { return watch_->add(ProcessGroupNCCL::broadcast(tensors, options)); }
  WorkPtr all_gather_single(at::Tensor& out, at::Tensor& in, const c10d::AllgatherOptions& options) override {
    return watch_->add(ProcessGroupNCCL::all_gather_single(out, in, options));
  }
  WorkPtr reduce_scatter_single(at::Tensor& out, at::Tensor& in, const c10d::ReduceScatterOptions& options) override {
    return watch_->add(ProcessGroupNCCL::reduce_scatter_single(out, in, options));
  }
  WorkPtr barrier(const c10d::BarrierOptions& options) override { return watch_->add(ProcessGroupNCCL::barrier(options)); }
  WorkPtr send(Tensors& tensors, int to, int tag) override { return watch_->add(ProcessGroupNCCL::send(tensors, to, tag)); }
  WorkPtr recv(Tensors& tensors, int from, int tag) override { return watch_->add(ProcessGroupNCCL::recv(tensors, from, tag)); }

 private:
  std::unique_ptr<WorkWatch> watch_;
};

BackendParts ncclParts(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, int device, const CommOptions& options,
                       std::shared_ptr<AbortFlag> aborted) {
  auto settings = c10d::ProcessGroupNCCL::Options::create();
  settings->timeout = std::chrono::milliseconds(static_cast<int64_t>(options.timeout_s * 1000));
  const std::string where = "rank " + std::to_string(rank) + ", cuda:" + std::to_string(device);
  auto group = c10::make_intrusive<OwnNccl>(store, rank, size, settings, std::make_unique<WorkWatch>(options.timeout_s, aborted, where));
  group->setBoundDeviceId(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
  BackendParts parts;
  parts.backend = group;
  parts.type = c10d::ProcessGroup::BackendType::NCCL;
  parts.device = c10::DeviceType::CUDA;
  parts.where = where;
  parts.abort = [group](const Error&) { group->abort(); };
  parts.split = [store, rank, device, options, aborted, names = std::make_shared<GroupNames>()](const std::vector<int>& ranks) {
    const auto own = c10::make_intrusive<c10d::PrefixStore>(names->next(ranks), store);
    return ncclParts(own, placeIn(ranks, rank), static_cast<int>(ranks.size()), device, options, aborted);
  };
  parts.aborted = std::move(aborted);
  return parts;
}

class Nccl : public NcclLibrary {
 public:
  std::string version() const override {
    int number = 0;
    ncclGetVersion(&number);
    return "NCCL " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
  }

  Result<std::unique_ptr<Communicator>> communicator(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, int device,
                                                     const CommOptions& options) override {
    try {
      // The process group's own watchdog may end the process before the run's failure is written; the trainer supervises instead.
      setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", 1);
      setenv("TORCH_NCCL_ENABLE_MONITORING", "0", 1);
      if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) return tl::unexpected(deviceError(cudaGetErrorString(status), device));
      return std::make_unique<BackendCommunicator>(ncclParts(store, rank, size, device, options, std::make_shared<AbortFlag>()));
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
