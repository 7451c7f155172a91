#pragma once
// The engine as the command line sees it: no LibTorch here. The program loads the engine's library when a verb needs it, so the other verbs
// start at once, and the environment of its thread pools can be set first.
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/recipe/recipe.h"
#include "core/runs/event.h"
#include "core/runs/run_directory.h"

namespace trainyard::train {

// How the caller takes part in a run.
struct Observer {
  std::function<void(const runs::Event&)> event;    // every event, after it was written; from several threads, one at a time
  const std::atomic<int>* stop_requests = nullptr;  // above 0: stop at the next step boundary, as SIGINT does
};

// `--json` of train, demo and resume.
struct RunReport {
  std::string run, state;
  fs::path dir;
  uint64_t steps = 0, epochs = 0;
  double seconds = 0;
  Json best, last;         // {metric, value, step}; {train_loss, loss, metrics}
  std::string checkpoint;  // path below dir, or empty
};
inline Json toJson(const RunReport& report) {
  return {{"run", report.run},         {"dir", displayPath(report.dir)}, {"state", report.state}, {"steps", report.steps},          {"epochs", report.epochs},
          {"seconds", report.seconds}, {"best", report.best},            {"last", report.last},   {"checkpoint", report.checkpoint}};
}

// What a resume may change.
struct ResumeOptions {
  std::optional<uint64_t> epochs;  // train until so many are done; also takes a finished run up again
  fs::path recipe;                 // compared with the run's: what may change midway is taken, all else refused by name. Empty: the run's own
  double lr_factor = 1;            // times the learning rate, from here on
};

struct BenchOptions {
  std::string model = "smallcnn", optimizer = "sgd", init;
  int64_t batch = 64, steps = 30, threads = 1;
  bool bf16 = false;
  double process_started = 0;  // steadySeconds() at the start of the process
};

// Saving and loading checkpoints of random tensors.
struct CheckpointBenchOptions {
  fs::path folder;              // where the checkpoint goes; loading expects it there
  uint64_t bytes = 500'000'000;  // a third of them weights, the rest an optimizer's
  int rounds = 3;
  bool load = false;
};

struct EvaluateOptions {
  fs::path data;      // a folder or file of the run's format instead of the run's own data
  bool test = false;  // the part that was set aside, instead of the validation part; that it was opened is recorded
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Trains a recipe in a new run directory (empty: a new one in runsHome()), until it is finished, stopped or failed. Nothing is created before recipe, device and data are
  // known to be sound.
  virtual Result<RunReport> train(const recipe::Recipe& recipe, const fs::path& run_dir, const Observer& observer) = 0;
  // Goes on from the newest whole checkpoint. What changes is recorded in the run's changes.json and emitted as `set` events.
  virtual Result<RunReport> resume(const runs::Layout& run, const ResumeOptions& options, const Observer& observer) = 0;
  // {samples, loss, metrics, confusion} over the run's validation part, its test part, or a folder of the same format.
  virtual Result<Json> evaluate(const runs::Layout& run, const EvaluateOptions& options) = 0;
  // [{file, top: [{class, index, probability}]}]
  virtual Result<Json> predict(const runs::Layout& run, const std::vector<fs::path>& files, int top) = 0;
  // {model, steps_per_s, samples_per_s, start_to_first_step_s, losses}
  virtual Result<Json> bench(const BenchOptions& options) = 0;
  // Saving: {bytes, memcpy_ms, stall_ms, page_faults, save_s: a number for each round}; loading: {bytes, load_s, into_model_s}
  virtual Result<Json> benchCheckpoint(const CheckpointBenchOptions& options) = 0;
};

}  // namespace trainyard::train

extern "C" trainyard::train::Engine* trainyardEngine();
using TrainyardEngineFn = trainyard::train::Engine* (*)();
