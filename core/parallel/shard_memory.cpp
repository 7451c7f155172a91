#include "core/parallel/shard_memory.h"

namespace trainyard::parallel {

ShardMemory shardMemory(int stage, uint64_t parameters, uint64_t ranks, double state_bytes, bool averaged, uint64_t largest_unit) {
  constexpr uint64_t kBytes = 4;
  const auto share = [ranks](uint64_t bytes) { return (bytes + ranks - 1) / ranks; };
  const uint64_t whole = kBytes * parameters;
  const auto state = static_cast<uint64_t>(state_bytes * static_cast<double>(parameters));
  ShardMemory memory;
  memory.weights = stage == 3 ? share(whole) : whole;
  memory.gradients = stage == 3 ? share(whole) : whole;
  memory.optimizer = stage >= 1 ? share(state) : state;
  if (averaged) memory.average = stage == 3 ? share(whole) : whole;
  if (stage == 3) memory.gathered = 4 * kBytes * largest_unit;
  if (stage == 1) memory.gathered = 2 * kBytes * largest_unit;
  return memory;
}

}  // namespace trainyard::parallel
