#pragma once
// What comes before a run: meeting the other processes, and finding everything that the recipe names sound. The thread that trains.
#include <functional>

#include "core/train/engine.h"
#include "core/train/prepared.h"
#include "core/train/team_remote.h"

namespace trainyard::train {

// `others`: null where this process is alone.
using AmongBody = std::function<Result<RunReport>(const Observer&, RemoteTeam* others)>;

// Runs `body` as one of the run's processes where there are several, by the observer's nodes or the environment (torchrun, Slurm). Waits for all of
// them; an error of any is everybody's. Error Recipe, Device.
Result<RunReport> among(const recipe::Recipe& recipe, const Observer& observer, const AmongBody& body);

// `record`: data.json of the run that goes on; null for a new one.
// `others`: of a run of several processes, one rank each; comes back when all ranks are ready, and agree on what they run.
Result<Prepared> prepare(recipe::Recipe recipe, const Json& record, RemoteTeam* others);

}  // namespace trainyard::train
