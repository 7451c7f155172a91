#pragma once
// Summaries of runs, remembered until a run's files change. Any thread, one at a time.
#include <map>
#include <mutex>
#include <vector>

#include "core/base/files.h"
#include "core/runs/run_directory.h"

namespace trainyard::ui {

class SummaryCache {
 public:
  // The runs under `home`, newest first.
  std::vector<runs::RunSummary> list(const fs::path& home);

 private:
  // What a summary was made from; equal: it would be the same again.
  struct Traces {
    uintmax_t events_size = 0;
    int64_t state_time = 0, checkpoints_time = 0;
    bool locked = false;
    bool operator==(const Traces&) const = default;
  };
  struct Entry {
    Traces traces;
    runs::RunSummary summary;
  };
  static Traces tracesOf(const runs::Layout& layout);

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace trainyard::ui
