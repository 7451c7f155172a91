#pragma once
// Builds the events of a run for the tests of the verdict.
#include "core/runs/verdict.h"
#include "tests/runs/support.h"

namespace trainyard::runs::test {

class Recording {
 public:
  // The clock starts at 1000 s.
  explicit Recording(int64_t steps_total = 0, int64_t epochs = 0) { add("run_started", 0, {{"steps_total", steps_total}, {"epochs", epochs}}); }
  double now = 1000;
  std::vector<Event> events;

  Event& add(const std::string& type, std::optional<int64_t> step = {}, Json fields = Json::object()) {
    Event event = makeEvent(type, step, std::move(fields));
    event.time = now;
    events.push_back(std::move(event));
    return events.back();
  }

  // `count` step lines, each `seconds` after the one before and `stride` updates on.
  Recording& steps(int count, double loss, Json more = Json::object(), double seconds = 1) {
    for (int i = 0; i < count; ++i) {
      now += seconds;
      step += stride;
      Json fields = {{"loss", jsonNumber(loss)}};
      fields.update(more);
      add("step", step, std::move(fields));
      for (const auto& [device, use] : gpus) add("device", {}, {{"device", device}, {"utilization", use}});
    }
    return *this;
  }

  Recording& eval(double loss, double accuracy = std::nan(""), double samples = 100) {
    Json metrics = Json::object();
    if (!std::isnan(accuracy)) metrics["accuracy"] = accuracy;
    add("eval", step, {{"split", "validation"}, {"loss", jsonNumber(loss)}, {"metrics", metrics}, {"samples", samples}}).epoch = epoch++;
    return *this;
  }

  // Judged `after` seconds since the last event, with a device event of just then unless `quiet`.
  Judgement judged(VerdictContext context = {}, double after = 0, bool quiet = false) {
    context.now = now + after;
    std::vector<Event> seen = events;
    if (!quiet) {
      seen.push_back(makeEvent("device", {}, {{"device", "cpu"}}));
      seen.back().time = context.now;
    }
    return judge(seen, context);
  }

  int64_t step = 0, stride = 1, epoch = 0;
  std::vector<std::pair<std::string, double>> gpus;  // one device event of each with every step line
};

}  // namespace trainyard::runs::test

#define COMPARE_VERDICT(judgement, expected) \
  QCOMPARE(QByteArray(trainyard::runs::verdictName((judgement).verdict).data()), QByteArray(trainyard::runs::verdictName(expected).data()))
