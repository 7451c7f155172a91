#pragma once

namespace trainyard::train {

// How one rank spent a step, in seconds of its thread; together the step's wall time. On a GPU what runs in the background is counted where the
// thread waits for it.
struct RankTimes {
  double compute_s = 0;  // what is not the others
  double comm_s = 0;     // in collectives
  double wait_s = 0;     // for another stage's activations or gradients
};

}  // namespace trainyard::train
