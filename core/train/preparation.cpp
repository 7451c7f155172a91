#include "core/train/preparation.h"

#include <torch/version.h>

#include "core/comm/join_store.h"
#include "core/train/arithmetic.h"
#include "core/train/guard.h"
#include "core/train/recipe_compare.h"
#include "core/train/sharded_step.h"
#include "core/train/trainer.h"

namespace trainyard::train {

namespace {

// Of the recipe's list, that of the process's place on its machine; where the list has one, that.
std::string ownDevice(const std::vector<std::string>& devices, const comm::World& world) {
  return devices[std::min(static_cast<size_t>(world.local_rank), devices.size() - 1)];
}

// What all ranks must have alike.
Result<Json> factsOf(const recipe::Recipe& recipe, const Prepared& prepared) {
  const Input& input = prepared.input;
  Json facts{{"version", TRAINYARD_VERSION}, {"LibTorch", TORCH_VERSION}, {"kind of device", prepared.devices.front().cuda ? "cuda" : "cpu"}};
  const std::pair<const char*, const std::vector<uint64_t>&> parts[] = {{"training samples", input.parts.train}, {"validation samples", input.parts.validation}};
  for (const auto& [name, samples] : parts) {
    facts[name] = samples.size();
    TRAINYARD_TRY(facts[std::string("fingerprint of the ") + name], data::contentsOf(*input.dataset, samples));
  }
  for (const auto& [key, from, value] : compare(Json::object(), recipe.document)) {
    // compare() stops at a table that one side lacks
    if (!value.is_object()) {
      facts[key] = value;
      continue;
    }
    for (const auto& [name, inner] : value.items()) facts[key + "." + name] = inner;
  }
  for (const char* own : {"data.path", "data.workers", "parallel.devices", "train.threads"}) facts.erase(own);
  return facts;
}

}  // namespace

Result<RunReport> among(const recipe::Recipe& recipe, const Observer& observer, const AmongBody& body) {
  std::optional<comm::World> world;
  if (observer.nodes) {
    TRAINYARD_TRY(world, comm::worldByHand(observer.nodes->nodes, observer.nodes->node_rank, observer.nodes->rendezvous));
  } else {
    TRAINYARD_TRY(world, comm::worldFromEnvironment(comm::processEnvironment()));
  }
  if (!world) return body(observer, nullptr);
  const double timeout_s = recipe.parallel.timeout_s;
  TRAINYARD_CHECK(rankGrid(recipe.parallel, world->size, recipe.train.batch_size).map([](RankGrid) {}));
  TRAINYARD_TRY(const auto store, comm::joinStore(*world, {4 * timeout_s, ""}));
  RemoteTeam others(*world, store, timeout_s, observer.stop_requests);
  Observer own = observer;
  if (others.leads()) own.stop_requests = others.stops();
  if (!others.leads() && observer.event) {
    runs::Event event;
    event.type = "notice";
    const std::string text = "rank " + std::to_string(world->rank) + " of " + std::to_string(world->size) + ", trains for " + world->host + ":" + std::to_string(world->port);
    event.fields = {{"severity", "note"}, {"code", "joined"}, {"text", text}, {"values", Json::object()}};
    observer.event(event);
  }
  Result<RunReport> result = guarded([&]() -> Result<RunReport> { return body(own, &others); });
  if (result) return result;
  others.fail(result.error());
  return tl::unexpected(others.error().value_or(result.error()));
}

Result<Prepared> prepare(recipe::Recipe recipe, const Json& record, RemoteTeam* others) {
  Prepared prepared;
  if (others) recipe.parallel.devices = {ownDevice(recipe.parallel.devices, others->world())};
  for (const auto& name : recipe.parallel.devices) {
    TRAINYARD_TRY(prepared.devices.emplace_back(), resolveDevice(name));
  }
  if (others) prepared.devices.resize(static_cast<size_t>(others->world().size), prepared.devices.front());
  TRAINYARD_TRY(prepared.grid, rankGrid(recipe.parallel, static_cast<int>(prepared.devices.size()), recipe.train.batch_size));
  TRAINYARD_CHECK(checkPrecision(recipe, prepared.devices.front()));
  TRAINYARD_CHECK(checkSharded(recipe));
  TRAINYARD_TRY(prepared.input, openInput(recipe, record));
  TRAINYARD_CHECK(checkSchedule(recipe, prepared.input));
  for (const auto& device : prepared.devices) TRAINYARD_CHECK(openDevice(device));
  if (others) {
    TRAINYARD_TRY(const Json facts, factsOf(recipe, prepared));
    TRAINYARD_TRY(prepared.devices, others->settle(facts, prepared.devices.front()));
  }
  prepared.recipe = std::move(recipe);
  return prepared;
}

}  // namespace trainyard::train
