#pragma once
// `trainyard plan`: what each strategy would need and gain on the recipe's devices.
#include "core/train/engine.h"

namespace trainyard::train {

// {devices: [names], passes: parts of a step, rank_batch: samples that a device has at a time at most,
//  strategies: [{id, devices, possible, why, memory_bytes: on the fullest device, speed_up: about, against one device}],
//  blocks: [{name, cost_share, parameters}], stages: [{first, last, blocks: [names], cost_share, parameters, memory_bytes}], idle_share, micro_batches: of these stages,
//  notes: [{code, text, values}]}.
// Stages are those of the recipe's pipeline, else of one over all its devices; none where it has one device. Memory counts weights, gradients, the
// optimizer's state and activations in fp32 or half precision; neither the program itself nor what kernels take for a moment. Speed goes by
// multiply-adds and usual rates of a processor core's and a GPU's links: an estimate. No data is needed. Error Recipe.
Result<Json> planParallel(const recipe::Recipe& recipe);

}  // namespace trainyard::train
