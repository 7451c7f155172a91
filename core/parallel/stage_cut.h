#pragma once
// Where a network is cut into the stages of a pipeline.
#include "core/models/model.h"

namespace trainyard::parallel {

// What the cut goes by, of one block.
struct BlockCost {
  std::string name;
  uint64_t cost = 1;              // multiply-adds of one sample; values of its parameters in a network that has none; at least 1
  std::vector<std::string> uses;  // parameters by name, also those that another block lists
  uint64_t parameters = 0;        // values of those it uses
};

// Runs the network once on nothing. `tokens`: it takes whole numbers (1 × width). The model is on the CPU. Throws what LibTorch throws.
std::vector<BlockCost> blockCosts(const models::Model& model, models::InputShape input, bool tokens);

struct Stage {
  size_t first = 0, last = 0;  // blocks, both included
  double share = 0;            // of the network's cost
  uint64_t parameters = 0;     // values; one that several stages use counts in each
};

// A parameter that several stages use, each a copy of its own. The first owns it: there it is counted, clipped and saved.
struct SharedParameter {
  std::string name;
  std::vector<size_t> stages;  // ascending, at least two
};

struct StageCut {
  std::vector<Stage> stages;
  std::vector<SharedParameter> shared;
};

// The contiguous stages whose largest cost is smallest. Error Recipe where there are more stages than blocks.
Result<StageCut> cutByCost(const std::vector<BlockCost>& costs, size_t stages);

// `names`: the blocks with which the second and later stages begin. Error Recipe: a name that is none, not in order, not one less than stages.
Result<StageCut> cutAt(const std::vector<BlockCost>& costs, const std::vector<std::string>& names, size_t stages);

}  // namespace trainyard::parallel
