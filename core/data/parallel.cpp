#include "core/data/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace trainyard::data {

namespace {

constexpr auto kBetweenReports = std::chrono::milliseconds(100);
constexpr uint64_t kAtOnce = 16;  // so that threads seldom meet at the counter

uint64_t threadsFor(uint64_t count, int wanted) {
  const uint64_t threads = wanted > 0 ? static_cast<uint64_t>(wanted) : std::max(1U, std::thread::hardware_concurrency());
  return std::clamp<uint64_t>((count + kAtOnce - 1) / kAtOnce, 1, threads);
}

}  // namespace

bool forEach(uint64_t count, uint64_t done_before, const ScanOptions& options, const std::function<void(uint64_t)>& work) {
  const auto report = [&](uint64_t done) {
    if (options.progress) options.progress(done_before + done, done_before + count);
  };
  report(0);
  std::atomic<uint64_t> next{0}, done{0};
  std::mutex mutex;
  std::condition_variable ended;
  const uint64_t threads = threadsFor(count, options.threads);
  uint64_t running = threads;
  const auto body = [&] {
    while (options.cancelled == nullptr || !*options.cancelled) {
      const uint64_t first = next.fetch_add(kAtOnce), last = std::min(first + kAtOnce, count);
      if (first >= count) break;
      for (uint64_t i = first; i < last; ++i) {
        if (options.cancelled != nullptr && *options.cancelled) break;
        work(i);
        ++done;
      }
    }
    const std::scoped_lock lock(mutex);
    if (--running == 0) ended.notify_one();
  };
  {
    std::vector<std::jthread> pool;
    for (uint64_t t = 0; t < threads; ++t) pool.emplace_back(body);
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kBetweenReports, [&] { return running == 0; })) {
      lock.unlock();
      report(done);
      lock.lock();
    }
  }
  report(done);
  return done == count;
}

}  // namespace trainyard::data
