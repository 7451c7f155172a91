#pragma once
// How many threads load data.

namespace trainyard::loader {

// `asked`: data.workers; 0 means "auto": one for data in memory, else the cores that `training_threads` leave over; at least 1, at most 16.
// training_threads: what computes during training: a CPU's intra-op threads, or one for each GPU.
int workersFor(int asked, bool in_memory, int cores, int training_threads);

}  // namespace trainyard::loader
