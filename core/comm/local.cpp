// The communicator between threads of one process, over shared memory.
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <algorithm>

#include "core/comm/backend_communicator.h"
#include "core/comm/comm_error.h"
#include "core/comm/local_sum.h"
#include "core/comm/local_world.h"

namespace trainyard::comm {

namespace {

// `on_wait` starts the clock of a send, which has no limit before.
class LocalWork : public c10d::Work {
 public:
  LocalWork(std::shared_ptr<Completion> end, std::vector<at::Tensor> tensors, std::function<void()> on_wait = {})
      : end_(std::move(end)), tensors_(std::move(tensors)), on_wait_(std::move(on_wait)) {}
  bool isCompleted() override { return end_->ended(); }
  bool isSuccess() const override { return end_->ended() && !end_->failed(); }
  std::exception_ptr exception() const override { return end_->failed() ? std::make_exception_ptr(CommError(end_->error())) : nullptr; }
  std::vector<at::Tensor> result() override { return tensors_; }
  bool wait(std::chrono::milliseconds) override {  // the world watches over time
    if (on_wait_ && !end_->ended()) on_wait_();
    end_->wait();
    return true;
  }
  void synchronize() override { wait(kNoTimeout); }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
    if (!future_) future_ = end_->future(tensors_);
    return future_;
  }

 private:
  std::shared_ptr<Completion> end_;
  std::vector<at::Tensor> tensors_;
  std::function<void()> on_wait_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

class LocalBackend : public c10d::Backend {
 public:
  LocalBackend(std::shared_ptr<LocalWorld> world, int rank) : Backend(rank, world->size()), world_(std::move(world)) {}

  const std::string getBackendName() const override { return "local"; }
  LocalWorld& world() { return *world_; }
  void abort() override { world_->family().abort({ErrorCode::Device, "the collectives between the ranks were aborted", "rank " + std::to_string(rank_), {}}); }

  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions& options) override {
    const at::Tensor& tensor = only(tensors);
    return issue({LocalKind::AllReduce, reduceOp(options.reduceOp, tensor), 0, tensor, tensor});
  }
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors, const c10d::BroadcastOptions& options) override {
    const at::Tensor& tensor = only(tensors);
    TORCH_CHECK(options.rootRank >= 0 && options.rootRank < size_, "broadcast from rank ", options.rootRank, " of ", size_);
    return issue({LocalKind::Broadcast, ReduceOp::Sum, static_cast<int>(options.rootRank), tensor, tensor});
  }
  c10::intrusive_ptr<c10d::Work> _allgather_base(at::Tensor& out, at::Tensor& in, const c10d::AllgatherOptions&) override {
    check(out), check(in);
    TORCH_CHECK(out.numel() == in.numel() * size_ && out.scalar_type() == in.scalar_type(), "all-gather of ", in.numel(), " elements on ", size_,
                " ranks into ", out.numel());
    return issue({LocalKind::AllGather, ReduceOp::Sum, 0, in, out});
  }
  c10::intrusive_ptr<c10d::Work> _reduce_scatter_base(at::Tensor& out, at::Tensor& in, const c10d::ReduceScatterOptions& options) override {
    check(out), check(in);
    TORCH_CHECK(in.numel() == out.numel() * size_ && out.scalar_type() == in.scalar_type(), "reduce-scatter of ", in.numel(), " elements on ", size_,
                " ranks into ", out.numel());
    return issue({LocalKind::ReduceScatter, reduceOp(options.reduceOp, in), 0, in, out});
  }
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions&) override { return issue({}); }

  c10::intrusive_ptr<c10d::Work> send(std::vector<at::Tensor>& tensors, int to, int tag) override {
    auto transfer = world_->send(rank_, peer(to), tag, only(tensors));
    return c10::make_intrusive<LocalWork>(transfer, tensors, [world = world_, transfer] { world->awaited(*transfer); });
  }
  c10::intrusive_ptr<c10d::Work> recv(std::vector<at::Tensor>& tensors, int from, int tag) override {
    return c10::make_intrusive<LocalWork>(world_->receive(peer(from), rank_, tag, only(tensors)), tensors);
  }

 private:
  static void check(const at::Tensor& tensor) {
    TORCH_CHECK(tensor.device().is_cpu() && tensor.is_non_overlapping_and_dense(), "the local collectives take dense CPU tensors, not one on ",
                tensor.device());
  }
  static const at::Tensor& only(const std::vector<at::Tensor>& tensors) {
    TORCH_CHECK(tensors.size() == 1, "the local collectives take one tensor, not ", tensors.size());
    check(tensors[0]);
    return tensors[0];
  }
  static ReduceOp reduceOp(const c10d::ReduceOp& op, const at::Tensor& tensor) {
    TORCH_CHECK(op == c10d::ReduceOp::SUM || op == c10d::ReduceOp::MAX, "the local collectives know sum and maximum alone");
    TORCH_CHECK(canReduce(tensor.scalar_type()), "the local collectives cannot add ", tensor.scalar_type());
    return op == c10d::ReduceOp::SUM ? ReduceOp::Sum : ReduceOp::Max;
  }
  int peer(int rank) const {
    TORCH_CHECK(rank >= 0 && rank < size_, "rank ", rank, " of ", size_, " is no peer");
    return rank;
  }
  c10::intrusive_ptr<c10d::Work> issue(LocalCall call) {
    std::vector<at::Tensor> tensors;
    if (call.out.defined()) tensors.push_back(call.out);
    return c10::make_intrusive<LocalWork>(world_->issue(rank_, std::move(call)), std::move(tensors));
  }

  std::shared_ptr<LocalWorld> world_;
};

BackendParts localParts(std::shared_ptr<LocalWorld> world, int rank, std::shared_ptr<AbortFlag> aborted) {
  BackendParts parts;
  auto backend = c10::make_intrusive<LocalBackend>(world, rank);
  parts.where = "rank " + std::to_string(rank);
  parts.abort = [world](const Error& error) { world->family().abort(error); };
  parts.split = [world, rank, aborted](const std::vector<int>& ranks) {
    const auto place = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
    return localParts(world->split(rank, ranks), place, aborted);
  };
  parts.aborted = std::move(aborted);
  parts.backend = std::move(backend);
  return parts;
}

}  // namespace

std::vector<std::unique_ptr<Communicator>> localCommunicators(int size, const CommOptions& options) {
  const auto world = std::make_shared<LocalWorld>(size, std::make_shared<LocalFamily>(options.timeout_s));
  const auto aborted = std::make_shared<AbortFlag>();
  std::vector<std::unique_ptr<Communicator>> communicators;
  for (int rank = 0; rank < size; ++rank) communicators.push_back(std::make_unique<BackendCommunicator>(localParts(world, rank, aborted)));
  return communicators;
}

}  // namespace trainyard::comm
