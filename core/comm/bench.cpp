#include "core/comm/bench.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <thread>

#include "core/comm/backends.h"

namespace trainyard::comm {

namespace {

using Clock = std::chrono::steady_clock;

struct Rounds {
  std::vector<double> milliseconds;
  Error error;
};

bool all(const float* values, int64_t count, float expected) {
  return std::all_of(values, values + count, [expected](float value) { return value == expected; });
}

// Each round from the moment when all ranks are ready until the last one has its sum.
Rounds run(std::vector<std::unique_ptr<Communicator>>& ranks, const AllReduceBenchOptions& options) {
  const auto size = static_cast<int>(ranks.size());
  const int64_t count = options.bytes / static_cast<int64_t>(sizeof(float));
  const float expected = static_cast<float>(size) * static_cast<float>(size + 1) / 2;
  Rounds rounds;
  std::mutex mutex;
  std::barrier start(size);
  Clock::time_point begin;
  std::barrier end(size, [&]() noexcept { rounds.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count()); });
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      at::Tensor tensor = at::empty({count});
      auto* values = tensor.mutable_data_ptr<float>();
      for (int round = -2; round < options.rounds; ++round) {  // two to warm up
        std::fill(values, values + count, static_cast<float>(rank) + 1);
        start.arrive_and_wait();
        if (rank == 0) begin = Clock::now();
        auto done = ranks[static_cast<size_t>(rank)]->allReduce(tensor, ReduceOp::Sum)->wait();
        end.arrive_and_wait();
        if (done && !all(values, count, expected))
          done = fail(ErrorCode::Device, "the sum is wrong", "rank " + std::to_string(rank), "report this, with the processor's name");
        if (done) continue;
        const std::lock_guard lock(mutex);
        if (rounds.error.what.empty()) rounds.error = std::move(done).error();
      }
    });
  }
  threads.clear();
  rounds.milliseconds.erase(rounds.milliseconds.begin(), rounds.milliseconds.begin() + 2);
  return rounds;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Result<Json> benchAllReduce(const AllReduceBenchOptions& options) {
  if (options.ranks < 1 || options.bytes < 4 || options.rounds < 1)
    return fail(ErrorCode::Usage, "there is nothing to measure", "bench allreduce", "at least one rank, 4 bytes and one round");
  RanksHere here;
  here.count = here.size = options.ranks;
  Json result{{"bytes", options.bytes}, {"ranks", options.ranks}, {"rounds", options.rounds}, {"backends", Json::array()}};
  std::vector<double> medians;
  for (const char* id : {"local", "gloo"}) {
    TRAINYARD_TRY(auto ranks, makeCommunicators(id, here));
    const Rounds rounds = run(ranks, options);
    if (!rounds.error.what.empty()) return tl::unexpected(rounds.error);
    medians.push_back(median(rounds.milliseconds));
    result["backends"].push_back({{"id", id},
                                  {"median_ms", medians.back()},
                                  {"min_ms", *std::min_element(rounds.milliseconds.begin(), rounds.milliseconds.end())},
                                  {"gb_per_s", static_cast<double>(options.bytes) / medians.back() / 1e6}});
  }
  result["local_over_gloo"] = medians[1] / medians[0];
  return result;
}

}  // namespace trainyard::comm
