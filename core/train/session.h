#pragma once
// Everything that holds memory on the device: built when training starts, and again after a release.
#include <memory>

#include "core/train/checkpoint.h"
#include "core/train/device.h"
#include "core/train/input.h"
#include "core/train/train_step.h"

namespace trainyard::train {

struct Session {
  std::unique_ptr<models::Model> model;
  std::unique_ptr<TrainStep> step;
  std::unique_ptr<loader::Loader> loader;
  std::vector<std::string> replaced_head;  // parameters that [model] weights had for another number of classes: drawn afresh
};

// Model with initial weights (from [model] weights, else drawn from the seed), or as the checkpoint has it; loader from the state's cursor.
Result<Session> makeSession(const recipe::Recipe& recipe, const Input& input, const DeviceName& device, const TrainerState& state, const Loaded* checkpoint,
                            std::function<void(const Error&)> on_broken);

// Whether the recipe's model can be made, [model] weights can be loaded into it, and every pattern of [model] freeze and [[parameters]] names some of its
// parameters. Error Recipe or Data naming key, file and tensor.
Result<void> checkModel(const recipe::Recipe& recipe, const Input& input);

// Model alone, with a checkpoint's weights: for evaluation and prediction.
Result<std::unique_ptr<models::Model>> modelFrom(const recipe::Recipe& recipe, models::InputShape shape, int64_t classes, const DeviceName& device, const Loaded& checkpoint);

// Copies what a checkpoint holds; the trainer waits for this only, and while two snapshots wait for the disk already.
Snapshot takeSnapshot(const Session& session, const TrainerState& state, SnapshotMemory& memory);

// Fetches the memory for it beforehand.
void prepareSnapshots(const Session& session, SnapshotMemory& memory);

}  // namespace trainyard::train
