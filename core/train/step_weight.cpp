#include "core/train/step_weight.h"

#include <ATen/ATen.h>

namespace trainyard::train {

Result<LossWeight> stepWeight(data::Task task, const LossOptions& loss, std::span<const loader::Batch> micros, comm::Communicator* comm, at::Device device) {
  if (!loss.class_weights.defined() && task != data::Task::Tokens) return LossWeight{micros.front().step_weight, micros.front().step_weight};
  LossWeight sum;
  for (const auto& batch : micros) {
    if (batch.weight == 0) continue;  // a rank for which no samples are left
    const LossWeight weight = weightOf(task, loss, toTensors(batch, at::kCPU));
    sum.own += weight.own;
    sum.partners += weight.partners;
  }
  if (comm == nullptr || comm->size() == 1) return sum;
  at::Tensor both = at::tensor({sum.own, sum.partners}, at::TensorOptions(at::kDouble)).to(device);
  TRAINYARD_CHECK(comm->allReduce(both, comm::ReduceOp::Sum)->wait());
  both = both.cpu();
  return LossWeight{both[0].item<double>(), both[1].item<double>()};
}

}  // namespace trainyard::train
