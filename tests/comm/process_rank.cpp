#include "process_rank.h"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <cstdio>
#include <cstdlib>

#include "core/comm/backends.h"
#include "core/comm/join_store.h"

namespace trainyard::comm {

namespace {

int ended(int status, const Error& error) {
  std::printf("ended: %s\n", toText(error).c_str());
  std::fflush(stdout);
  return status;
}

}  // namespace

int reduceTogether(const World& world, bool for_ever) {
  const char* timeout = std::getenv("TRAINYARD_TEST_FOR_EVER");
  RanksHere here;
  here.first = world.rank;
  here.size = world.size;
  here.options.timeout_s = timeout == nullptr ? 10 : std::atof(timeout);
  auto store = joinStore(world, {10, ""});
  if (!store) return ended(2, store.error());
  const auto same = agree(*store, world, {{"version", "1"}}, 10);
  if (!same) return ended(3, same.error());
  here.store = *store;
  here.host = addressTowards(world.host, world.port);
  auto made = makeCommunicators("gloo", here);
  if (!made) return ended(4, made.error());
  Communicator& rank = *made->front();
  at::Tensor value = at::full({1000}, world.rank + 1.0F);
  if (const auto done = rank.allReduce(value, ReduceOp::Sum)->wait(); !done) return ended(5, done.error());
  if (!value.eq(world.size * (world.size + 1) / 2).all().item<bool>()) return 6;
  std::puts("summed");
  std::fflush(stdout);
  while (for_ever) {
    const auto done = rank.allReduce(value, ReduceOp::Sum)->wait();
    if (done) continue;
    rank.abort(done.error());
    return ended(0, done.error());
  }
  return 0;
}

std::optional<int> runAsRank() {
  if (std::getenv("TRAINYARD_TEST_CHILD") == nullptr) return std::nullopt;
  const auto world = worldFromEnvironment(processEnvironment());
  if (!world || !*world) return 1;
  return reduceTogether(**world, std::getenv("TRAINYARD_TEST_FOR_EVER") != nullptr);
}

}  // namespace trainyard::comm
