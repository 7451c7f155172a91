#pragma once
// The product's side of the comparisons with Python: the real train step on tensors in memory.
#include "core/train/engine.h"

namespace trainyard::train {

// Inputs are drawn as the peer program draws them: generator seed 1, 8 batches, then the labels.
Result<Json> benchTrain(const BenchOptions& options);

// The optimizer's step alone, over 60 tensors of 4 million values: {optimizer, tensors, parameters, steps_per_s, sum_of_sizes}; the last is that of
// the parameters in the end. Error Usage.
Result<Json> benchOptimizer(const BenchOptions& options);

// Saves a checkpoint as a training does, or loads it into tensors in memory.
Result<Json> benchCheckpoint(const CheckpointBenchOptions& options);

// The train step on several CPU ranks of this process: {world, strategy, model, steps_per_s, pss_mib, kept_bytes, gathered_bytes, loss}; bytes of rank 0: of weights, gradients
// and optimizer, and of what was gathered besides at most. Error Usage.
Result<Json> benchRanks(const RanksBenchOptions& options);

}  // namespace trainyard::train
