#pragma once
// The strategy "sharded": every rank takes its share of each step's samples, and keeps a share of the optimizer's state (stage 1), or of weights and
// gradients too (stage 3). Numbers are those of one device on the joint batch.
#include "core/comm/communicator.h"
#include "core/parallel/shard_memory.h"
#include "core/train/train_step.h"

namespace trainyard::train {

// All ranks make the same calls in the same order, each on its own thread, with as many micro-batches in run(); a micro-batch, and the inputs of
// answer(), may be without samples. Model and communicator must outlive it. Failing collectives: Error Device. Every rank reports the whole
// step's loss, norm, weight and samples. Of the ranks' batch-norm statistics, those of rank 0 go into checkpoints.
class ShardedStep : public TrainStep {
 public:
  // What this rank keeps now; `gathered`: most at once until now.
  virtual parallel::ShardMemory held() const = 0;
};

// Stage 1, for every optimizer: each parameter's state is with one rank, whole. The average of the weights is whole on every rank.
Result<std::unique_ptr<ShardedStep>> makeShardedStatesStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options,
                                                           comm::Communicator& comm);

// Blocks are gathered together as long as they have fewer values than this: 4 MiB.
constexpr int64_t kJoinBelow = int64_t{1} << 20;

// Stage 3. Takes over the model's parameters: their tensors have no memory any more between calls, and weights are read through answer(), parts()
// and averaged(), which is a collective (all ranks call it, and get whole tensors; throws comm::CommError). Error Recipe for optimizers that
// need whole matrices.
Result<std::unique_ptr<ShardedStep>> makeFullyShardedStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options,
                                                          comm::Communicator& comm, int64_t join_below = kJoinBelow);

// Whether the recipe's optimizer can be divided as its strategy, "sharded", asks for. Error Recipe.
Result<void> checkSharded(const recipe::Recipe& recipe);

}  // namespace trainyard::train
