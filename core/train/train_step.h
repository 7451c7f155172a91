#pragma once
// One optimizer step: forward, loss, backward, unscale, clip, update, average. The strategies (one device; later data parallel, pipeline, sharded)
// are its implementations.
#include <memory>
#include <optional>
#include <span>

#include "core/loader/loader.h"
#include "core/models/checkpointable.h"
#include "core/optim/grad_scaler.h"
#include "core/parallel/tape.h"
#include "core/schedule/schedule.h"
#include "core/train/loss.h"

namespace trainyard::train {

// Tensors stay on the device: but for `skipped`, nothing is read back until the trainer logs.
struct StepReport {
  at::Tensor loss_sum;   // sum over the step's samples divided by `weight`, that is, the step's mean loss; fp32 scalar, without the scaler's factor
  at::Tensor grad_norm;  // after clipping by value, before clipping by norm; undefined where nobody asked for it
  double weight = 0;     // what the loss was divided by: samples, tokens that count, or the sum of the weights of the samples' classes
  uint64_t samples = 0;
  bool skipped = false;   // fp16: a gradient was not finite, so weights, optimizer and average are as before, and the step does not count
  double loss_scale = 1;  // fp16: what this step's loss was multiplied by
};

struct StepOptions {
  data::Task task = data::Task::Classes;
  LossOptions loss;
  double clip_value = 0, clip_norm = 0;         // 0: none; by value first
  std::optional<at::ScalarType> autocast;       // bf16, fp16
  std::optional<optim::ScalerOptions> scaler;   // fp16
  parallel::Keep keep = parallel::Keep::Graph;  // InputOnly: activation checkpointing
  double ema_decay = 0;                         // 0: no average
  std::vector<recipe::ParameterRule> rules;     // [[parameters]]
  std::vector<std::string> freeze;              // name patterns
};

// Checkpoints hold the optimizer's state, "scaler.…" and "ema.…".
class TrainStep : public models::Checkpointable {
 public:
  // `micros`: the step's micro-batches in order; their weights sum to step_weight. The loss is the sum over samples divided by the step's weight, so
  // gradients add up to the same however the step is cut. measure_norm: report the norm even without clipping. hyper.lr is the base rate, before
  // the groups' factors.
  virtual Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) = 0;

  // The average of the weights, by the parameters' names: live tensors to evaluate with. Empty where none is kept.
  virtual std::vector<models::NamedTensor> averaged() const = 0;
};

// Everything on the device that the model's parameters are on. Frozen parameters no longer ask for gradients. Error Recipe.
Result<std::unique_ptr<TrainStep>> makeSingleStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options);

// Whether a step can be made as the recipe asks for: loss, weights of classes, balanced drawing, patterns of parameters. Error Recipe.
Result<void> checkStep(const recipe::Recipe& recipe, const Input& input, const models::Model& model);

// The options a recipe asks for. Without the data there are no weights of classes: for evaluation. Error Recipe.
StepOptions stepOptions(const recipe::Recipe& recipe, data::Task task);
Result<StepOptions> stepOptions(const recipe::Recipe& recipe, const Input& input);

}  // namespace trainyard::train
