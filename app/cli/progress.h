#pragma once
// A run in the terminal: a progress bar on a terminal, plain lines elsewhere (and under NO_COLOR). Everything goes to stderr.
#include <mutex>

#include "core/runs/event.h"

namespace trainyard::cli {

class Progress {
 public:
  Progress();
  ~Progress();  // ends the bar's line
  void show(const runs::Event& event);

 private:
  void line(const std::string& text);
  void drawBar();
  std::string summary() const;

  bool bar_, drawn_ = false;
  double steps_total_ = 0, epochs_ = 0, step_ = 0, loss_ = 0, rate_ = 0, accuracy_ = -1, memory_ = 0, step_ms_ = 0, last_draw_ = 0;
  int64_t epoch_ = 0;
};

}  // namespace trainyard::cli
