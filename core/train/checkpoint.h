#pragma once
// Checkpoints on disk: checkpoints/step-00000500/ with model.safetensors, optimizer.safetensors, trainer.json and checksums.json.
// Written into a side folder, fsynced, then renamed: a folder named step-… is complete. checkpoints.json names the latest and the best.
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "core/base/queue.h"
#include "core/models/safetensors.h"
#include "core/runs/run_directory.h"
#include "core/train/trainer_state.h"

namespace trainyard::train {

// A copy of everything, taken on the trainer's thread: the only part that training waits for.
struct Snapshot {
  uint64_t step = 0;
  std::vector<models::NamedTensor> model, optimizer;  // CPU copies
  Json optimizer_scalars, trainer;
  models::Metadata about;  // what goes with the weights wherever they are copied: architecture, class names
  bool best = false;
  std::optional<Best> metric;  // what makes it the best
  double stall_ms = 0;
};

std::vector<models::NamedTensor> copyToCpu(std::span<const models::NamedTensor> tensors);

struct Written {
  fs::path folder;  // below the run's directory
  uint64_t bytes = 0;
  double seconds = 0, stall_ms = 0;
  uint64_t step = 0;
  bool best = false;
};

// The writer thread. submit() from one thread; waits only while an earlier checkpoint is still being written.
class CheckpointWriter {
 public:
  using Done = std::function<void(const Result<Written>&, uint64_t step)>;  // on the writer thread
  CheckpointWriter(runs::Layout run, uint64_t keep, Done done);
  ~CheckpointWriter();
  void submit(Snapshot snapshot);
  // Waits until everything submitted is on disk or has failed; gives the last one's result.
  Result<void> drain();

 private:
  void work();
  runs::Layout run_;
  uint64_t keep_;
  Done done_;
  BoundedQueue<Snapshot> queue_{1};
  std::mutex mutex_;
  std::condition_variable idle_;
  int waiting_ = 0;
  Result<void> last_;
  std::jthread thread_;
};

// Writes one checkpoint (any thread, one at a time) and rotates: the newest `keep` stay, and the best besides.
Result<Written> writeCheckpoint(const runs::Layout& run, const Snapshot& snapshot, uint64_t keep);

// A checkpoint whose checksums agree.
struct Loaded {
  fs::path folder;
  models::SafetensorsFile model, optimizer;
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
