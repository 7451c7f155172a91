#pragma once
// What of a model one stage of a pipeline has on its device.
#include <set>

#include "core/parallel/stage_cut.h"

namespace trainyard::train {

struct StageTensors {
  std::span<const models::Block> blocks;
  std::vector<models::NamedTensor> parameters, buffers;  // those of the blocks, and the shared ones that they use
  std::set<std::string> copies;                          // parameters that an earlier stage owns
};
StageTensors tensorsOf(const models::Model& model, const parallel::StageCut& cut, size_t stage);

// Instead of models::moveTo: the stage's tensors move to the device; the others keep their sizes, but neither memory nor gradients, and must not be
// written to. So a network that is too large for a device never lies on it.
void moveStage(const models::Model& model, const parallel::StageCut& cut, size_t stage, at::Device device);

}  // namespace trainyard::train
