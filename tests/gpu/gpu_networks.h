#pragma once
// What the check trains: networks, batches drawn in memory, one rank's training.
#include "core/comm/communicator.h"
#include "core/train/train_step.h"

namespace trainyard::gpu_check {

struct Job {
  std::string network = "mlp";      // mlp, resnet18 (group norm), vit_tiny, gpt
  std::string strategy = "single";  // single, data, pipeline, sharded1, sharded3
  std::string optimizer = "sgd";
  std::string precision = "fp32";  // fp32, bf16, fp16
  int ranks = 1, steps = 12;
  int fails = -1;  // this rank throws in the middle
  double rate = 0.01;
};

struct Learned {
  std::vector<double> losses, scales;  // of each step; the loss scale with fp16
  std::vector<models::NamedTensor> weights;  // rank 0's, whole or its part, on the CPU
  double steps_per_s = 0;
  uint64_t kept_bytes = 0;  // of weights, gradients and the optimizer's state between two steps, where the strategy is sharded
};

// On the calling thread; `all` is null for one rank. Error: what the step gives; throws what LibTorch throws.
Result<Learned> trainRank(const Job& job, int rank, at::Device device, comm::Communicator* all);

}  // namespace trainyard::gpu_check
