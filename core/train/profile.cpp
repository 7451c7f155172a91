#include "core/train/profile.h"

#include <kineto/libkineto.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <map>

#include "core/base/units.h"

namespace trainyard::train {

namespace {

using torch::autograd::profiler::KinetoEvent;
using torch::profiler::impl::ActivityType;

struct Cost {
  uint64_t calls = 0, self_ns = 0, total_ns = 0;
};

// Of one thread, in order of their starts: what runs inside another is taken off its own time.
void addThread(const std::vector<const KinetoEvent*>& events, std::map<std::string, Cost>& costs) {
  std::vector<const KinetoEvent*> open;
  for (const auto* event : events) {
    while (!open.empty() && open.back()->endNs() <= event->startNs()) open.pop_back();
    Cost& cost = costs[event->name()];
    ++cost.calls;
    cost.total_ns += event->durationNs();
    cost.self_ns += event->durationNs();
    if (!open.empty()) costs[open.back()->name()].self_ns -= std::min(costs[open.back()->name()].self_ns, event->durationNs());
    open.push_back(event);
  }
}

Json costliest(const std::vector<KinetoEvent>& events) {
  std::map<std::pair<int, uint64_t>, std::vector<const KinetoEvent*>> threads;  // by device and thread
  for (const auto& event : events) threads[{static_cast<int>(event.deviceType()), event.deviceType() == c10::DeviceType::CPU ? event.startThreadId() : static_cast<uint64_t>(event.deviceResourceId())}].push_back(&event);
  std::map<std::string, Cost> costs;
  for (auto& [thread, list] : threads) {
    std::sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->startNs() != b->startNs() ? a->startNs() < b->startNs() : a->durationNs() > b->durationNs(); });
    addThread(list, costs);
  }
  uint64_t all_ns = 0;
  for (const auto& [name, cost] : costs) all_ns += cost.self_ns;
  std::vector<std::pair<std::string, Cost>> sorted(costs.begin(), costs.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.self_ns > b.second.self_ns; });
  Json operators = Json::array();
  for (const auto& [name, cost] : sorted) {
    operators.push_back({{"name", name},
                         {"calls", cost.calls},
                         {"self_ms", static_cast<double>(cost.self_ns) / 1e6},
                         {"total_ms", static_cast<double>(cost.total_ns) / 1e6},
                         {"share", static_cast<double>(cost.self_ns) / static_cast<double>(std::max<uint64_t>(all_ns, 1))}});
  }
  return operators;
}

}  // namespace

void Profile::setUp(bool cuda) {
  if (libkineto::api().isProfilerRegistered()) return;
  libkineto_init(!cuda, true);
  libkineto::api().suppressLogMessages();
}

Profile::Profile(bool cuda) {
  const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO, true);
  std::set<ActivityType> activities{ActivityType::CPU};
  if (cuda) activities.insert(ActivityType::CUDA);
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities);
}

Profile::~Profile() {
  if (running_) torch::autograd::profiler::disableProfiler();
}

Result<Json> Profile::finish(const fs::path& folder) {
  running_ = false;
  const auto recorded = torch::autograd::profiler::disableProfiler();
  TRAINYARD_CHECK(makeFolder(folder));
  recorded->save((folder / "trace.json").string());
  Json operators = costliest(recorded->events());
  TRAINYARD_CHECK(replaceFile(folder / "operators.json", prettyJson(operators) + "\n"));
  return operators;
}

}  // namespace trainyard::train
