#pragma once
// A step's batches, cut into the parts that pass through a pipeline.
#include "core/comm/communicator.h"
#include "core/parallel/pipeline.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct PipelineParts {
  std::vector<parallel::PipelinePart> parts;
  std::vector<double> mix;  // of each part
  LossWeight weight;        // of the step
  uint64_t samples = 0;     // of the step
  bool whole = true;        // both are the whole step's; else of these batches alone
};

// Cut so that there are at least `count` parts, or each is one sample; none of them is empty. There is at least one batch. On `device`.
PipelineParts cutBatches(std::span<loader::Batch> micros, uint64_t count, data::Task task, const LossOptions& host_loss, at::Device device);

// The same for evaluation: inputs alone.
PipelineParts cutInputs(const at::Tensor& inputs, uint64_t count);

// Tells every stage what the first one has: all but the tensors. Every stage calls it. Error Device.
Result<void> announce(PipelineParts& parts, comm::Communicator& stages, at::Device device);

}  // namespace trainyard::train
