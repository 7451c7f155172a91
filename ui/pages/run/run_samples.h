#pragma once
// samples/latest.json or best.json of a run: what the network said about the pictures it was checked on. Small files; any thread.
#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "core/base/json.h"

namespace trainyard::ui {

struct Guess {
  int index = 0;  // of a class
  double probability = 0;
};

struct Sample {
  uint64_t index = 0;  // in the data
  QString name;        // as the data names it
  int target = -1;     // a class; -1: the task has none
  std::vector<Guess> top;  // most probable first
  double loss = 0;
  bool wrong() const { return !top.empty() && target >= 0 && top.front().index != target; }
};

struct RunSamples {
  int64_t step = -1, epoch = -1;  // -1: nothing was read
  QString split, task;
  QStringList classes;
  std::vector<std::vector<uint64_t>> confusion;  // [true][predicted]; empty where the task has none
  std::vector<Sample> samples;                   // wrong ones first, those of largest loss first among them
  bool known() const { return step >= 0; }
};

// What cannot be read or understood is left out.
RunSamples readSamples(const QString& run_dir, bool best);

struct ClassFigures {
  QString name;
  uint64_t samples = 0;
  double precision = 0, recall = 0, f1 = 0;  // NaN: nothing to divide by
};
std::vector<ClassFigures> classFigures(const RunSamples& samples);

// Share of right answers and its standard error, of the confusion matrix.
struct Accuracy {
  uint64_t right = 0, all = 0;
  double share = 0, error = 0, low = 0, high = 0;  // low, high: the 95 % range (Wilson)
};
Accuracy accuracyOf(const RunSamples& samples);
Accuracy accuracyOf(double share, uint64_t all);

}  // namespace trainyard::ui
