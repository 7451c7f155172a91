#pragma once
// Inside the room: what both stages of the strategy "sharded" have in common.
#include "core/comm/comm_error.h"
#include "core/optim/ema.h"
#include "core/optim/optimizer.h"
#include "core/train/sharded_parts.h"
#include "core/train/sharded_step.h"
#include "core/train/timed_communicator.h"

namespace trainyard::train {

// A collective that failed within becomes an error.
template <class Work>
auto collectively(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const comm::CommError& error) {
    return tl::unexpected(error.error());
  }
}

class ShardedBase : public ShardedStep {
 public:
  Result<StepReport> run(std::span<loader::Batch> micros, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm) override;
  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override;
  Result<void> restore(const models::StateReader& reader) override;
  Result<StateParts> parts() const override;
  RankTimes times() const override { return times_; }
  Result<void> restoreParts(const models::StateReader& model, const models::StateReader& optimizer) override;

 protected:
  // slots: those whose state this rank keeps; param whole or a 1-D slice.
  ShardedBase(const models::Model& model, std::vector<optim::ParamSlot> slots, std::unique_ptr<optim::Optimizer> optimizer, StepOptions options,
              std::unique_ptr<TimedCommunicator> comm);

  // Forward, loss and backward of one micro-batch with samples; its share of the step's loss.
  at::Tensor pass(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, const parallel::BlockHooks& hooks);
  uint64_t optimizerBytes() const;
  static uint64_t bytesOf(std::span<const models::NamedTensor> tensors);

  const models::Model& model_;
  std::unique_ptr<TimedCommunicator> comm_;
  std::vector<optim::ParamSlot> slots_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  StepOptions options_;
  at::Device device_;
  std::optional<optim::GradScaler> scaler_;
  std::optional<optim::Ema> ema_;  // of whole weights or of slices

 private:
  // Forgets the gradients of the step before.
  virtual void begin() = 0;
  // Adds a micro-batch's gradients, also one without samples; its share of the loss. last: of the step.
  virtual at::Tensor accumulate(loader::Batch& batch, const LossWeight& weight, models::RunContext& context, bool last) = 0;
  // Waits until the sums over the ranks are there and gives them to slots_.
  virtual void sumGradients() = 0;
  // After the optimizer: new weights to where they are needed.
  virtual void spread() = 0;
  // This rank's part of the weights, and the buffers: where they lie.
  virtual std::vector<HeldPart> weights() const = 0;

  StepReport attempt(std::span<loader::Batch> micros, const LossWeight& weight, const schedule::Hyper& hyper, models::RunContext& context, bool measure_norm);
  void update(const schedule::Hyper& hyper, bool measure_norm, StepReport& report);
  at::Tensor norm();
  std::vector<HeldPart> state(Json& scalars) const;

  RankTimes times_;
  LossOptions host_loss_;  // with the weights of the classes on the CPU
};

}  // namespace trainyard::train
