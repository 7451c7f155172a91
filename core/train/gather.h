#pragma once
// A checkpoint's tensors where several ranks hold parts of them.
#include "core/comm/communicator.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct WholeState {
  std::vector<models::NamedTensor> model, optimizer;  // on the CPU
  Json scalars;
};

// On rank 0: everything, put together of its own parts and of those that the others give at the same time. Takes the memory of the whole state on
// rank 0's machine; time grows with its bytes. `device`: the ranks', on which things travel. Error Device.
Result<WholeState> gatherState(const TrainStep& step, comm::Communicator& all, at::Device device);
Result<void> giveState(const TrainStep& step, comm::Communicator& all, at::Device device);

}  // namespace trainyard::train
