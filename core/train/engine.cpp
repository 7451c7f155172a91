#include "core/train/engine.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>
#include <ATen/cpu/Utils.h>
#include <unistd.h>

#include <new>

#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/comm/bench.h"
#include "core/comm/join_store.h"
#include "core/data/test_part.h"
#include "core/hardware/hardware.h"
#include "core/runs/control.h"
#include "core/train/arithmetic.h"
#include "core/train/bench.h"
#include "core/train/guard.h"
#include "core/train/inference.h"
#include "core/train/lr_find.h"
#include "core/train/model_show.h"
#include "core/train/parallel_plan.h"
#include "core/train/profile.h"
#include "core/train/run_ranks.h"
#include "core/train/sharded_step.h"
#include "core/train/step_options.h"

namespace trainyard::train {

namespace {

// Of the recipe's list, that of the process's place on its machine; where the list has one, that.
std::string ownDevice(const std::vector<std::string>& devices, const comm::World& world) {
  return devices[std::min(static_cast<size_t>(world.local_rank), devices.size() - 1)];
}

// What all ranks must have alike.
Json factsOf(const recipe::Recipe& recipe, const Prepared& prepared) {
  Json facts{{"version", TRAINYARD_VERSION}, {"LibTorch", TORCH_VERSION}, {"kind of device", prepared.devices.front().cuda ? "cuda" : "cpu"}, {"training samples", prepared.input.parts.train.size()}};
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

// Runs `body` as one of the run's processes where there are several; with null where this one is alone.
template <class Body>
Result<RunReport> among(const recipe::Recipe& recipe, const Observer& observer, Body&& body) {
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

// `record`: data.json of the run that goes on; null for a new one.
// `others`: of a run of several processes, one rank each; comes back when all ranks are ready, and agree on what they run.
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
    TRAINYARD_TRY(prepared.devices, others->settle(factsOf(recipe, prepared), prepared.devices.front()));
  }
  prepared.recipe = std::move(recipe);
  return prepared;
}

// How the devices share the work.
Json layoutOf(const Prepared& prepared) {
  return {{"strategy", prepared.recipe.parallel.strategy.id}, {"ranks", prepared.grid.ranks}, {"replicas", prepared.grid.replicas}, {"stages", prepared.grid.stages}};
}

Json planOf(const Prepared& prepared) {
  const Input& input = prepared.input;
  const auto hardware = hardware::inspect();
  const uint64_t steps = loader::stepsPerEpoch(input.parts.train.size(), prepared.recipe.train.batch_size);
  Json validation = Json::array();
  if (input.task == data::Task::Classes) {
    for (const uint64_t count : data::classCounts(*input.dataset, input.parts.validation)) validation.push_back(count);
  }
  Json devices = Json::array();
  for (const auto& device : prepared.devices) devices.push_back(device.text());
  return {{"devices", devices},
          {"layout", layoutOf(prepared)},
          {"threads", arithmeticThreads(prepared.recipe)},
          {"loader_workers", input.workers},
          {"instruction_set", at::get_cpu_capability()},
          {"processor", hardware.processor.name},
          {"versions", {{"trainyard", TRAINYARD_VERSION}, {"libtorch", TORCH_VERSION}}},
          {"samples", {{"train", input.parts.train.size()}, {"validation", input.parts.validation.size()}, {"test", input.parts.test.size()}}},
          {"validation_per_class", validation},
          {"input", {input.shape.channels, input.shape.height, input.shape.width}},
          {"task", data::taskName(input.task)},
          {"classes", input.outputs},
          {"steps_per_epoch", steps},
          {"last_step_samples", input.parts.train.size() - (steps - 1) * prepared.recipe.train.batch_size},  // of each epoch: the odd ones
          {"steps_total", steps * prepared.recipe.train.epochs}};
}

class EngineImpl : public Engine {
 public:
  Result<RunReport> train(const recipe::Recipe& recipe, const fs::path& run_dir, const Observer& observer) override {
    return guarded([&] { return among(recipe, observer, [&](const Observer& own, RemoteTeam* others) { return trainAmong(recipe, run_dir, own, others); }); });
  }

