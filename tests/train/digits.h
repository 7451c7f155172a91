#pragma once
// Whole runs in this process, on the digits: for tests of the trainer.
#include <QTemporaryDir>
#include <QTest>
#include <atomic>

#include "core/runs/event_log.h"
#include "core/train/engine.h"

namespace trainyard::train {

// 45 steps of 100 digits in three epochs; overrides as --set takes them.
inline recipe::Recipe digits(const std::vector<std::string>& overrides) {
  std::vector<std::string> all{"train.epochs=3", "train.batch_size=100", "train.log_every=4", "data.workers=1"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  auto loaded = recipe::load(resourcesFolder() / "recipes/digits.toml", all);
  if (!loaded) qFatal("%s", toText(loaded.error()).c_str());
  return std::move(*loaded);
}

// Stops at the first event of `type` whose step is at least `step`.
inline Observer stopAt(std::atomic<int>& stop, const std::string& type, int64_t step) {
  return {.event = [&stop, type, step](const runs::Event& event) { if (event.type == type && event.step.value_or(0) >= step) stop = 1; }, .stop_requests = &stop};
}

inline std::vector<runs::Event> eventsOf(const fs::path& run) {
  auto events = runs::readHistory(runs::Layout{run}.events());
  if (!events) qFatal("%s", toText(events.error()).c_str());
  return std::move(*events);
}

// What must not depend on an interruption: the log of losses, and the final weights and optimizer to the byte.
inline std::string essence(const fs::path& run) {
  std::string out;
  for (const auto& event : eventsOf(run)) {
    if (event.type == "step") out += std::to_string(*event.step) + " " + compactJson(event.fields["loss"]) + " " + compactJson(event.fields["lr"]) + "\n";
    if (event.type == "eval") out += "eval " + compactJson(event.fields["loss"]) + "\n";
  }
  const Json index = Json::parse(*readFile(runs::Layout{run}.checkpointIndex()));
  const fs::path latest = run / index["latest"].get<std::string>();
  return out + *readFile(latest / "checksums.json").map([&](const std::string& text) {
    Json sums = Json::parse(text);
    sums.erase("trainer.json");  // holds seconds
    return compactJson(sums);
  });
}

}  // namespace trainyard::train
