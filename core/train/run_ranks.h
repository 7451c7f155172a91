#pragma once
// A run's threads: one for each device. Rank 0's runs the trainer, the others follow it.
#include <functional>

#include "core/train/prepared.h"
#include "core/train/trainer.h"

namespace trainyard::train {

// Joins that many CPU ranks.
using LinkCpus = std::function<std::vector<std::unique_ptr<comm::Communicator>>(int ranks, const comm::CommOptions& options)>;

// Waits for the end of all threads. `resumed`: what a resume changes; null for a new run. The first error of any rank is the run's, and names the rank.
Result<RunReport> runOnRanks(Prepared prepared, const RunEnds& ends, const Changes* resumed, const LinkCpus& link_cpus = comm::localCommunicators);

}  // namespace trainyard::train