  Result<RunReport> resume(const runs::Layout& run, const ResumeOptions& options, const Observer& observer) override {
    return guarded([&]() -> Result<RunReport> {
      TRAINYARD_TRY(const recipe::Recipe recipe, currentRecipe(run));
      return among(recipe, observer, [&](const Observer& own, RemoteTeam* others) { return resumeAmong(run, options, own, others); });
    });
  }

  Result<Json> findRate(const recipe::Recipe& recipe, const RateTest& test, const Observer& observer) override {
    return guarded([&] { return train::findRate(recipe, test, observer); });
  }
  Result<Json> evaluate(const runs::Layout& run, const EvaluateOptions& options) override {
    return guarded([&] { return evaluateRun(run, options); });
  }
  Result<Json> predict(const runs::Layout& run, const std::vector<fs::path>& files, int top) override {
    return guarded([&] { return predictFiles(run, files, top); });
  }
  Result<Json> modelShow(const recipe::Recipe& recipe) override {
    return guarded([&] { return showModel(recipe); });
  }
  Result<Json> plan(const recipe::Recipe& recipe) override {
    return guarded([&] { return planParallel(recipe); });
  }
  Result<Json> benchRanks(const RanksBenchOptions& options) override {
    return guarded([&] { return train::benchRanks(options); });
  }
  Result<Json> benchAllReduce(int ranks, int64_t bytes, int rounds) override {
    return guarded([&] { return comm::benchAllReduce({ranks, bytes, rounds}); });
  }
  Result<Json> bench(const BenchOptions& options) override {
    return guarded([&] { return benchTrain(options); });
  }
  Result<Json> benchOptimizer(const BenchOptions& options) override {
    return guarded([&] { return train::benchOptimizer(options); });
  }
  Result<Json> benchCheckpoint(const CheckpointBenchOptions& options) override {
    return guarded([&] { return train::benchCheckpoint(options); });
  }

