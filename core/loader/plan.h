#pragma once
// Inside the loader room: which samples belong to which micro-batch. Pure functions of the options and of a position.
#include "core/loader/loader.h"

namespace trainyard::loader {

// One rank's micro-batch, as positions in the order of its epoch.
struct Job {
  uint64_t epoch = 0, step = 0;
  uint32_t micro = 0;
  uint64_t first = 0, count = 0;  // positions of this micro-batch
  uint64_t step_first = 0;        // positions of the whole step, over all ranks
  uint64_t step_end = 0;
  bool last_of_step = false;
  bool wholeStep() const { return first == step_first && first + count == step_end; }
  uint64_t partner() const { return first == step_first ? step_end - 1 : first - 1; }  // position of the sample that the first one is mixed with
  bool end_of_epoch = false;                                                           // no samples: the epoch is over
};

// Goes through epochs without end. An epoch is its steps' jobs, then one job that says it is over.
class Planner {
 public:
  Planner(uint64_t samples, const Options& options);
  Job next();

  // Samples in the largest micro-batch.
  uint64_t largest() const { return largest_; }

 private:
  uint64_t samples_, batch_size_, accumulate_, rank_, ranks_, largest_;
  Cursor at_;  // start of the current step
  uint32_t micro_ = 0;
};

}  // namespace trainyard::loader
