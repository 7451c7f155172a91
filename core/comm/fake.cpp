#include "core/comm/fake.h"

#include "core/comm/backend_communicator.h"
#include "core/comm/comm_error.h"
#include "core/comm/local_work.h"

namespace trainyard::comm {

namespace {

// Counts the calls of a communicator and of the groups split from it.
struct Fate {
  FakeOptions options;
  std::atomic<int> calls{0};
};

class FakeBackend : public c10d::Backend {
 public:
  FakeBackend(c10::intrusive_ptr<c10d::Backend> inner, std::shared_ptr<Fate> fate, std::shared_ptr<AbortFlag> aborted)
      : Backend(inner->getRank(), inner->getSize()), inner_(std::move(inner)), fate_(std::move(fate)), aborted_(std::move(aborted)) {}

  const std::string getBackendName() const override { return "fake"; }
  void abort() override { inner_->abort(); }
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions& options) override {
    return unless(tensors, [&] { return inner_->allreduce(tensors, options); });
  }
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors, const c10d::BroadcastOptions& options) override {
    return unless(tensors, [&] { return inner_->broadcast(tensors, options); });
  }
  c10::intrusive_ptr<c10d::Work> all_gather_single(at::Tensor& out, at::Tensor& in, const c10d::AllgatherOptions& options) override {
    return unless({out}, [&] { return inner_->all_gather_single(out, in, options); });
  }
  c10::intrusive_ptr<c10d::Work> reduce_scatter_single(at::Tensor& out, at::Tensor& in, const c10d::ReduceScatterOptions& options) override {
    return unless({out}, [&] { return inner_->reduce_scatter_single(out, in, options); });
  }
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options) override {
    return unless({}, [&] { return inner_->barrier(options); });
  }
  c10::intrusive_ptr<c10d::Work> send(std::vector<at::Tensor>& tensors, int to, int tag) override {
    return unless(tensors, [&] { return inner_->send(tensors, to, tag); });
  }
  c10::intrusive_ptr<c10d::Work> recv(std::vector<at::Tensor>& tensors, int from, int tag) override {
    return unless(tensors, [&] { return inner_->recv(tensors, from, tag); });
  }

 private:
  template <class Issue>
  c10::intrusive_ptr<c10d::Work> unless(const std::vector<at::Tensor>& tensors, const Issue& issue) {
    const FakeOptions& options = fate_->options;
    if (++fate_->calls != options.fail_on) return issue();
    if (options.failure == FakeFailure::Exception) throw CommError(options.error);
    auto end = std::make_shared<Completion>();
    if (options.failure == FakeFailure::Work) {
      end->fail(options.error);
    } else {
      aborted_->onRaise([end](const Error& error) { end->fail(error); });
    }
    return c10::make_intrusive<LocalWork>(std::move(end), tensors);
  }

  c10::intrusive_ptr<c10d::Backend> inner_;
  std::shared_ptr<Fate> fate_;
  std::shared_ptr<AbortFlag> aborted_;
};

BackendParts fakeParts(BackendParts parts, const std::shared_ptr<Fate>& fate) {
  parts.backend = c10::make_intrusive<FakeBackend>(parts.backend, fate, parts.aborted);
  parts.type = c10d::ProcessGroup::BackendType::CUSTOM;
  parts.split = [split = parts.split, fate](const std::vector<int>& ranks) { return fakeParts(split(ranks), fate); };
  return parts;
}

}  // namespace

std::unique_ptr<Communicator> fakeCommunicator(std::unique_ptr<Communicator> inner, const FakeOptions& options) {
  auto fate = std::make_shared<Fate>();
  fate->options = options;
  return std::make_unique<BackendCommunicator>(fakeParts(dynamic_cast<BackendCommunicator&>(*inner).parts(), fate));
}

}  // namespace trainyard::comm
