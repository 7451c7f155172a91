#pragma once
// Checkpoints on disk: checkpoints/step-00000500/ with model.safetensors, optimizer.safetensors (the averaged weights among
// them, as "ema.…"), trainer.json and checksums.json. Written into a side folder, fsynced, then renamed, and renamed again before it is removed: a folder named
// step-… is complete. checkpoints.json names the latest and the best.
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "core/base/queue.h"
#include "core/models/safetensors.h"
#include "core/runs/run_directory.h"
#include "core/train/snapshot_memory.h"
#include "core/train/trainer_state.h"

namespace trainyard::train {

// A copy of everything, taken on the trainer's thread: the only part that training waits for.
struct Snapshot {
  uint64_t step = 0;
  std::vector<models::NamedTensor> model, optimizer;  // CPU copies
  Json optimizer_scalars, trainer;
  models::Metadata about;  // what goes with the weights wherever they are copied: architecture, class names
  bool best = false;  // of all until now
  double stall_ms = 0;
};

struct Written {
  fs::path folder;  // below the run's directory
  uint64_t bytes = 0;
  double seconds = 0, stall_ms = 0;
  uint64_t step = 0;
  bool best = false;
};

// The writer thread. submit() from one thread. Copies for it are taken in its memory(), where a third one waits until the first is written.
class CheckpointWriter {
 public:
  using Done = std::function<void(const Result<Written>&, uint64_t step)>;  // on the writer thread
  CheckpointWriter(runs::Layout run, uint64_t keep, Done done);
  ~CheckpointWriter();
  SnapshotMemory& memory() { return memory_; }
  void submit(Snapshot snapshot);
  // Waits until everything submitted is on disk or has failed; gives the last one's result.
  Result<void> drain();

 private:
  void work();
  runs::Layout run_;
  uint64_t keep_;
  Done done_;
  SnapshotMemory memory_;
  BoundedQueue<Snapshot> queue_{1};
  std::mutex mutex_;
  std::condition_variable idle_;
  int waiting_ = 0;
  Result<void> last_;
  std::jthread thread_;
};

// Writes one checkpoint (any thread, one at a time) and rotates: the newest `keep` stay, and besides them the best by the snapshot's trainer
// state. Whatever fails, and whenever the process ends, the ones that were whole stay readable until the new one is. Error Failed.
Result<Written> writeCheckpoint(const runs::Layout& run, const Snapshot& snapshot, uint64_t keep);

// A checkpoint whose checksums agree: every byte was looked at, by several threads where it is large.
struct Loaded {
  fs::path folder;
  models::SafetensorsFile model, optimizer;  // mapped: nothing is copied
  Json optimizer_scalars;
  TrainerState trainer;
};
Result<Loaded> loadCheckpoint(const fs::path& folder);

// The newest whole checkpoint of a run, nullopt where it has none yet. Damaged ones are passed over and named in `skipped`; error Data only
// where all are damaged.
Result<std::optional<Loaded>> loadNewest(const runs::Layout& run, std::vector<Error>* skipped = nullptr);

// The best one, or the newest where none is marked. Error Data where there is none.
Result<Loaded> loadBest(const runs::Layout& run);

}  // namespace trainyard::train
