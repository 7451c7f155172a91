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
Judgement judge(std::span<const Event> events, const VerdictContext& context);

// Holds a headline steady: a verdict shows after 3 checks in a row and clears after 6 without it.
class VerdictHold {
 public:
  const Judgement& check(const Judgement& fresh);

 private:
  Judgement shown_, candidate_;
  int seen_ = 0, missed_ = 0;
};

// Exponential smoothing, corrected for its start; the half-life counts points. NaN and infinity are passed over.
std::vector<double> smooth(std::span<const double> values, double half_life);

}  // namespace trainyard::runs
