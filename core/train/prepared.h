#pragma once
// What a run begins with.
#include "core/train/commands.h"
#include "core/train/event_sink.h"
#include "core/train/session.h"

namespace trainyard::train {

// A run that is about to train: everything the recipe names has been found sound.
struct Prepared {
  recipe::Recipe recipe;
  std::vector<DeviceName> devices;  // by rank
  RankGrid grid;
  Input input;
  FreshModel fresh;            // of a new run; without a model else
  std::string broken_promise;  // why a deterministic run no longer gives the same bits; empty: it does
};

// Where the trainer writes, listens and looks.
struct RunEnds {
  const runs::Layout& run;
  EventSink& sink;
  Commands& commands;
  const Observer& observer;
  std::string socket;
};

}  // namespace trainyard::train
