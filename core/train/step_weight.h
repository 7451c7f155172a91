#pragma once
// What the loss of a whole step is divided by, known before the forward pass.
#include <span>

#include "core/comm/communicator.h"
#include "core/train/loss.h"

namespace trainyard::train {

// From the targets of this rank's micro-batches, so no device is waited for; where ranks share a step and the weight is not simply its samples,
// summed over `comm`'s ranks by a tensor on `device`. comm: nullptr for one rank alone, else every rank calls it. loss.class_weights: on the CPU.
// Error Device.
Result<LossWeight> stepWeight(data::Task task, const LossOptions& loss, std::span<const loader::Batch> micros, comm::Communicator* comm, at::Device device);

}  // namespace trainyard::train
