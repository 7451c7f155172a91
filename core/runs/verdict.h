#pragma once
// How a run is doing, in two words: pure functions over its events.
#include <span>
#include <string>
#include <vector>

#include "core/runs/event.h"

namespace trainyard::runs {

enum class Verdict {
  Silent,
  Stalled,
  Broken,
  Diverging,
  NotLearning,
  Overfitting,
  LevelledOff,
  WaitingForData,
  GpuIdle,
  Slowed,
  Uneven,
  TooEarly,
  LearningWell,
  Steady,
};
std::string_view verdictName(Verdict verdict);  // "silent", "not_learning", …: stable ids for JSON and translations

// What `values` holds, by verdict (a value that is not known is absent):
//   silent          seconds since                           stalled  seconds since step usual_seconds
//   broken          step lr checkpoint_step checkpoint      diverging  step (since) loss lowest lowest_step lr
//   not_learning    step loss first_loss accuracy largest_class_share
//   overfitting     epoch step best (of the lowest validation loss) loss (mean of the last three) evaluations (since then)
//   levelled_off    metric best epoch step evaluations since_epoch gain
//   waiting_for_data  share speedup (at most)               gpu_idle  use share
//   slowed          step speed best share cause: "data", "compute", "heat", "communication", "unknown"
//   uneven          spread slowest idlest                   too_early, learning_well, steady  step loss before waiting_share
// waiting_share of a calm verdict is a note: from 0.15 the wait for data is worth a word, from 0.30 it is the headline.
struct Judgement {
  Verdict verdict = Verdict::TooEarly;
  Json values = Json::object();  // the numbers of its sentence: step, loss, share, epoch, …
};

struct VerdictContext {
  double now = 0;                  // s since the epoch
  bool live = true;                // the engine runs and is not paused
  double largest_class_share = 0;  // of the validation part; 0: unknown
  bool drop_ahead = false;         // the schedule still lowers the learning rate
  bool half_precision = false;     // fp16
};

// The first rule that matches. `events`: the history as readHistory gives it. Cost: linear in the events.
// Step events: `skipped` counts the updates that the gradient scaler skipped among those the line covers. Warm-up is over where `lr` no
// longer rises. The end of an epoch may take as long as the epoch before it counts as stalled, and the first three lines may take 5 minutes.
// Silent, stalled, GPU idle and slowed are for live runs only.
Judgement judge(std::span<const Event> events, const VerdictContext& context);

// Holds a headline steady: a verdict shows after 3 checks in a row and clears after 6 without it; the calm ones (too early, learning well, steady)
// give way to each other at once, and to any other after 3. One that comes earlier in the list takes its place after 3.
class VerdictHold {
 public:
  const Judgement& check(const Judgement& fresh);

 private:
  Judgement shown_, candidate_;
  int seen_ = 0, missed_ = 0;
  bool first_ = true;  // whoever attaches to a run sees its verdict at once
};

// Exponential smoothing, corrected for its start; the half-life counts points. NaN and infinity are passed over.
std::vector<double> smooth(std::span<const double> values, double half_life);

}  // namespace trainyard::runs
