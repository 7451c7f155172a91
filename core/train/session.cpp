#include "core/train/session.h"

#include <ATen/ATen.h>

#include "core/base/units.h"
#include "core/models/starting_weights.h"
#include "core/models/torchscript.h"
#include "core/train/gather.h"
#include "core/train/pipeline_plan.h"
#include "core/train/pipeline_tensors.h"
#include "core/train/sharded_step.h"
#include "core/train/step_options.h"

namespace trainyard::train {

namespace {

// Pinned: the copy to the GPU goes on beside the CPU.
std::shared_ptr<std::byte> pinnedMemory(size_t bytes) {
  const at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true));
  return {static_cast<std::byte*>(memory.data_ptr()), [memory](std::byte*) {}};
}

// A model on the rank's device, and where it is cut: found while it was on the CPU.
struct Placed {
  std::unique_ptr<models::Model> model;
  PipelineOptions pipeline;  // where it has stages
};

Result<PipelineOptions> stagesOf(const models::Model& model, const recipe::Recipe& recipe, const Input& input, const RankGrid& grid) {
  const auto costs = parallel::blockCosts(model, input.shape, input.task == data::Task::Tokens);
  return pipelineOptions(recipe.parallel.strategy, costs, static_cast<size_t>(grid.stages));
}

Result<Placed> place(std::unique_ptr<models::Model> model, const recipe::Recipe& recipe, const Input& input, const Rank& rank) {
  Placed placed;
  if (rank.stages) {
    TRAINYARD_TRY(placed.pipeline, stagesOf(*model, recipe, input, rank.grid));
    moveStage(*model, placed.pipeline.cut, static_cast<size_t>(rank.stage()), deviceOf(rank.device));
  } else {
    models::moveTo(*model, deviceOf(rank.device));
  }
  placed.model = std::move(model);
  return placed;
}

Result<std::unique_ptr<TrainStep>> stepFor(const models::Model& model, PipelineOptions pipeline, const recipe::Recipe& recipe, const Input& input, const Rank& rank) {
  TRAINYARD_TRY(StepOptions options, stepOptions(recipe, input));
  if (rank.stages) {
    TRAINYARD_TRY(auto step, makePipelineStep(model, recipe.optimizer, std::move(options), {rank.stages.get(), rank.replicas.get()}, std::move(pipeline)));
    return step;
  }
  if (rank.alone() || recipe.parallel.strategy.id != "sharded") return makeReplicaStep(model, recipe.optimizer, std::move(options), rank.replicas.get());
  if (recipe.parallel.strategy.number("stage", 1) == 3) {
    TRAINYARD_TRY(auto step, makeFullyShardedStep(model, recipe.optimizer, std::move(options), *rank.all));
    return step;
  }
  TRAINYARD_TRY(auto step, makeShardedStatesStep(model, recipe.optimizer, std::move(options), *rank.all));
  return step;
}

// The step and the loader, around a model on its device.
Result<Session> sessionAround(Placed placed, const recipe::Recipe& recipe, const Input& input, const Rank& rank, const TrainerState& state,
                              std::function<void(const Error&)> on_broken) {
  Session session;
  session.model = std::move(placed.model);
  TRAINYARD_TRY(session.step, stepFor(*session.model, std::move(placed.pipeline), recipe, input, rank));
  if (!rank.readsData()) return session;
  loader::Options options;
  options.seed = recipe.run.seed;
  options.batch_size = recipe.train.batch_size;
  options.accumulate = recipe.train.accumulate;
  options.rank = static_cast<uint32_t>(rank.replica());
  options.ranks = static_cast<uint32_t>(rank.grid.replicas);
  options.workers = std::max(1, input.workers / rank.grid.replicas);
  options.start = state.cursor;
  options.balanced = recipe.train.balanced_sampling;
  options.mixer = input.mixer;
  if (rank.device.cuda) options.allocate = pinnedMemory;
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
  models::moveTo(*model, deviceOf(device));
  return model;
}

Result<void> checkRanks(const models::Model& model, const recipe::Recipe& recipe, const Input& input, const RankGrid& grid, bool threads) {
  if (grid.stages > 1) TRAINYARD_CHECK(stagesOf(model, recipe, input, grid));
  TRAINYARD_TRY(const DeviceName device, resolveDevice(recipe.parallel.devices.front()));
  if (grid.ranks > 1 && threads && !device.cuda && models::drawsFromOneGenerator(model)) {
    return fail(ErrorCode::Recipe, "the scripted module draws random numbers (dropout) from the one generator that all CPU ranks of a process share: no run would be like another",
                "parallel.devices", "train on one device, script the module without dropout, or start a process for each rank (--nnodes)");
  }
  return {};
}

Result<Session> startSession(FreshModel fresh, const recipe::Recipe& recipe, const Input& input, const Rank& rank, std::function<void(const Error&)> on_broken) {
  TRAINYARD_TRY(Placed placed, place(std::move(fresh.model), recipe, input, rank));
  TRAINYARD_TRY(Session session, sessionAround(std::move(placed), recipe, input, rank, {}, std::move(on_broken)));
  session.replaced_head = std::move(fresh.replaced_head);
  return session;
}

Result<Session> resumeSession(const Loaded& checkpoint, const recipe::Recipe& recipe, const Input& input, const Rank& rank, std::function<void(const Error&)> on_broken) {
  TRAINYARD_TRY(auto model, models::make(recipe.model.arch, input.shape, input.outputs, recipe.run.seed));
  TRAINYARD_TRY(Placed placed, place(std::move(model), recipe, input, rank));
  TRAINYARD_TRY(Session session, sessionAround(std::move(placed), recipe, input, rank, checkpoint.trainer, std::move(on_broken)));
  const Json none = Json::object();
  TRAINYARD_CHECK(session.step->restoreParts({checkpoint.model, none, displayPath(checkpoint.folder / "model.safetensors")},
                                             {checkpoint.optimizer, checkpoint.optimizer_scalars, displayPath(checkpoint.folder / "optimizer.safetensors")}));
  return session;
}

Result<std::vector<loader::Batch>> nextStep(loader::Loader& loader) {
  std::vector<loader::Batch> micros;
  while (micros.empty() || !micros.back().last_of_step) {
    TRAINYARD_TRY(auto batch, loader.next());
    if (batch) micros.push_back(std::move(*batch));
  }
  return micros;
}

bool partsAreSpread(const recipe::Recipe& recipe, const Rank& rank) { return rank.stages != nullptr || (!rank.alone() && recipe.parallel.strategy.id == "sharded"); }

Result<Snapshot> takeSnapshot(const Session& session, const TrainerState& state, SnapshotMemory& memory, const Rank& rank, bool spread) {
  const double begin = steadySeconds();
  Snapshot snapshot;
  snapshot.step = state.step;
  WholeState whole;
  if (spread) {
    TRAINYARD_TRY(whole, gatherState(*session.step, *rank.all, deviceOf(rank.device)));
  } else {
    whole.model = session.model->state();
    whole.scalars = Json::object();
    session.step->collect(whole.optimizer, whole.scalars);
  }
  std::vector<models::NamedTensor> all = whole.model;
  all.insert(all.end(), whole.optimizer.begin(), whole.optimizer.end());
  const auto block = memory.take(all);
  snapshot.model = SnapshotMemory::copy(whole.model, block);
  snapshot.optimizer = SnapshotMemory::copy(whole.optimizer, block);
  snapshot.optimizer_scalars = std::move(whole.scalars);
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
