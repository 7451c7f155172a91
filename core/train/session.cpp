#include "core/train/session.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <thread>

#include "core/base/pattern.h"
#include "core/base/units.h"
#include "core/models/starting_weights.h"

namespace trainyard::train {

namespace {

at::Device atDevice(const DeviceName& device) { return device.cuda ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.index)) : at::Device(at::kCPU); }

// Pinned: the copy to the GPU goes on beside the CPU.
std::shared_ptr<std::byte> pinnedMemory(size_t bytes) {
  const at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true));
  return {static_cast<std::byte*>(memory.data_ptr()), [memory](std::byte*) {}};
}

struct Fresh {
  std::unique_ptr<models::Model> model;
  models::Started started;
};

// On the CPU: initial weights drawn from the seed, or those of [model] weights.
Result<Fresh> freshModel(const recipe::Recipe& recipe, const Input& input) {
  Fresh fresh;
  TRAINYARD_TRY(fresh.model, models::make(recipe.model.arch, input.shape, input.outputs, recipe.run.seed));
  if (!recipe.model.weights.empty()) {
    TRAINYARD_TRY(fresh.started, models::loadStartingWeights(*fresh.model, recipe.model.weights));
  }
  return fresh;
}

Result<void> checkPattern(const std::string& pattern, const std::vector<std::string>& names, const std::string& key) {
  if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return matchesPattern(pattern, name); })) return {};
  std::string near = nearestWord(pattern, names);
  if (near.empty()) near = names.back();
  return fail(ErrorCode::Recipe, "\"" + pattern + "\" matches none of the network's " + std::to_string(names.size()) + " parameters", key, "one of them is \"" + near + "\"; * stands for any characters");
}

Result<void> checkPatterns(const recipe::Recipe& recipe, const models::Model& model) {
  std::vector<std::string> names;
  for (const auto& parameter : model.parameters()) names.push_back(parameter.name);
  const auto& freeze = recipe.model.freeze;
  for (size_t i = 0; i < freeze.size(); ++i) TRAINYARD_CHECK(checkPattern(freeze[i], names, "model.freeze[" + std::to_string(i) + "]"));
  for (size_t i = 0; i < recipe.parameters.size(); ++i) TRAINYARD_CHECK(checkPattern(recipe.parameters[i].match, names, "parameters[" + std::to_string(i) + "].match"));
  return {};
}

}  // namespace

Result<void> checkModel(const recipe::Recipe& recipe, const Input& input) {
  TRAINYARD_TRY(const Fresh fresh, freshModel(recipe, input));
  return checkPatterns(recipe, *fresh.model);
}

Result<std::unique_ptr<models::Model>> modelFrom(const recipe::Recipe& recipe, models::InputShape shape, int64_t classes, const DeviceName& device, const Loaded& checkpoint) {
  TRAINYARD_TRY(auto model, models::make(recipe.model.arch, shape, classes, recipe.run.seed));
  TRAINYARD_CHECK(models::loadInto(model->state(), checkpoint.model, displayPath(checkpoint.folder / "model.safetensors")));
  models::moveTo(*model, atDevice(device));
  return model;
}

Result<Session> makeSession(const recipe::Recipe& recipe, const Input& input, const DeviceName& device, const TrainerState& state, const Loaded* checkpoint,
                            std::function<void(const Error&)> on_broken) {
  Session session;
  if (checkpoint != nullptr) {
    TRAINYARD_TRY(session.model, modelFrom(recipe, input.shape, input.outputs, device, *checkpoint));
  } else {
    TRAINYARD_TRY(Fresh fresh, freshModel(recipe, input));
    session.model = std::move(fresh.model);
    session.replaced_head = std::move(fresh.started.replaced_head);
    models::moveTo(*session.model, atDevice(device));
  }
  TRAINYARD_TRY(StepOptions step_options, stepOptions(recipe, input));
  TRAINYARD_TRY(session.step, makeSingleStep(*session.model, recipe.optimizer, std::move(step_options)));
  if (checkpoint != nullptr) {
    TRAINYARD_CHECK(session.step->restore({checkpoint->optimizer, checkpoint->optimizer_scalars, displayPath(checkpoint->folder / "optimizer.safetensors")}));
  }
  loader::Options options;
  options.seed = recipe.run.seed;
  options.batch_size = recipe.train.batch_size;
  options.accumulate = recipe.train.accumulate;
  options.workers = input.workers;
  options.start = state.cursor;
  options.balanced = recipe.train.balanced_sampling;
  options.mixer = input.mixer;
  if (device.cuda) options.allocate = pinnedMemory;
  session.loader = loader::make(input.dataset, input.parts.train, input.training, options, std::move(on_broken));
  return session;
}

Snapshot takeSnapshot(const Session& session, const TrainerState& state, SnapshotMemory& memory) {
  const double begin = steadySeconds();
  Snapshot snapshot;
  snapshot.step = state.step;
  std::vector<models::NamedTensor> all = session.model->state();
  const size_t model_tensors = all.size();
  snapshot.optimizer_scalars = Json::object();
  session.step->collect(all, snapshot.optimizer_scalars);
  const auto block = memory.take(all);
  const std::span<const models::NamedTensor> tensors(all);
  snapshot.model = SnapshotMemory::copy(tensors.first(model_tensors), block);
  snapshot.optimizer = SnapshotMemory::copy(tensors.subspan(model_tensors), block);
  snapshot.trainer = state.toJson();
  snapshot.stall_ms = (steadySeconds() - begin) * 1000;
  return snapshot;
}

void prepareSnapshots(const Session& session, SnapshotMemory& memory) {
  std::vector<models::NamedTensor> all = session.model->state();
  Json scalars = Json::object();
  session.step->collect(all, scalars);
  memory.prepare(all);
}

}  // namespace trainyard::train
