#include "core/comm/backend_communicator.h"

#include <algorithm>
#include <utility>

#include "core/comm/comm_error.h"

namespace trainyard::comm {

namespace {

constexpr std::chrono::milliseconds kAsk{100};

// What c10d or the backend threw, without the stack that LibTorch appends.
Error toError(const std::exception_ptr& thrown, const BackendParts& parts) {
  const auto words = [&](const std::string& text) { return parts.explain ? parts.explain(text) : text; };
  const std::string hint = "see whether the other ranks still run; their logs tell which one failed first";
  try {
    std::rethrow_exception(thrown);
  } catch (const CommError& error) {
    return error.error();
  } catch (const c10::Error& error) {
    return {ErrorCode::Device, words(error.what_without_backtrace()), parts.where, hint};
  } catch (const std::exception& error) {
    return {ErrorCode::Device, words(error.what()), parts.where, hint};
  } catch (...) {
    return {ErrorCode::Device, "a collective failed", parts.where, hint};
  }
}

class FailedWork : public Work {
 public:
  explicit FailedWork(Error error) : error_(std::move(error)) {}
  Result<void> wait() override { return tl::unexpected(error_); }

 private:
  Error error_;
};

class BackendWork : public Work {
 public:
  BackendWork(c10::intrusive_ptr<c10d::Work> work, std::shared_ptr<const BackendParts> parts, bool is_transfer)
      : work_(std::move(work)),
        parts_(std::move(parts)),
        asks_(parts_->sleeps_through_abort && !is_transfer),
        registered_(parts_->sleeps_through_abort && is_transfer) {
    if (registered_) key_ = parts_->aborted->onRaise([work = work_](const Error&) { work->abort(); });
  }
  ~BackendWork() override { done(); }

  Result<void> wait() override {
    try {
      while (!(asks_ ? waitABit() : work_->wait())) {
        if (const auto error = parts_->aborted->error()) return tl::unexpected(*error);
        if (!asks_) return fail(ErrorCode::Device, "a collective was aborted", parts_->where, "see the first error of the run");
      }
      done();
      return {};
    } catch (...) {
      done();
      if (auto error = parts_->aborted->error()) return tl::unexpected(*std::move(error));
      return tl::unexpected(toError(std::current_exception(), *parts_));
    }
  }

 private:
  // False where time is up, which c10d tells by an exception.
  bool waitABit() {
    try {
      return work_->wait(kAsk);
    } catch (...) {
      if (work_->isCompleted()) throw;
      return false;
    }
  }
  void done() {
    if (std::exchange(registered_, false)) parts_->aborted->forget(key_);
  }

  c10::intrusive_ptr<c10d::Work> work_;
  std::shared_ptr<const BackendParts> parts_;
  bool asks_, registered_;
  uint64_t key_ = 0;
};

}  // namespace

std::optional<Error> AbortFlag::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void AbortFlag::raise(const Error& error) noexcept {
  decltype(ends_) ends;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    ends.swap(ends_);
  }
  for (const auto& [key, end] : ends) {
    try {
      end(error);
    } catch (...) {  // already gone; there is nothing left to end
    }
  }
}

uint64_t AbortFlag::onRaise(std::function<void(const Error&)> end) {
  std::optional<Error> error;
  {
    const std::lock_guard lock(mutex_);
    ++next_;
    error = error_;
    if (!error) ends_.emplace_back(next_, end);
  }
  if (error) end(*error);
  return next_;
}

void AbortFlag::forget(uint64_t key) {
  const std::lock_guard lock(mutex_);
  std::erase_if(ends_, [key](const auto& end) { return end.first == key; });
}

BackendCommunicator::BackendCommunicator(BackendParts parts) : parts_(std::make_shared<const BackendParts>(std::move(parts))) {
  if (parts_->abort) end_key_ = parts_->aborted->onRaise(parts_->abort);
}

BackendCommunicator::~BackendCommunicator() {
  if (parts_->abort) parts_->aborted->forget(end_key_);
}

WorkPtr BackendCommunicator::start(const std::function<c10::intrusive_ptr<c10d::Work>()>& issue, bool is_transfer) {
  if (auto error = parts_->aborted->error()) return std::make_shared<FailedWork>(*std::move(error));
  if (*failed_) return std::make_shared<FailedWork>(**failed_);
  try {
    auto work = issue();
    if (const auto thrown = work->exception()) std::rethrow_exception(thrown);
    return std::make_shared<BackendWork>(std::move(work), parts_, is_transfer);
  } catch (...) {
    *failed_ = toError(std::current_exception(), *parts_);
    return std::make_shared<FailedWork>(**failed_);
  }
}

WorkPtr BackendCommunicator::allReduce(at::Tensor& tensor, ReduceOp op) {
  return start([&] {
    std::vector<at::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = op == ReduceOp::Sum ? c10d::ReduceOp::SUM : c10d::ReduceOp::MAX;
    return parts_->backend->allreduce(tensors, options);
  });
}

WorkPtr BackendCommunicator::broadcast(at::Tensor& tensor, int root) {
  return start([&] {
    std::vector<at::Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    return parts_->backend->broadcast(tensors, options);
  });
}

WorkPtr BackendCommunicator::allGather(at::Tensor& out, const at::Tensor& in) {
  return start([&] {
    at::Tensor source = in;
    return parts_->backend->all_gather_single(out, source, {});
  });
}

WorkPtr BackendCommunicator::reduceScatter(at::Tensor& out, const at::Tensor& in) {
  return start([&] {
    at::Tensor source = in;
    return parts_->backend->reduce_scatter_single(out, source, {});
  });
}

WorkPtr BackendCommunicator::barrier() {
  return start([&] { return parts_->backend->barrier({}); });
}

WorkPtr BackendCommunicator::send(at::Tensor tensor, int to, int tag) {
  return start(
      [&] {
        std::vector<at::Tensor> tensors{std::move(tensor)};
        return parts_->backend->send(tensors, to, tag);
      },
      true);
}

WorkPtr BackendCommunicator::receive(at::Tensor& tensor, int from, int tag) {
  return start(
      [&] {
        std::vector<at::Tensor> tensors{tensor};
        return parts_->backend->recv(tensors, from, tag);
      },
      true);
}

Result<std::unique_ptr<Communicator>> BackendCommunicator::split(const std::vector<int>& ranks) {
  std::vector<int> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  const bool valid = std::find(sorted.begin(), sorted.end(), rank()) != sorted.end() && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
                     sorted.front() >= 0 && sorted.back() < size();
  if (!valid) {
    return fail(ErrorCode::Device,
                "a group of " + std::to_string(ranks.size()) + " ranks is not one of this rank's: it must hold rank " + std::to_string(rank()) +
                    " and each rank once, below " + std::to_string(size()),
                parts_->where, "this is a fault of Trainyard: please report it");
  }
  if (auto error = parts_->aborted->error()) return tl::unexpected(*std::move(error));
  try {
    auto group = std::make_unique<BackendCommunicator>(parts_->split(ranks));
    group->failed_ = failed_;
    return group;
  } catch (...) {
    return tl::unexpected(toError(std::current_exception(), *parts_));
  }
}

c10::intrusive_ptr<c10d::ProcessGroup> BackendCommunicator::group() {
  if (!group_) {
    group_ = c10::make_intrusive<c10d::ProcessGroup>(rank(), size());
    group_->setBackend(parts_->device, parts_->type, parts_->backend);
    group_->setDefaultBackend(parts_->type);
  }
  return group_;
}

}  // namespace trainyard::comm
