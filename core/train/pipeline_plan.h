#pragma once
// What a recipe's pipeline looks like: where the network is cut, in how many parts a batch goes through it.
#include "core/parallel/stage_cut.h"
#include "core/train/input.h"

namespace trainyard::train {

// `model` is on the CPU. Error Recipe: more stages than blocks, parallel.cuts that do not fit.
Result<parallel::StageCut> cutFor(const models::Model& model, const recipe::Recipe& recipe, models::InputShape shape, data::Task task, int stages);

// parallel.micro_batches, or four for each stage.
uint64_t microBatches(const recipe::Recipe& recipe, int stages);

}  // namespace trainyard::train
