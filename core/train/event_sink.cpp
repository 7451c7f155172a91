#include "core/train/event_sink.h"

#include <unistd.h>

#include <ctime>
#include <fstream>

#include "core/base/units.h"

namespace trainyard::train {

Result<std::unique_ptr<EventSink>> EventSink::open(const runs::Layout& run, const Observer& observer) {
  TRAINYARD_TRY(auto writer, runs::EventWriter::open(run.events()));
  return std::unique_ptr<EventSink>(new EventSink(run, std::move(writer), observer));
}

void EventSink::emit(const std::string& type, Json fields, std::optional<uint64_t> step, std::optional<uint64_t> epoch) {
  runs::Event event;
  event.type = type;
  event.time = unixTime();
  if (step) event.step = static_cast<int64_t>(*step);
  if (epoch) event.epoch = static_cast<int64_t>(*epoch);
  event.fields = std::move(fields);
  std::scoped_lock lock(mutex_);
  if (!writer_->append(event)) ++lost_;
  else if (lost_ > 0) {
    runs::Event note;
    note.type = "notice";
    note.fields = {{"severity", "caution"}, {"code", "events_lost"}, {"text", std::to_string(lost_) + " events could not be written"}, {"values", {{"count", lost_}}}};
    if (writer_->append(note)) lost_ = 0;
  }
  if (observer_.event) observer_.event(event);
}

void EventSink::notice(const std::string& severity, const std::string& code, const std::string& text, Json values) {
  log(severity + ": " + text);
  emit("notice", {{"severity", severity}, {"code", code}, {"text", text}, {"values", std::move(values)}});
}

void EventSink::log(const std::string& line) {
  char stamp[32];
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S ", &local);
  std::scoped_lock lock(mutex_);
  std::ofstream(run_.log(), std::ios::app) << stamp << line << '\n';
}

void EventSink::setState(runs::RunState state) {
  state.pid = ::getpid();
  state.changed = unixTime();
  sync();
  if (auto written = runs::writeState(run_, state); !written) log("state.json: " + toText(written.error()));
}

void EventSink::sync() {
  std::scoped_lock lock(mutex_);
  (void)writer_->sync();
}

}  // namespace trainyard::train
