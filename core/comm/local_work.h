#pragma once
// A Completion as c10d's Work.
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <functional>
#include <memory>

#include "core/comm/comm_error.h"
#include "core/comm/completion.h"

namespace trainyard::comm {

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

}  // namespace trainyard::comm
