#pragma once
// The run directory is the interface between the engine, the window and the terminal:
//
//   recipe.toml  plan.json  classes.json  data.json  state.json  events.jsonl  checkpoints/  samples/  exports/  log.txt  run.lock
//
// Only the holder of run.lock writes here. Readers never write: `running` with a free lock *means* failed, and is shown so.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::runs {

namespace fs = std::filesystem;

enum class State { Queued, Starting, Running, Paused, Finished, Failed, Stopped };
std::string_view stateName(State state);  // "queued", …

struct RunState {
  State state = State::Queued;
  int64_t pid = 0;
  std::string socket;     // control socket; empty when nobody listens
  bool released = false;  // paused, and the device was given back
  double changed = 0;     // s since the epoch
};

// Everything below that looks at a run takes its directory.
struct Layout {
  fs::path dir;
  fs::path recipe() const { return dir / "recipe.toml"; }
  fs::path plan() const { return dir / "plan.json"; }
  fs::path classes() const { return dir / "classes.json"; }  // ["0", "1", …]: index → name
  fs::path data() const { return dir / "data.json"; }        // what of the data goes with the run: see core/data/training_data.h
  fs::path state() const { return dir / "state.json"; }
  fs::path events() const { return dir / "events.jsonl"; }
  fs::path checkpoints() const { return dir / "checkpoints"; }
  fs::path checkpointIndex() const { return dir / "checkpoints.json"; }  // {latest, best: {path, metric, value, step}, all: [path, oldest first]}
  fs::path log() const { return dir / "log.txt"; }
  fs::path lock() const { return dir / "run.lock"; }
};

// The exclusive flock on run.lock, held for the life of the object. The system frees it when the process dies, however it dies.
class RunLock {
 public:
  // Error Failed naming the holder's pid when another process has it.
  static Result<RunLock> take(const fs::path& run_dir);
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&& other) noexcept;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

// Whether somebody holds the lock now. Does not take it, does not create the file.
bool isLocked(const fs::path& run_dir);

// "YYYYMMDD-HHMMSS-name", local time; characters of `name` that are awkward in a folder name become "-".
std::string makeRunId(std::string_view name);

// `home` / makeRunId(name), with "-2", "-3", … when a run of that name started within the same second. Creates nothing.
fs::path freeRunPath(const fs::path& home, std::string_view name);

// Creates `dir` with its subfolders. Error Failed when it exists and is not empty, or cannot be written.
Result<Layout> createRun(const fs::path& dir);

// The same in a new folder of `home`, named by the time and `name`; two that start in the same second get different ones.
Result<Layout> createNewRun(const fs::path& home, std::string_view name);

// Whether the folder holds a run (or what is left of one), and the ids of those directly under `home`, newest first.
bool looksLikeRun(const fs::path& dir);
std::vector<std::string> runIds(const fs::path& home);

// Finds a run: a path, an id in runsHome(), or a unique beginning or ending of one ("digits", "latest"). Error Usage naming near ones.
Result<Layout> findRun(std::string_view text);

Result<void> writeState(const Layout& run, const RunState& state);

// state.json, corrected by the lock: starting, running or paused with a free lock reads as Failed ("ended unexpectedly").
struct SeenState {
  RunState state;
  bool unexpected_end = false;
};
Result<SeenState> readState(const Layout& run);

// One line of `runs list` and of the Runs page. An unreadable run is listed with its reason in `problem`.
struct RunSummary {
  std::string id, name;  // name: from the recipe
  fs::path dir;
  SeenState seen;
  double started = 0, seconds = 0;  // s since the epoch; s of training
  int64_t step = 0, steps_total = 0, epoch = 0, epochs = 0;
  std::string arch, metric;
  double best = std::nan(""), last_loss = std::nan("");
  std::string problem;
};
// `seconds` leaves out pauses and the time between an end and the next resume. Cost: one pass over the events, few of which are parsed.
RunSummary summarize(const fs::path& run_dir);

// All runs under `home`, newest first. Cost: one summarize per run.
std::vector<RunSummary> listRuns(const fs::path& home);

// listRuns again and again, for a window: a run whose files have not changed since the previous call costs a few stats. Not thread-safe.
class RunLister {
 public:
  explicit RunLister(fs::path home);
  ~RunLister();
  const std::vector<RunSummary>& list();

 private:
  struct Known;
  fs::path home_;
  std::vector<Known> known_;
  std::vector<RunSummary> runs_;
};

}  // namespace trainyard::runs
