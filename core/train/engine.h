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

// Where this process stands in a run of several machines, said by hand.
struct Nodes {
  int nodes = 1, node_rank = 0;
  std::string rendezvous;  // "HOST:PORT"
};

// How the caller takes part in a run.
struct Observer {
  std::function<void(const runs::Event&)> event;    // every event, after it was written; from several threads, one at a time
  const std::atomic<int>* stop_requests = nullptr;  // above 0: stop at the next step boundary, as SIGINT does
  std::function<void(uint64_t done, uint64_t total)> progress;  // of work that writes no events: the search for a learning rate
  uint64_t profile_steps = 0;                       // of train: that many updates are recorded, after the first ten; see profile.h
  std::optional<Nodes> nodes;                       // of train and resume; without: what torchrun, Slurm or Kubernetes say in the environment
};

// `--json` of train, demo and resume. Of another rank than 0 in a run of several processes, which has no run directory, the state alone.
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

// The train step on several CPU ranks. The batch is each replica's; "single" cuts it into micro_batches too.
struct RanksBenchOptions {
  std::string model = "resnet18", optimizer = "sgd", strategy = "data";  // single, data, pipeline, sharded1, sharded3
  int ranks = 2;
  int64_t batch = 16, steps = 20, threads = 1, micro_batches = 1;
  std::vector<std::string> cuts;  // of the pipeline; empty: by cost
};

// The learning-rate range test: `steps` updates with rates rising from `from` to `to` by a constant factor.
struct RateTest {
  double from = 1e-7, to = 10;
  uint64_t steps = 100;
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
  fs::path predictions;  // a CSV file for what the network said of each sample; empty: none
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Trains a recipe in a new run directory (empty: a new one in runsHome()), until it is finished, stopped or failed. Nothing is created before recipe, device and data are
  // known to be sound.
  virtual Result<RunReport> train(const recipe::Recipe& recipe, const fs::path& run_dir, const Observer& observer) = 0;
  // Goes on from the newest whole checkpoint. What changes is recorded in the run's changes.json and emitted as `set` events.
  virtual Result<RunReport> resume(const runs::Layout& run, const ResumeOptions& options, const Observer& observer) = 0;
  // {lr, loss, smoothed, suggestion}: the learning-rate range test. Nothing is written.
  virtual Result<Json> findRate(const recipe::Recipe& recipe, const RateTest& test, const Observer& observer) = 0;
  // {samples, loss, metrics, per_class, confusion} over the run's validation part, its test part, or a folder of the same format.
  virtual Result<Json> evaluate(const runs::Layout& run, const EvaluateOptions& options) = 0;
  // [{file, top: [{class, index, probability}]}]
  virtual Result<Json> predict(const runs::Layout& run, const std::vector<fs::path>& files, int top) = 0;
  // The recipe's network as a table of layers: model_show.h has the shape. Nothing is written, no data is needed.
  virtual Result<Json> modelShow(const recipe::Recipe& recipe) = 0;
  // What each strategy for several devices would need and gain: parallel_plan.h has the shape. Nothing is written, no data is needed.
  virtual Result<Json> plan(const recipe::Recipe& recipe) = 0;
  // {model, steps_per_s, samples_per_s, start_to_first_step_s, losses}
  virtual Result<Json> bench(const BenchOptions& options) = 0;
  // {optimizer, tensors, parameters, steps_per_s, sum_of_sizes}; of the options, those of the model and the batch play no part
  virtual Result<Json> benchOptimizer(const BenchOptions& options) = 0;
  // bench.h has the shape
  virtual Result<Json> benchRanks(const RanksBenchOptions& options) = 0;
  // comm/bench.h has the shape
  virtual Result<Json> benchAllReduce(int ranks, int64_t bytes, int rounds) = 0;
  // Saving: {bytes, memcpy_ms, stall_ms, page_faults, save_s: a number for each round}; loading: {bytes, load_s, into_model_s}
  virtual Result<Json> benchCheckpoint(const CheckpointBenchOptions& options) = 0;
};

}  // namespace trainyard::train

extern "C" trainyard::train::Engine* trainyardEngine();
using TrainyardEngineFn = trainyard::train::Engine* (*)();
