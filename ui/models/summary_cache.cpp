#include "ui/models/summary_cache.h"

#include <algorithm>

namespace trainyard::ui {

SummaryCache::Traces SummaryCache::tracesOf(const runs::Layout& layout) {
  const auto timeOf = [](const fs::path& file) {
    std::error_code none;
    const auto time = fs::last_write_time(file, none);
    return none ? int64_t{0} : static_cast<int64_t>(time.time_since_epoch().count());
  };
  std::error_code none;
  const auto size = fs::file_size(layout.events(), none);
  return {none ? 0 : size, timeOf(layout.state()), timeOf(layout.checkpointIndex()), runs::isLocked(layout.dir)};
}

std::vector<runs::RunSummary> SummaryCache::list(const fs::path& home) {
  const std::scoped_lock lock(mutex_);
  std::vector<runs::RunSummary> found;
  std::map<std::string, Entry> kept;
  std::error_code failed;
  for (fs::directory_iterator it(home, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code none;
    if (!it->is_directory(none)) continue;
    const Traces traces = tracesOf(runs::Layout{it->path()});
    const auto old = entries_.find(it->path().native());
    Entry entry = old != entries_.end() && old->second.traces == traces ? old->second : Entry{traces, runs::summarize(it->path())};
    found.push_back(entry.summary);
    kept.emplace(it->path().native(), std::move(entry));
  }
  entries_.swap(kept);
  std::sort(found.begin(), found.end(), [](const runs::RunSummary& a, const runs::RunSummary& b) { return a.id > b.id; });
  return found;
}

}  // namespace trainyard::ui
