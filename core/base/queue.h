#pragma once
// The queue between threads: bounded and ordered.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace trainyard {

// Any number of threads push and pop. close() wakes everyone: push() then returns false, pop() drains what is left and then gives nullopt.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  bool push(T value) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return closed_ || items_.size() < capacity_; });
    if (closed_) return false;
    items_.push_back(std::move(value));
    has_item_.notify_one();
    return true;
  }

  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    has_item_.wait(lock, [&] { return closed_ || !items_.empty(); });
    return take();
  }

  std::optional<T> tryPop() {
    std::unique_lock lock(mutex_);
    return take();
  }

  void close() {
    std::scoped_lock lock(mutex_);
    closed_ = true;
    has_room_.notify_all();
    has_item_.notify_all();
  }

 private:
  std::optional<T> take() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> value(std::move(items_.front()));
    items_.pop_front();
    has_room_.notify_one();
    return value;
  }

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable has_room_, has_item_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace trainyard
