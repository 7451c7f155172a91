#pragma once
// Where a run's events go: events.jsonl, then the caller. Also its log and its state.
#include <memory>
#include <mutex>

#include "core/runs/event_log.h"
#include "core/train/engine.h"

namespace trainyard::train {

// Any thread. A full disk does not stop training: what could not be written is counted, and said once there is room again.
class EventSink {
 public:
  static Result<std::unique_ptr<EventSink>> open(const runs::Layout& run, const Observer& observer);
  void emit(const std::string& type, Json fields, std::optional<uint64_t> step = {}, std::optional<uint64_t> epoch = {});
  void notice(const std::string& severity, const std::string& code, const std::string& text, Json values = Json::object());
  void log(const std::string& line);
  void setState(runs::RunState state);  // pid is filled in
  void sync();

 private:
  EventSink(runs::Layout run, std::unique_ptr<runs::EventWriter> writer, const Observer& observer) : run_(std::move(run)), writer_(std::move(writer)), observer_(observer) {}
  std::mutex mutex_;
  runs::Layout run_;
  std::unique_ptr<runs::EventWriter> writer_;
  Observer observer_;
  uint64_t lost_ = 0;
};

}  // namespace trainyard::train
