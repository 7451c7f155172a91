#pragma once
// Gradients that several ranks of a pipeline have to agree on. Every rank concerned makes the same calls.
#include <set>

#include "core/comm/communicator.h"
#include "core/optim/optimizer.h"
#include "core/parallel/stage_cut.h"

namespace trainyard::parallel {

// The sum over the ranks of `data`, in pieces of about 25 MiB. A parameter without a gradient here, as on a rank without samples, counts as zero. Error
// Device.
Result<void> sumOverReplicas(std::span<optim::ParamSlot> slots, comm::Communicator& data);

// Of the parameters that stages share: the owner adds up what the stages have, in their order, and gives it to all, so they stay equal to the bit.
// `forward` and `backward` join the stages. Error Device.
Result<void> sumShared(std::span<optim::ParamSlot> slots, std::span<const SharedParameter> shared, comm::Communicator& forward, comm::Communicator& backward);

// The 2-norm over the gradients of all stages, a fp32 scalar on `device`; shared ones count once, at their owner. `copies`: names of those of this
// stage that another one owns. Error Device.
Result<at::Tensor> normOverStages(std::span<const optim::ParamSlot> slots, const std::set<std::string>& copies, comm::Communicator& stages, at::Device device);

}  // namespace trainyard::parallel
