#pragma once
// What a recipe asks of a pipeline, worked out for a network and a number of devices.
#include "core/train/pipeline_step.h"

namespace trainyard::train {

// Devices that share one network: those asked for, else all. Error Recipe where the devices cannot be shared out in groups of that size.
Result<size_t> stagesFor(const recipe::Choice& strategy, size_t devices);

// Cut at the blocks the recipe names, else by cost; four parts for each stage where it names no number. Error Recipe.
Result<PipelineOptions> pipelineOptions(const recipe::Choice& strategy, const std::vector<parallel::BlockCost>& costs, size_t stages);

// {stages: [{first, last, blocks, share, parameters}], shared: [{name, stages}], micro_batches, schedule, idle}: first and last are names of blocks, share
// is that of the whole cost, idle the share of time that stages of equal cost would wait.
Json toJson(const PipelineOptions& options, const std::vector<parallel::BlockCost>& costs);

}  // namespace trainyard::train
