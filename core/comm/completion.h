#pragma once
// The end of something that several threads wait for.
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "core/base/result.h"

namespace trainyard::comm {

// Goes from Pending, perhaps over Ready, to Done or Failed, once. Any thread.
class Completion {
 public:
  virtual ~Completion() = default;

  bool ended() const { return state_.load(std::memory_order_acquire) >= kDone; }
  bool failed() const { return state_.load(std::memory_order_acquire) == kFailed; }
  const Error& error() const { return error_; }  // after failed()

  // Sleeps (after a short spin) until the end; where it is Ready, takes part in the work first. Throws CommError where it failed.
  void wait();
  // Has `tensors` as its value at the end, or CommError.
  c10::intrusive_ptr<c10::ivalue::Future> future(std::vector<at::Tensor> tensors);

  void finish();                  // Pending or Ready
  bool fail(const Error& error);  // false where it was Ready or had ended

 protected:
  bool makeReady();  // false where it had failed
  virtual void help() {}

 private:
  enum State : uint32_t { kPending, kReady, kDone, kFailed };
  struct Promise {
    c10::intrusive_ptr<c10::ivalue::Future> future;
    std::vector<at::Tensor> tensors;
  };
  void keep(Promise& promise) const;
  void keepPromises();

  std::atomic<uint32_t> state_{kPending};
  Error error_;
  std::mutex mutex_;
  std::vector<Promise> promises_;
};

}  // namespace trainyard::comm
