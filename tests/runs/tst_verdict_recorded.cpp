// The verdict on real runs, recorded (recorded/slim.py), as somebody who watches them sees it grow.
#include <QtTest>
#include <filesystem>
#include <map>

#include "core/runs/event_log.h"
#include "tests/runs/verdict_recording.h"

using namespace trainyard;
using namespace trainyard::runs;

namespace {

std::vector<Event> recorded(const char* name) {
  const auto events = readHistory(std::filesystem::path(TEST_DATA_DIR) / "recorded" / (std::string(name) + ".jsonl"));
  if (!events || events->empty()) qFatal("cannot read the recording %s", name);
  return *events;
}

Judgement judgedAfter(const std::vector<Event>& events, size_t count) {
  VerdictContext context;
  context.now = events[count - 1].time;
  context.largest_class_share = 0.11;
  return judge(std::span(events).first(count), context);
}

// How often each verdict came, judged after every event.
std::map<std::string, int> verdicts(const std::vector<Event>& events) {
  std::map<std::string, int> count;
  for (size_t i = 1; i <= events.size(); ++i) ++count[std::string(verdictName(judgedAfter(events, i).verdict))];
  return count;
}

}  // namespace

class VerdictRecordedTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aGoodRunIsNeverBlamed() {
    auto seen = verdicts(recorded("good"));
    for (const char* blame : {"silent", "stalled", "broken", "diverging", "not_learning", "overfitting"}) QVERIFY2(seen[blame] == 0, blame);
    QVERIFY(seen["too_early"] > 0);
    QVERIFY(seen["learning_well"] > 10);
  }

  void memorisingIsSeen() {
    const auto events = recorded("overfit");
    const Judgement last = judgedAfter(events, events.size());
    COMPARE_VERDICT(last, Verdict::Overfitting);
    QCOMPARE(last.values["epoch"].get<int>(), 10);  // of the lowest validation loss, 0.288
    auto seen = verdicts(events);
    for (const char* blame : {"broken", "diverging", "not_learning"}) QVERIFY2(seen[blame] == 0, blame);
    // Not before the loss has been worse for three evaluations.
    int64_t evaluated = -1;
    for (size_t i = 1; i <= events.size(); ++i) {
      if (events[i - 1].type == "eval") evaluated = events[i - 1].epoch.value_or(0);
      const Judgement then = judgedAfter(events, i);
      if (then.verdict == Verdict::Overfitting) QVERIFY(evaluated >= then.values["epoch"].get<int>() + 3);
    }
  }

  void anExplosionAtTheFirstStepIsDiverging() {
    const auto events = recorded("broken");
    const Judgement last = judgedAfter(events, events.size());
    COMPARE_VERDICT(last, Verdict::Diverging);
    QVERIFY(last.values["lowest"].get<double>() < 3);
    QVERIFY(last.values["loss"].get<double>() > 1000);
    auto seen = verdicts(events);
    QVERIFY(seen["learning_well"] == 0);
  }
};

QTEST_APPLESS_MAIN(VerdictRecordedTest)
#include "tst_verdict_recorded.moc"
