#pragma once
// The training loop: reads like the recipe is meant. One Trainer per run, on the thread of rank 0.
#include "core/train/evaluator.h"
#include "core/train/follower.h"
#include "core/train/prepared.h"
#include "core/train/profile.h"
#include "core/train/recipe_compare.h"

namespace trainyard::train {

// Whether the recipe's schedule can be followed on this data, before anything starts. Error Recipe.
Result<void> checkSchedule(const recipe::Recipe& recipe, const Input& input);

// What is different from here on in a run that is taken up again.
struct Changes {
  std::vector<KeyChange> keys;  // in the recipe already
  double lr_factor = 1;         // times the learning rate until now
};

class Trainer {
 public:
  // On rank 0's thread; the other ranks follow by `team`. All outlive the trainer.
  Trainer(const Prepared& prepared, const Rank& rank, Team& team, const RunEnds& ends);

  // From the given checkpoint (nullptr: from the start) to the end. Leaves state.json at finished or stopped; failures are the caller's to
  // record. Throws what LibTorch throws.
  Result<RunReport> run(std::shared_ptr<const Loaded> checkpoint, FreshModel fresh, const Changes& changes = {});

  uint64_t stepsTotal() const { return steps_total_; }

 private:
  enum class Outcome { Finished, Stopped, Released };

  void tellToStart(const std::shared_ptr<const Loaded>& checkpoint, const FreshModel& fresh);
  void tellOfHead();  // where the starting weights had one for other classes
  Result<Outcome> trainSession();
  Result<Outcome> trainEpoch();
  Result<void> trainOneStep(std::vector<loader::Batch>& micros, double data_wait_s);
  Result<void> readLosses();  // error Failed where too many in a row are not finite
  Result<void> brokenLoss() const;
  Result<void> logSteps(const StepReport& report);
  Result<Outcome> endEpoch();
  Result<Json> evaluateNow();
  Result<Json> evaluatePart(const std::string& split);
  Result<Evaluation> evaluateTogether(const std::function<bool()>& interrupted, const PredictionWishes& wishes);
  Result<void> logRanks(uint64_t steps);
  void keepSamples(const char* name);
  void watchProgress(double value);
  bool hasStalled() const;  // early stopping
  uint64_t profileFrom() const;
  void finishProfile();
  std::string metric() const;  // that the best checkpoint goes by
  double lastValue(const std::string& name);  // of the last evaluation: "loss", or a metric
  bool isBetter(double value) const;
  schedule::Hyper hyperNow();
  Result<void> save(std::optional<Best> better);  // hands a copy to the writer; its own failures become notices
  void checkpointDone(const Result<Written>& written, uint64_t step);  // on the writer thread
  void setState(runs::State state, bool released = false);
  Result<RunReport> conclude(Outcome outcome);

  // Step boundaries: what was asked meanwhile. nullopt: go on.
  std::optional<Outcome> obey();
  std::optional<Outcome> waitPaused();
  Result<Outcome> waitReleased(std::shared_ptr<const Loaded>& checkpoint);
  std::optional<Outcome> obeyOne(const Commands::Pending& pending);
  Json setLive(const Json& values);
  Result<void> apply(const Changes& changes);
  bool stopRequested() const { return observer_.stop_requests != nullptr && observer_.stop_requests->load() > 0; }
  uint64_t epoch() const { return state_.cursor.epoch; }
  uint64_t updates() const { return state_.step - state_.skipped; }  // what the schedule counts

  const recipe::Recipe& recipe_;
  runs::Layout run_;
  const Input& input_;
  const Rank& rank_;
  Team& team_;
  Json devices_;  // names, by rank
  EventSink& sink_;
  Commands& commands_;
  const Observer& observer_;
  std::string socket_;
  uint64_t steps_per_epoch_, steps_total_;
  std::unique_ptr<schedule::Schedule> schedule_;

  Session session_;
  TrainerState state_;
  std::vector<std::pair<at::Tensor, double>> losses_;  // of steps not read back yet, with their weights
  double session_started_ = 0, seconds_before_ = 0, last_lr_ = 0;
  RankSpan span_;    // of this rank, since the last `ranks` event
  struct Window {  // since the last `step` event
    double started = 0, data_wait_s = 0, compute_s = 0;
    uint64_t steps = 0, samples = 0, skipped = 0;
  } window_;
  uint64_t last_saved_step_ = UINT64_MAX;
  bool paused_ = false;
  Json samples_;  // of the last evaluation: samples/latest.json
  std::optional<Profile> profile_;
  uint64_t steps_here_ = 0;  // in this process, for the profile
  RunReport report_;
  CheckpointWriter writer_;  // last: its thread ends before anything it calls
};

}  // namespace trainyard::train