 private:
  Result<RunReport> trainAmong(const recipe::Recipe& recipe, const fs::path& run_dir, const Observer& observer, RemoteTeam* others) {
    TRAINYARD_TRY(Prepared prepared, prepare(recipe, nullptr, others));
    if (others && !others->leads()) return followOthers(std::move(prepared), *others);
    TRAINYARD_TRY(prepared.fresh, freshModel(prepared.recipe, prepared.input));
    TRAINYARD_CHECK(checkStep(prepared.recipe, prepared.input, *prepared.fresh.model));
    TRAINYARD_CHECK(checkStages(*prepared.fresh.model, prepared.recipe, prepared.input, prepared.grid));
    if (observer.profile_steps > 0) Profile::setUp(prepared.devices.front().cuda);
    TRAINYARD_CHECK(data::settleTestPart(prepared.recipe, *prepared.input.dataset, prepared.input.parts.test));
    TRAINYARD_TRY(const runs::Layout run, run_dir.empty() ? runs::createNewRun(runsHome(), recipe.run.name) : runs::createRun(run_dir));
    TRAINYARD_TRY(const runs::RunLock lock, runs::RunLock::take(run.dir));
    TRAINYARD_CHECK(replaceFile(run.recipe(), recipe::writeToml(prepared.recipe.document)));
    fs::permissions(run.recipe(), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    TRAINYARD_CHECK(replaceFile(run.plan(), prettyJson(planOf(prepared)) + "\n"));
    TRAINYARD_CHECK(replaceFile(run.classes(), prettyJson(Json(prepared.input.dataset->classes())) + "\n"));
    TRAINYARD_CHECK(replaceFile(run.data(), prettyJson(prepared.input.record) + "\n"));
    return live(std::move(prepared), run, observer, nullptr, others);
  }

  Result<RunReport> resumeAmong(const runs::Layout& run, const ResumeOptions& options, const Observer& observer, RemoteTeam* others) {
    TRAINYARD_TRY(recipe::Recipe recipe, currentRecipe(run));
    if (others && !others->leads()) {
      TRAINYARD_CHECK(applyOptions(recipe, options).map([](const auto&) {}));
      TRAINYARD_TRY(const Json seen, readRecord(run));
      TRAINYARD_TRY(Prepared prepared, prepare(std::move(recipe), seen, others));
      return followOthers(std::move(prepared), *others);
    }
    TRAINYARD_TRY(const runs::RunLock lock, runs::RunLock::take(run.dir));
    removeUnfinished(run.dir);
    Changes changes;
    changes.lr_factor = options.lr_factor;
    TRAINYARD_TRY(changes.keys, applyOptions(recipe, options));
    TRAINYARD_CHECK(checkEpochs(run, recipe, options));
    TRAINYARD_TRY(const Json record, readRecord(run));
    TRAINYARD_TRY(const std::string plan_text, readFile(run.plan()));
    const Json plan = Json::parse(plan_text, nullptr, false);
    // The number of threads decides in which order sums are made.
    if (recipe.train.deterministic && recipe.train.threads == 0 && plan.is_object()) recipe.train.threads = plan.value("threads", 0);
    TRAINYARD_TRY(Prepared prepared, prepare(std::move(recipe), record, others));
    if (prepared.recipe.train.deterministic && plan.is_object()) prepared.broken_promise = brokenPromise(plan, layoutOf(prepared), arithmeticThreads(prepared.recipe));
    TRAINYARD_CHECK(checkClasses(run, prepared.input));
    TRAINYARD_CHECK(recordChanges(run, changes.keys));
    return live(std::move(prepared), run, observer, &changes, others);
  }

  // The run directory is ours and locked: from here on, every end is recorded in it.
  // `resumed`: what a resume changes; null for a new run.
  Result<RunReport> live(Prepared prepared, const runs::Layout& run, const Observer& observer, const Changes* resumed, RemoteTeam* others) {
    TRAINYARD_TRY(auto sink, EventSink::open(run, observer));
    Commands commands;
    std::string socket;
    std::unique_ptr<runs::ControlServer> server;
    if (auto path = runs::socketPath(run.dir)) {
      auto listening = runs::ControlServer::listen(*path, [&commands](const Json& request) { return commands.handle(request); });
      if (listening) {
        server = std::move(*listening);
        socket = path->string();
      } else {
        sink->notice("caution", "no_control", "this run cannot be controlled: " + toText(listening.error()));
      }
    } else {
      sink->notice("caution", "no_control", "this run cannot be controlled: " + toText(path.error()));
    }
    runs::RunState starting;
    starting.state = runs::State::Starting;
    starting.socket = socket;
    sink->setState(starting);
    sink->log(resumed ? "resuming" : "starting");
    tellOfData(*sink, prepared.input, resumed != nullptr);
    tellOfArithmetic(*sink, prepared, resumed != nullptr);
    Result<RunReport> result = runOnRanks(std::move(prepared), {run, *sink, commands, observer, socket}, resumed, others);
    commands.close({ErrorCode::Usage, "the run has ended", displayPath(run.dir), ""});
    server.reset();
    if (!result) recordFailure(*sink, result.error());
    sink->log(result ? result->state : "failed");
    return result;
  }

  static void tellOfArithmetic(EventSink& sink, const Prepared& prepared, bool resuming) {
    if (!prepared.broken_promise.empty()) {
      sink.notice("caution", "not_reproducible", "from here on this run may differ in the last digits from one that was not interrupted: " + prepared.broken_promise);
    } else if (prepared.recipe.train.deterministic && !resuming) {
      sink.notice("note", "deterministic", "only algorithms that give the same bits each time are used, which can be slower; it holds for this number of threads and this kind of processor",
                  {{"threads", arithmeticThreads(prepared.recipe)}, {"instruction_set", at::get_cpu_capability()}});
    }
    const uint64_t batch = prepared.recipe.train.batch_size, rest = prepared.input.parts.train.size() % batch;
    if (!resuming && rest == 1 && batch > 1) {
      sink.notice("note", "small_last_batch", "the last update of each epoch has a single sample; where batch norm would have one value to go by, it takes its running averages",
                  {{"samples", rest}, {"batch_size", batch}});
    }
    if (prepared.recipe.precision.id == "tf32" && !prepared.devices.front().cuda) sink.notice("note", "tf32_on_cpu", "tf32 is for NVIDIA GPUs; this processor computes in fp32");
  }

  // What is left out was named before the first step; later breakage is the loader's to report.
  static void tellOfData(EventSink& sink, const Input& input, bool resuming) {
    if (!input.changed.empty()) sink.notice("caution", "data_changed", input.changed + "; the order of the samples is another from here on");
    const Json left_out = input.record.value("left_out", Json::array());
    if (resuming || left_out.empty()) return;
    for (const auto& entry : left_out) sink.log("left out: " + entry.value("file", "") + " " + entry.value("why", ""));
    const std::string first = left_out[0].value("file", "") + " " + left_out[0].value("why", "");
    const size_t used = input.parts.train.size() + input.parts.validation.size() + input.parts.test.size();
    sink.notice("caution", "left_out", std::to_string(left_out.size()) + (left_out.size() == 1 ? " picture is" : " pictures are") + " left out: " + first + (left_out.size() > 1 ? ", …" : ""),
                {{"count", left_out.size()}, {"used", used}, {"files", left_out}});
  }

  static void recordFailure(EventSink& sink, const Error& error) {
    sink.log("failed: " + toText(error));
    sink.emit("failed", toJson(error));
    runs::RunState failed;
    failed.state = runs::State::Failed;
    sink.setState(failed);
  }

  // Puts what was asked for in the place of the recipe; gives what changed.
  static Result<std::vector<KeyChange>> applyOptions(recipe::Recipe& recipe, const ResumeOptions& options) {
    Json wanted = recipe.document;
    if (!options.recipe.empty()) {
      TRAINYARD_TRY(const recipe::Recipe given, recipe::load(options.recipe));
      wanted = given.document;
    }
    if (options.epochs) wanted["train"]["epochs"] = *options.epochs;
    TRAINYARD_TRY(auto changed, allowedChanges(recipe.document, wanted, options.recipe.empty() ? "--epochs" : displayPath(options.recipe)));
    const auto checked = recipe::check(wanted, "--epochs");
    if (!checked.problems.empty()) return tl::unexpected(checked.problems.front().error);
    recipe = recipe::toRecipe(checked.document);
    return changed;
  }

  // A finished run goes on where there is more to train.
  static Result<void> checkEpochs(const runs::Layout& run, const recipe::Recipe& recipe, const ResumeOptions& options) {
    TRAINYARD_TRY(const auto seen, runs::readState(run));
    const bool finished = seen.state.state == runs::State::Finished, asked = options.epochs || !options.recipe.empty();
    if (finished && !asked) {
      return fail(ErrorCode::Usage, "this run is finished: there is nothing left to train", displayPath(run.dir), "train it longer with --epochs, or start a new run from its weights");
    }
    if (!asked) return {};
    TRAINYARD_TRY(const auto newest, loadNewest(run));
    const uint64_t done = newest ? newest->trainer.cursor.epoch : 0;
    if (recipe.train.epochs > done) return {};
    return fail(ErrorCode::Usage, "this run has " + std::to_string(done) + " epochs behind it, and " + std::to_string(recipe.train.epochs) + " are asked for", displayPath(run.dir),
                "ask for more than " + std::to_string(done) + ", as in --epochs " + std::to_string(done + 10));
  }

  // Class names and indices are the run's for ever.
  static Result<void> checkClasses(const runs::Layout& run, const Input& input) {
    TRAINYARD_TRY(const std::string text, readFile(run.classes()));
    if (Json::parse(text, nullptr, false) == Json(input.dataset->classes())) return {};
    return fail(ErrorCode::Data, "the data's classes are not those the run was started with", displayPath(run.classes()), "bring the class folders back, or start a new run");
  }
};

}  // namespace

}  // namespace trainyard::train

extern "C" trainyard::train::Engine* trainyardEngine() {
  static trainyard::train::EngineImpl engine;
  return &engine;
}
