#include "core/train/engine.h"

#include "core/base/unfinished.h"
#include "core/base/units.h"
#include "core/comm/bench.h"
#include "core/data/test_part.h"
#include "core/runs/control.h"
#include "core/train/arithmetic.h"
#include "core/train/bench.h"
#include "core/train/guard.h"
#include "core/train/inference.h"
#include "core/train/lr_find.h"
#include "core/train/model_show.h"
#include "core/train/opening.h"
#include "core/train/parallel_plan.h"
#include "core/train/preparation.h"
#include "core/train/profile.h"
#include "core/train/run_ranks.h"
#include "core/train/step_options.h"

namespace trainyard::train {

namespace {

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
    TRAINYARD_CHECK(checkRanks(*prepared.fresh.model, prepared.recipe, prepared.input, prepared.grid, others == nullptr));
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
    if (prepared.grid.ranks > 1) {
      TRAINYARD_TRY(const auto model, models::make(prepared.recipe.model.arch, prepared.input.shape, prepared.input.outputs, prepared.recipe.run.seed));
      TRAINYARD_CHECK(checkRanks(*model, prepared.recipe, prepared.input, prepared.grid, others == nullptr));
    }
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
