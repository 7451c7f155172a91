#pragma once
// The step of a network that is cut into stages, one on each rank.
#include "core/comm/communicator.h"
#include "core/parallel/pipeline_order.h"
#include "core/parallel/stage_cut.h"
#include "core/train/train_step.h"

namespace trainyard::train {

// Neither is owned; both outlive the step.
struct PipelineLinks {
  comm::Communicator* stages = nullptr;  // of one network; the rank is the stage
  comm::Communicator* data = nullptr;    // the ranks with the same stage of the other networks that share the batch; nullptr: there is one network
};

struct PipelineOptions {
  parallel::StageCut cut;
  parallel::PipelineOrder order = parallel::PipelineOrder::OneForwardOneBackward;
  uint64_t micro_batches = 1;  // parts a batch is cut into
};

// run(): the first stage is given the network's share of the step, the others an empty span; all get equal hyper, context and measure_norm. Batches are
// cut further, by samples, into parts that differ by one sample at most, until there are micro_batches of them or each is one sample. Loss, norm and
// skipping are the whole step's on every rank, and so are weight and samples. Each stage has its own parameters' gradients, optimizer state and
// average; a parameter that several stages share is equal to the bit in all of them.
// answer(): the inputs pass through the stages in as many parts.
// parts(): of the stage's tensors, those that it owns; nothing on further networks of the batch.
// Every rank of `stages` calls it at the same time. All ranks hold the whole model with equal weights, on their device (where it is
// too large for that, after moveStage); afterwards the tensors of other stages hold no memory and must not be written to (their sizes stay). Error Recipe;
// Device where the ranks cannot be connected.
Result<std::unique_ptr<TrainStep>> makePipelineStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options, PipelineLinks links,
                                                       PipelineOptions pipeline);

}  // namespace trainyard::train
