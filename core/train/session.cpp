#include "core/train/session.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <thread>

#include "core/base/units.h"

namespace trainyard::train {

namespace {

at::Device atDevice(const DeviceName& device) { return device.cuda ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.index)) : at::Device(at::kCPU); }

Result<void> loadWeights(const models::Model& model, const fs::path& file) {
  TRAINYARD_TRY(const auto weights, models::SafetensorsFile::open(file));
  return models::loadInto(model.state(), weights, displayPath(file));
}

// Pinned: the copy to the GPU goes on beside the CPU.
std::shared_ptr<std::byte> pinnedMemory(size_t bytes) {
  const at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true));
  return {static_cast<std::byte*>(memory.data_ptr()), [memory](std::byte*) {}};
}

// On the CPU: initial weights drawn from the seed, or those of [model] weights.
Result<std::unique_ptr<models::Model>> freshModel(const recipe::Recipe& recipe, const Input& input) {
  TRAINYARD_TRY(auto model, models::make(recipe.model.arch, input.shape, input.outputs, recipe.run.seed));
  if (!recipe.model.weights.empty()) TRAINYARD_CHECK(loadWeights(*model, recipe.model.weights));
  return model;
}

}  // namespace

Result<void> checkWeights(const recipe::Recipe& recipe, const Input& input) {
  if (recipe.model.weights.empty()) return {};
  TRAINYARD_TRY(const auto model, freshModel(recipe, input));
  return {};
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
    TRAINYARD_TRY(session.model, freshModel(recipe, input));
    models::moveTo(*session.model, atDevice(device));
  }
  TRAINYARD_TRY(session.step, makeSingleStep(*session.model, recipe.optimizer, stepOptions(recipe, input.task)));
  if (checkpoint != nullptr) {
    TRAINYARD_CHECK(session.step->restore({checkpoint->optimizer, checkpoint->optimizer_scalars, displayPath(checkpoint->folder / "optimizer.safetensors")}));
  }
  loader::Options options;
  options.seed = recipe.run.seed;
  options.batch_size = recipe.train.batch_size;
  options.accumulate = recipe.train.accumulate;
  options.workers = input.workers;
  options.start = state.cursor;
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
