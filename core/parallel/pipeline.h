#pragma once
// One stage's part in a batch that passes through the stages of a pipeline in parts.
#include <functional>
#include <optional>

#include "core/parallel/pipeline_border.h"
#include "core/parallel/pipeline_order.h"
#include "core/parallel/tape.h"

namespace trainyard::parallel {

// A part of a batch. Every stage knows key and micro; the first stage alone has inputs and targets.
struct PipelinePart {
  uint32_t micro = 0;         // RunContext::micro
  BorderKey key, target_key;  // the inputs' sizes; what else tells targets apart
  at::Tensor inputs;
  Values targets;  // may hold undefined tensors
};

// Of the last stage's outputs: what backward starts from, a scalar.
using PartLoss = std::function<at::Tensor(const Values& outputs, const Values& targets, size_t part)>;

struct StageOptions {
  at::Device device = at::kCPU;
  Keep keep = Keep::Graph;
  std::optional<at::ScalarType> autocast;
};

// Every stage makes the same calls with parts of the same keys. `blocks` are the stage's and outlive it; the rank in `forward` is the stage's number.
// The two directions have communicators of their own: on a GPU each of them is a queue, and a stage that waits to send must not keep what it receives
// waiting. One thread.
class PipelineStage {
 public:
  PipelineStage(std::span<const Block> blocks, comm::Communicator& forward, comm::Communicator& backward, StageOptions options);

  bool first() const { return stage_ == 0; }
  bool last() const { return stage_ + 1 == stages_; }
  size_t stage() const { return stage_; }
  size_t stages() const { return stages_; }

  // All parts forward and backward; adds to the gradients of the stage's parameters. `loss` is asked on the last stage. Error Device.
  Result<void> train(std::span<PipelinePart> parts, PipelineOrder order, RunContext& context, const PartLoss& loss);

  // All parts forward, without gradients. On the first stage: the network's first output of each part; else nothing. Error Device.
  Result<Values> answer(std::span<PipelinePart> parts, RunContext& context);

  double waited_s() const { return waited_s_; }  // for other stages, since it was made

 private:
  struct Live {  // a part between forward and backward
    Tape tape;
    at::Tensor loss;
    bool takes_gradients = false, gives_gradients = false;
  };

  Result<Values> inputsOf(PipelinePart& part);
  Result<void> forward(PipelinePart& part, size_t index, Live& live, RunContext& context, const PartLoss& loss);
  Result<void> backward(const PipelinePart& part, Live& live);
  Result<Values> receive(Border& border, const BorderKey& key);
  Result<void> flush();

  std::span<const Block> blocks_;
  StageOptions options_;
  size_t stage_, stages_;
  Border activations_in_, activations_out_, gradients_in_, gradients_out_, targets_, answers_;
  double waited_s_ = 0;
};

}  // namespace trainyard::parallel
