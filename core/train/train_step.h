#pragma once
// One optimizer step: forward, loss, backward, clip, update. The strategies (one device; later data parallel, pipeline, sharded) are its
// implementations.
#include <memory>
#include <optional>
#include <span>

#include "core/loader/loader.h"
#include "core/models/checkpointable.h"
#include "core/schedule/schedule.h"

namespace trainyard::train {

// Stays on the device: nothing is read back until the trainer logs.
struct StepReport {
  at::Tensor loss_sum;   // sum over the step's samples divided by `weight`, that is, the step's mean loss; fp32 scalar
  at::Tensor grad_norm;  // before clipping; undefined where nobody asked for it
  at::Tensor found_inf;  // fp16 only
  double weight = 0;     // samples (or tokens) of the step
};

struct StepOptions {
  double clip_norm = 0;        // 0: none
  double label_smoothing = 0;
  data::Task task = data::Task::Classes;   // which loss
  std::optional<at::ScalarType> autocast;  // bf16
};

class TrainStep : public models::Checkpointable {
 public:
  // `micros`: the step's micro-batches in order; their weights sum to step_weight. The loss is the sum over samples divided by step_weight, so
  // gradients add up to the same however the step is cut. measure_norm: report the norm even without clipping.
  virtual Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) = 0;
};

// Everything on the device that the model's parameters are on. Error Recipe.
Result<std::unique_ptr<TrainStep>> makeSingleStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options);

// The options a recipe asks for.
StepOptions stepOptions(const recipe::Recipe& recipe, data::Task task);

}  // namespace trainyard::train
