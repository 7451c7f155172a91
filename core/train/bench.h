#pragma once
// The product's side of the comparisons with Python: the real train step on tensors in memory.
#include "core/train/engine.h"

namespace trainyard::train {

// Inputs are drawn as the peer program draws them: generator seed 1, 8 batches, then the labels.
Result<Json> benchTrain(const BenchOptions& options);

// Saves a checkpoint as a training does, or loads it into tensors in memory.
Result<Json> benchCheckpoint(const CheckpointBenchOptions& options);

}  // namespace trainyard::train
