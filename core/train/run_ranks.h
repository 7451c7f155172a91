#pragma once
// A run's threads: one for each device. Rank 0's runs the trainer, the others follow it.
#include <functional>

#include "core/train/prepared.h"
#include "core/train/team_remote.h"
#include "core/train/trainer.h"

namespace trainyard::train {

// Joins that many CPU ranks.
using LinkCpus = std::function<std::vector<std::unique_ptr<comm::Communicator>>(int ranks, const comm::CommOptions& options)>;

// Waits for the end of all threads. `resumed`: what a resume changes; null for a new run. The first error of any rank is the run's, and names the rank.
// `others`: of a run of several processes, whose rank 0 this is.
Result<RunReport> runOnRanks(Prepared prepared, const RunEnds& ends, const Changes* resumed, RemoteTeam* others = nullptr,
                             const LinkCpus& link_cpus = comm::localCommunicators);

// Another rank than 0 of a run of several processes; until the run ends. The report holds its state alone.
Result<RunReport> followOthers(Prepared prepared, RemoteTeam& others);

}  // namespace trainyard::train
