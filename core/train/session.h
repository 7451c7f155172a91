#pragma once
// Everything that holds memory on the device: built when training starts, and again after a release.
#include <memory>

#include "core/train/checkpoint.h"
#include "core/train/device.h"
#include "core/train/input.h"
#include "core/train/rank.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct Session {
  std::unique_ptr<models::Model> model;
  std::unique_ptr<TrainStep> step;
  std::unique_ptr<loader::Loader> loader;  // null where another stage reads the data
  std::vector<std::string> replaced_head;  // parameters that [model] weights had for another number of classes: drawn afresh
};

// A model on the CPU that nothing has trained yet.
struct FreshModel {
  std::unique_ptr<models::Model> model;
  std::vector<std::string> replaced_head;
};

// The recipe's model with the weights of [model] weights, else drawn from the seed. Error Recipe or Data naming key, file and tensor.
Result<FreshModel> freshModel(const recipe::Recipe& recipe, const Input& input);

// What can be said before a run is made or goes on: whether the network can be cut into the grid's stages, and its random numbers told apart by rank.
// `threads`: the ranks are threads of this process. Error Recipe.
Result<void> checkRanks(const models::Model& model, const recipe::Recipe& recipe, const Input& input, const RankGrid& grid, bool threads);

// From the start of the data; or all as the checkpoint has it, data from its cursor. Of several ranks each calls it at the same time; and all are
// given the same weights.
Result<Session> startSession(FreshModel fresh, const recipe::Recipe& recipe, const Input& input, const Rank& rank, std::function<void(const Error&)> on_broken);
Result<Session> resumeSession(const Loaded& checkpoint, const recipe::Recipe& recipe, const Input& input, const Rank& rank, std::function<void(const Error&)> on_broken);

// The micro-batches of the next step, over the end of an epoch.
Result<std::vector<loader::Batch>> nextStep(loader::Loader& loader);

// Model alone, with a checkpoint's weights: for evaluation and prediction.
Result<std::unique_ptr<models::Model>> modelFrom(const recipe::Recipe& recipe, models::InputShape shape, int64_t classes, const DeviceName& device, const Loaded& checkpoint);

// Copies what a checkpoint holds; the trainer waits for this only, and while two snapshots wait for the disk already. Where parts of it are with
// other ranks (spread, see partsAreSpread), these give them at the same time. Error Device.
Result<Snapshot> takeSnapshot(const Session& session, const TrainerState& state, SnapshotMemory& memory, const Rank& rank, bool spread);
bool partsAreSpread(const recipe::Recipe& recipe, const Rank& rank);

// Fetches the memory for it beforehand, where nothing comes from other ranks.
void prepareSnapshots(const Session& session, SnapshotMemory& memory);

}  // namespace trainyard::train
