#include "core/comm/completion.h"

#include <ATen/core/jit_type.h>

#include "core/comm/comm_error.h"

namespace trainyard::comm {

namespace {

constexpr int kSpins = 500;  // some 10 µs: ranks that arrive together need not sleep

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void Completion::wait() {
  int spins = 0;
  for (uint32_t state; (state = state_.load(std::memory_order_acquire)) < kDone;) {
    if (state == kReady) help();
    if (++spins < kSpins) {
      relax();
    } else {
      state_.wait(state, std::memory_order_acquire);
    }
  }
  if (failed()) throw CommError(error_);
}

c10::intrusive_ptr<c10::ivalue::Future> Completion::future(std::vector<at::Tensor> tensors) {
  Promise promise{c10::make_intrusive<c10::ivalue::Future>(c10::ListType::ofTensors()), std::move(tensors)};
  const auto future = promise.future;
  {
    const std::lock_guard lock(mutex_);
    if (!ended()) {
      promises_.push_back(std::move(promise));
      return future;
    }
  }
  keep(promise);
  return future;
}

bool Completion::makeReady() {
  uint32_t expected = kPending;
  if (!state_.compare_exchange_strong(expected, kReady, std::memory_order_acq_rel)) return false;
  state_.notify_all();
  return true;
}

void Completion::finish() {
  {
    const std::lock_guard lock(mutex_);
    state_.store(kDone, std::memory_order_release);
  }
  state_.notify_all();
  keepPromises();
}

bool Completion::fail(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    if (state_.load(std::memory_order_acquire) != kPending) return false;
    error_ = error;
    uint32_t expected = kPending;
    if (!state_.compare_exchange_strong(expected, kFailed, std::memory_order_acq_rel)) return false;
  }
  state_.notify_all();
  keepPromises();
  return true;
}

void Completion::keep(Promise& promise) const {
  if (failed()) return promise.future->setError(std::make_exception_ptr(CommError(error_)));
  promise.future->markCompleted(c10::IValue(std::move(promise.tensors)));
}

// The futures' callbacks run here, outside of the lock: they may start the next collective.
void Completion::keepPromises() {
  std::vector<Promise> promises;
  {
    const std::lock_guard lock(mutex_);
    promises.swap(promises_);
  }
  for (Promise& promise : promises) keep(promise);
}

}  // namespace trainyard::comm
