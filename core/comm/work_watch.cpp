#include "core/comm/work_watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace trainyard::comm {

namespace {

using Clock = std::chrono::steady_clock;

struct Watched {
  c10::intrusive_ptr<c10d::Work> work;
  Clock::time_point since;
};

std::string wordsOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "a collective failed";
  }
}

}  // namespace

// Held by the thread too, which may be the one that drops the last reference to the rest.
struct WorkWatch::State {
  std::chrono::duration<double> timeout;
  std::shared_ptr<AbortFlag> aborted;
  std::string where;
  std::mutex mutex;
  std::condition_variable stirred;
  bool stop = false;
  std::deque<Watched> added;

  // What to raise; empty: all is well. In the order of their start, as a stream runs them.
  Error look(std::deque<Watched>& works) const {
    while (!works.empty()) {
      const Watched& first = works.front();
      if (first.work->isCompleted()) {
        if (const auto thrown = first.work->exception())
          return {ErrorCode::Device, wordsOf(thrown), where, "see whether the other ranks still run; their logs tell which one failed first"};
        works.pop_front();
        continue;
      }
      if (Clock::now() - first.since < timeout) break;
      char text[128];
      std::snprintf(text, sizeof text, "a collective did not end within %.3g s: a rank is missing, stuck or too slow", timeout.count());
      return {ErrorCode::Device, text, where, "see whether the other ranks still run; their logs tell which one failed first"};
    }
    return {};
  }

  void run() {
    const auto period = std::clamp<std::chrono::duration<double>>(timeout / 8, std::chrono::milliseconds(5), std::chrono::seconds(1));
    std::deque<Watched> works;
    for (;;) {
      {
        std::unique_lock lock(mutex);
        if (stirred.wait_for(lock, period, [&] { return stop; })) return;
        works.insert(works.end(), added.begin(), added.end());
        added.clear();
      }
      const Error error = look(works);
      if (error.what.empty()) continue;
      aborted->raise(error);
      return;
    }
  }
};

WorkWatch::WorkWatch(double timeout_s, std::shared_ptr<AbortFlag> aborted, std::string where) : state_(std::make_shared<State>()) {
  state_->timeout = std::chrono::duration<double>(timeout_s);
  state_->aborted = std::move(aborted);
  state_->where = std::move(where);
  thread_ = std::thread([state = state_] { state->run(); });
}

WorkWatch::~WorkWatch() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->stirred.notify_all();
  if (thread_.get_id() == std::this_thread::get_id()) {  // it raised, and dropped the last reference
    thread_.detach();
  } else {
    thread_.join();
  }
}

c10::intrusive_ptr<c10d::Work> WorkWatch::add(c10::intrusive_ptr<c10d::Work> work) {
  const std::lock_guard lock(state_->mutex);
  state_->added.push_back({work, Clock::now()});
  return work;
}

}  // namespace trainyard::comm
