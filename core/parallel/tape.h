#pragma once
// Runs blocks with chosen borders, so that activation checkpointing, pipeline stages and gathered parameters are one mechanism.
#include <functional>
#include <span>

#include "core/models/model.h"

namespace trainyard::parallel {

using models::Block;
using models::RunContext;
using models::Values;

// What backward needs of a block: its graph, or only its inputs (it is then run a second time; buffers stay untouched).
enum class Keep { Graph, InputOnly };

// Called around each block; where any is set, every block gets borders of its own.
struct BlockHooks {
  std::function<void(const Block&)> before_forward, after_forward, before_backward, after_backward;
  bool any() const { return before_forward || after_forward || before_backward || after_backward; }
};

// One forward and one backward, by one thread. The last block always keeps its graph: nothing is freed by running it twice.
class Tape {
 public:
  // The outputs are attached to the graph of the last segment, so a loss can be computed from them.
  Values forward(std::span<const Block> blocks, Values inputs, Keep keep, RunContext& context, const BlockHooks& hooks = {});

  // From the gradients of the outputs; gives the gradients of the inputs (undefined where an input needed none).
  Values backward(Values grad_outputs);

  // From a scalar that was computed from the outputs.
  Values backwardFrom(const at::Tensor& loss);

 private:
  struct Segment {
    std::span<const Block> blocks;
    Values inputs, outputs;  // inputs: detached from what came before
    bool recompute = false;
  };
  struct Autocast {
    bool enabled = false;
    at::ScalarType type = at::kFloat;
  };

  Values run(Segment& segment, RunContext& context);
  void recompute(Segment& segment);
  Values finish(bool last_done, Values grads);

  std::vector<Segment> segments_;
  BlockHooks hooks_;
  RunContext context_;
  c10::DeviceType device_ = c10::kCPU;
  Autocast autocast_;
};

}  // namespace trainyard::parallel
