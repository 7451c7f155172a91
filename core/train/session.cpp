#include "core/train/session.h"

#include <ATen/ATen.h>

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

// The step and the loader, around a model on its device.
Result<Session> sessionAround(std::unique_ptr<models::Model> model, const recipe::Recipe& recipe, const Input& input, const DeviceName& device, const TrainerState& state,
                              std::function<void(const Error&)> on_broken) {
  Session session;
  session.model = std::move(model);
  TRAINYARD_TRY(StepOptions step_options, stepOptions(recipe, input));
  TRAINYARD_TRY(session.step, makeSingleStep(*session.model, recipe.optimizer, std::move(step_options)));
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

}  // namespace

Result<FreshModel> freshModel(const recipe::Recipe& recipe, const Input& input) {
  FreshModel fresh;
  TRAINYARD_TRY(fresh.model, models::make(recipe.model.arch, input.shape, input.outputs, recipe.run.seed));
  if (recipe.model.weights.empty()) return fresh;
  TRAINYARD_TRY(models::Started started, models::loadStartingWeights(*fresh.model, recipe.model.weights));
  fresh.replaced_head = std::move(started.replaced_head);
  return fresh;
}

Result<std::unique_ptr<models::Model>> modelFrom(const recipe::Recipe& recipe, models::InputShape shape, int64_t classes, const DeviceName& device, const Loaded& checkpoint) {
  TRAINYARD_TRY(auto model, models::make(recipe.model.arch, shape, classes, recipe.run.seed));
  TRAINYARD_CHECK(models::loadInto(model->state(), checkpoint.model, displayPath(checkpoint.folder / "model.safetensors")));
  models::moveTo(*model, atDevice(device));
  return model;
}

Result<Session> startSession(FreshModel fresh, const recipe::Recipe& recipe, const Input& input, const DeviceName& device, std::function<void(const Error&)> on_broken) {
  models::moveTo(*fresh.model, atDevice(device));
  TRAINYARD_TRY(Session session, sessionAround(std::move(fresh.model), recipe, input, device, {}, std::move(on_broken)));
  session.replaced_head = std::move(fresh.replaced_head);
  return session;
}

Result<Session> resumeSession(const Loaded& checkpoint, const recipe::Recipe& recipe, const Input& input, const DeviceName& device, std::function<void(const Error&)> on_broken) {
  TRAINYARD_TRY(auto model, modelFrom(recipe, input.shape, input.outputs, device, checkpoint));
  TRAINYARD_TRY(Session session, sessionAround(std::move(model), recipe, input, device, checkpoint.trainer, std::move(on_broken)));
  TRAINYARD_CHECK(session.step->restore({checkpoint.optimizer, checkpoint.optimizer_scalars, displayPath(checkpoint.folder / "optimizer.safetensors")}));
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
