#pragma once
// What the bar over the curves says: a title of two words, a sentence with numbers, at most one action, and the reason behind "Why?".
#include <QString>

#include "core/base/result.h"
#include "core/runs/run_directory.h"
#include "core/runs/verdict.h"
#include "ui/models/run_series.h"

namespace trainyard::ui {

enum class Tone { Neutral, Good, Caution, Bad };

enum class BarAction { None, Resume, ResumeLowerRate, Extend, LowerRate, Release, Stop, ShowSpeed, ShowRate, ShowLog, OwnPictures };

struct BarText {
  Tone tone = Tone::Neutral;
  QString title, sentence;
  BarAction action = BarAction::None;
  QString action_text, why;
};

// For a run that trains.
BarText verdictText(const runs::Judgement& judgement, const RunSeries& series);

// What a bar has to know of a run that does not train, or not yet.
struct RunSituation {
  runs::SeenState seen;
  std::optional<Error> failure;  // of the newest `failed` event
  int64_t checkpoint_step = -1;  // the newest checkpoint; -1: none
  bool gpu = false;
};

// Starting, paused, finished, stopped, failed, ended unexpectedly. Title empty: the run trains, ask the verdict.
BarText situationText(const RunSituation& situation, const RunSeries& series);

}  // namespace trainyard::ui
