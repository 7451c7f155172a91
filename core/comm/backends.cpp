#include "core/comm/backends.h"

#include <algorithm>
#include <functional>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "core/comm/gloo.h"

namespace trainyard::comm {

namespace {

using Communicators = std::vector<std::unique_ptr<Communicator>>;

constexpr BackendInfo kBackends[] = {
    {"local", "Shared memory", "CPU ranks in one process: sums in rank order, the same to the bit on every rank and from run to run", false, false},
    {"gloo", "Gloo", "CPU ranks in several processes or on several machines, over TCP", false, true},
    {"nccl", "NCCL", "NVIDIA GPUs, in one machine or several", true, true},
};

Result<Communicators> makeLocal(const RanksHere& ranks) {
  if (ranks.count != ranks.size) {
    return fail(
        ErrorCode::Device,
        "shared memory joins the threads of one process alone: " + std::to_string(ranks.count) + " of " + std::to_string(ranks.size) + " ranks are in this one",
        "parallel.devices", "use gloo or nccl");
  }
  return localCommunicators(ranks.size, ranks.options);
}

// Making one waits for the other ranks: each on a thread of its own.
Result<Communicators> makeEach(const RanksHere& ranks,
                               const std::function<Result<std::unique_ptr<Communicator>>(const c10::intrusive_ptr<c10d::Store>&, int here)>& make) {
  c10::intrusive_ptr<c10d::Store> store = ranks.store;
  if (!store) store = c10::make_intrusive<c10d::HashStore>();
  std::vector<Result<std::unique_ptr<Communicator>>> made(static_cast<size_t>(ranks.count));
  {
    std::vector<std::jthread> threads;
    for (int here = 0; here < ranks.count; ++here) threads.emplace_back([&, here] { made[static_cast<size_t>(here)] = make(store, here); });
  }
  Communicators communicators;
  for (auto& one : made) {
    TRAINYARD_TRY(communicators.emplace_back(), std::move(one));
  }
  return communicators;
}

Result<Communicators> makeGloo(const RanksHere& ranks) {
  GlooOptions options;
  options.timeout_s = ranks.options.timeout_s;
  options.host = ranks.host;
  options.interface = ranks.interface;
  return makeEach(ranks, [&](const auto& store, int here) { return glooCommunicator(store, ranks.first + here, ranks.size, options); });
}

Result<Communicators> makeNccl(const RanksHere& ranks) {
  if (static_cast<int>(ranks.gpus.size()) != ranks.count) {
    return fail(ErrorCode::Device, std::to_string(ranks.gpus.size()) + " GPUs for " + std::to_string(ranks.count) + " ranks", "parallel.devices",
                "give each rank one GPU");
  }
  TRAINYARD_TRY(NcclLibrary* const library, loadNccl());
  return makeEach(ranks, [&](const auto& store, int here) {
    return library->communicator(store, ranks.first + here, ranks.size, ranks.gpus[static_cast<size_t>(here)], ranks.options);
  });
}

struct Maker {
  const char* id;
  Result<Communicators> (*make)(const RanksHere&);
};
constexpr Maker kMakers[] = {{"local", makeLocal}, {"gloo", makeGloo}, {"nccl", makeNccl}};

}  // namespace

std::span<const BackendInfo> backends() { return kBackends; }

const char* backendFor(bool gpus, bool other_processes) {
  if (gpus) return "nccl";
  return other_processes ? "gloo" : "local";
}

Result<std::vector<std::unique_ptr<Communicator>>> makeCommunicators(const std::string& id, const RanksHere& ranks) {
  const auto* maker = std::find_if(std::begin(kMakers), std::end(kMakers), [&](const Maker& one) { return id == one.id; });
  if (maker == std::end(kMakers)) return fail(ErrorCode::Device, "there are no collectives \"" + id + "\"", "parallel.devices", "local, gloo or nccl");
  return maker->make(ranks);
}

}  // namespace trainyard::comm
