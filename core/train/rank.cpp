#include "core/train/rank.h"

#include "core/train/pipeline_plan.h"

namespace trainyard::train {

Result<RankGrid> rankGrid(const recipe::Parallel& parallel, int ranks, uint64_t batch_size) {
  RankGrid grid{ranks, ranks, 1};
  const std::string& strategy = parallel.strategy.id;
  if (strategy == "single") {
    if (ranks > 1) return fail(ErrorCode::Recipe, "strategy \"single\" trains on one device; there are " + std::to_string(ranks), "parallel.strategy", "choose \"data\"");
    return grid;
  }
  if (strategy == "pipeline") {
    TRAINYARD_TRY(const size_t stages, stagesFor(parallel.strategy, static_cast<size_t>(ranks)));
    grid.stages = static_cast<int>(stages);
    grid.replicas = ranks / grid.stages;
  }
  if (static_cast<uint64_t>(grid.replicas) > batch_size) {
    return fail(ErrorCode::Recipe, std::to_string(grid.replicas) + " devices share each step's " + std::to_string(batch_size) + (batch_size == 1 ? " sample" : " samples") + ": some would have none", "train.batch_size",
                "raise it to at least " + std::to_string(grid.replicas) + ", or list fewer devices");
  }
  return grid;
}

at::Device deviceOf(const DeviceName& device) { return device.cuda ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.index)) : at::Device(at::kCPU); }

std::string Rank::text() const { return grid.ranks > 1 ? "rank " + std::to_string(index) + " (" + device.text() + ")" : device.text(); }

Result<void> connect(Rank& rank, std::unique_ptr<comm::Communicator> all) {
  rank.all = std::move(all);
  if (rank.all == nullptr) return {};
  const RankGrid& grid = rank.grid;
  std::vector<int> same_stage, same_replica;
  for (int other = 0; other < grid.ranks; ++other) {
    if (other % grid.stages == rank.stage()) same_stage.push_back(other);
    if (other / grid.stages == rank.replica()) same_replica.push_back(other);
  }
  if (grid.replicas > 1) {
    TRAINYARD_TRY(rank.replicas, rank.all->split(same_stage));
  }
  if (grid.stages > 1) {
    TRAINYARD_TRY(rank.stages, rank.all->split(same_replica));
  }
  return {};
}

}  // namespace trainyard::train
