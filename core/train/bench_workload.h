#pragma once
// Inside the room: what the benchmarks train, as the peer program makes it.
#include "core/train/train_step.h"

namespace trainyard::train {

struct Workload {
  models::InputShape shape;
  recipe::Choice arch;
  int64_t classes = 10;
  data::Task task = data::Task::Classes;
};

// Error Usage.
Result<Workload> workload(const std::string& name);
recipe::Choice optimizerFor(const std::string& name);  // "sgd" or "adamw" with the peer's numbers

struct Drawn {
  at::Tensor inputs, targets;
};

// Generator seed 1, inputs, then targets.
Drawn draw(const Workload& work, int64_t samples, bool channels_last);

// Of tensors that outlive it; the step's weight is its samples'.
loader::Batch batchOf(const at::Tensor& inputs, const at::Tensor& targets);

}  // namespace trainyard::train
