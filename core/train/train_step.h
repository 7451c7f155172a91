#pragma once
// One optimizer step: forward, loss, backward, unscale, clip, update, average. The strategies (one device; later data parallel, pipeline, sharded)
// are its implementations.
#include <memory>
#include <optional>
#include <span>

#include "core/comm/communicator.h"
#include "core/loader/batch.h"
#include "core/models/checkpointable.h"
#include "core/optim/grad_scaler.h"
#include "core/parallel/tape.h"
#include "core/schedule/schedule.h"
#include "core/train/loss.h"
#include "core/train/rank_times.h"

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
  bool sync_batch_norm = false;                 // of several replicas: batch norm goes by the samples of all
  bool compress_bf16 = false;                   // of several replicas: gradients travel as bf16
};

// One rank's part of a tensor that checkpoints hold whole: values offset … offset + numel of it in row-major order.
struct StatePart {
  std::string name;
  at::Tensor tensor;                // live, not a copy
  std::vector<int64_t> full_sizes;  // of the whole; equal to the tensor's sizes where it is whole
  int64_t offset = 0;
};

// What one rank adds to a checkpoint. Every tensor of the whole is covered, by one rank or by several.
struct StateParts {
  std::vector<StatePart> model, optimizer;
  Json scalars = Json::object();
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

  // The averaged weights in place of the own ones, for answer(), and back. Where an average is kept; every rank calls it.
  virtual void useAverage(bool on) = 0;

  // For several ranks.
  // How this rank spent the last run().
  virtual RankTimes times() const = 0;
  // Evaluation: the outputs of `inputs` with the weights as they are; every rank of a replica calls it as often. On the replica's first rank: the
  // outputs; `inputs` counts there alone.
  virtual Result<at::Tensor> answer(const at::Tensor& inputs, models::RunContext& context) = 0;
  // What this rank holds that no rank before it holds.
  virtual Result<StateParts> parts() const = 0;
  // The rank's weights and state out of whole tensors, as parts() of all ranks gave them.
  virtual Result<void> restoreParts(const models::StateReader& model, const models::StateReader& optimizer) = 0;
};

// Everything on the device that the model's parameters are on. Frozen parameters no longer ask for gradients. Error Recipe.
Result<std::unique_ptr<TrainStep>> makeSingleStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options);

// Everything a rank holds, for those that hold the whole.
StateParts wholeParts(const models::Model& model, const models::Checkpointable& state);

// Data parallel: one of comm's replicas, each with the same weights at the start and its share of every step. All make the same calls. `comm`
// outlives it; nullptr: alone. The report's loss, norm, weight and samples are the whole step's on every rank. Batch-norm statistics are each
// replica's own, and rank 0's go into checkpoints.
Result<std::unique_ptr<TrainStep>> makeReplicaStep(const models::Model& model, const recipe::Choice& optimizer, StepOptions options, comm::Communicator* comm);

}  // namespace trainyard::train
