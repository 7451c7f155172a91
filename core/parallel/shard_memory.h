#pragma once
// What the strategy "sharded" keeps on each device, beforehand and measured. No LibTorch.
#include <cstdint>

namespace trainyard::parallel {

// Bytes on one device, without activations and buffers.
struct ShardMemory {
  uint64_t weights = 0, gradients = 0, optimizer = 0;
  uint64_t average = 0;   // of the weights, where one is kept
  uint64_t gathered = 0;  // most at once beyond those: parameters and gradients that are whole for a moment, or on their way
  uint64_t kept() const { return weights + gradients + optimizer + average; }
};

// Of `parameters` values in fp32 on each of `ranks` devices; stage 0: everything whole, as data parallel keeps it. state_bytes: the optimizer's for
// each value, as in its descriptor. largest_unit: values in the largest block (stage 3 holds the weights of two, and gradients of two, at once);
// stage 1: in a bucket. While a step runs, gradients count as whole in stage 1 and 0.
ShardMemory shardMemory(int stage, uint64_t parameters, uint64_t ranks, double state_bytes, bool averaged, uint64_t largest_unit);

}  // namespace trainyard::parallel
