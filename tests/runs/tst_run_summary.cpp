#include <QTemporaryDir>
#include <QTest>

#include "core/runs/run_directory.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestRunSummary : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void tellsAFinishedRun();
  void leavesOutPausesAndGaps();
  void countsFromWhereItResumed();
  void readsLinesOfAnyLayout();
  void listsUnreadableRunsWithTheirReason_data();
  void listsUnreadableRunsWithTheirReason();
  void neverThrows();
  void listsNewestFirst();
  void listerSeesEveryChange();

 private:
  fs::path home() const { return test::pathOf(dir_->path()); }
  fs::path makeRun(const std::string& id, const std::vector<Event>& events = {});
  std::unique_ptr<QTemporaryDir> dir_;
};

namespace {

Event at(double time, const std::string& type, std::optional<int64_t> step = {}, Json fields = Json::object()) {
  Event event = test::makeEvent(type, step, std::move(fields));
  event.time = time;
  return event;
}

}  // namespace

fs::path TestRunSummary::makeRun(const std::string& id, const std::vector<Event>& events) {
  const fs::path dir = home() / id;
  test::writeText(dir / "recipe.toml", "[run]\nname = \"flowers\"\n[model]\narch = \"resnet18\"\n[checkpoint]\nmetric = \"loss\"\n");
  test::writeText(dir / "state.json", R"({"state":"finished","pid":1,"changed":99})");
  std::string text;
  for (const Event& event : events) text += toLine(event) + "\n";
  if (!events.empty()) test::writeText(dir / "events.jsonl", text);
  return dir;
}

void TestRunSummary::tellsAFinishedRun() {
  Event step = at(109, "step", 40, {{"loss", 0.25}});
  step.epoch = 1;
  const fs::path dir = makeRun("20260101-120000-flowers", {at(100, "run_started", 0, {{"steps_total", 60}, {"epochs", 3}}), at(101, "step", 10, {{"loss", 2}}),
                                                           step, at(109.5, "eval", 40, {{"loss", 9}}), at(110, "finished", 40, {{"seconds", 3}})});
  test::writeText(dir / "checkpoints.json", R"({"latest":"x","best":{"path":"x","metric":"accuracy","value":0.875,"step":40}})");
  const RunSummary summary = summarize(dir.string() + "/");
  QCOMPARE(summary.problem, std::string());
  QCOMPARE(summary.id, std::string("20260101-120000-flowers"));
  QCOMPARE(summary.dir, dir);
  QCOMPARE(summary.name, std::string("flowers"));
  QCOMPARE(summary.arch, std::string("resnet18"));
  QCOMPARE(summary.seen.state.state, State::Finished);
  QCOMPARE(summary.started, 100.0);
  QCOMPARE(summary.seconds, 10.0);
  QCOMPARE(summary.step, int64_t(40));
  QCOMPARE(summary.steps_total, int64_t(60));
  QCOMPARE(summary.epoch, int64_t(1));
  QCOMPARE(summary.epochs, int64_t(3));
  QCOMPARE(summary.last_loss, 0.25);
  QCOMPARE(summary.metric, std::string("accuracy"));
  QCOMPARE(summary.best, 0.875);
}

void TestRunSummary::leavesOutPausesAndGaps() {
  const fs::path dir =
      makeRun("20260101-120000-a", {at(100, "run_started", 0), at(110, "step", 10), at(112, "paused", 11), at(113, "device"), at(150, "continued", 11),
                                    at(153, "step", 20), at(155, "device"), at(500, "resumed", 20), at(504, "step", 30), at(505, "stopped", 30)});
  QCOMPARE(summarize(dir).seconds, 12.0 + 5.0 + 5.0);
  test::appendText(dir / "events.jsonl", toLine(at(600, "resumed", 30)) + "\n" + toLine(at(607, "device")) + "\n" + R"({"type":"device","time":999)");
  QCOMPARE(summarize(dir).seconds, 22.0 + 7.0);
}

void TestRunSummary::countsFromWhereItResumed() {
  const fs::path dir = makeRun("20260101-120000-a", {at(1, "run_started", 0), at(2, "step", 30, {{"loss", 0.5}}), at(9, "resumed", 20)});
  QCOMPARE(summarize(dir).step, int64_t(20));
  QCOMPARE(summarize(dir).last_loss, 0.5);
  test::appendText(dir / "events.jsonl", toLine(at(10, "step", 25, {{"loss", "nan"}})) + "\n");
  QCOMPARE(summarize(dir).step, int64_t(25));
  QVERIFY(std::isnan(summarize(dir).last_loss));
}

void TestRunSummary::readsLinesOfAnyLayout() {
  const fs::path dir = makeRun("20260101-120000-a");
  test::writeText(
      dir / "events.jsonl",
      "{ \"time\": 5, \"type\": \"run_started\", \"steps_total\": 8 }\ngarbage\n\n{ \"time\": 7, \"step\": 4, \"type\": \"step\", \"loss\": 1.5 }\n");
  const RunSummary summary = summarize(dir);
  QCOMPARE(summary.started, 5.0);
  QCOMPARE(summary.seconds, 2.0);
  QCOMPARE(summary.step, int64_t(4));
  QCOMPARE(summary.steps_total, int64_t(8));
  QCOMPARE(summary.last_loss, 1.5);
}

void TestRunSummary::listsUnreadableRunsWithTheirReason_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("problem");
  QTest::newRow("damaged state") << "state.json" << QByteArray("{") << "the state of the run is unreadable";
  QTest::newRow("damaged recipe") << "recipe.toml" << QByteArray("[run\n") << "recipe.toml:1:";
  QTest::newRow("damaged checkpoints") << "checkpoints.json" << QByteArray("nope") << "checkpoints.json";
  QTest::newRow("no state") << "state.json" << QByteArray() << "no state.json";
  QTest::newRow("no recipe") << "recipe.toml" << QByteArray() << "recipe.toml: cannot open";
}

void TestRunSummary::listsUnreadableRunsWithTheirReason() {
  QFETCH(QString, file);
  QFETCH(QByteArray, text);
  QFETCH(QString, problem);
  const fs::path dir = makeRun("20260101-120000-a");
  if (text.isEmpty()) {
    fs::remove(dir / file.toStdString());
  } else {
    test::writeText(dir / file.toStdString(), text.toStdString());
  }
  const auto runs = listRuns(home());
  QCOMPARE(runs.size(), size_t(1));
  QCOMPARE(runs[0].id, std::string("20260101-120000-a"));
  QVERIFY2(QString::fromStdString(runs[0].problem).contains(problem), runs[0].problem.c_str());
}

void TestRunSummary::neverThrows() {
  QVERIFY(!summarize(home() / "nowhere").problem.empty());
  const fs::path dir = makeRun("20260101-120000-a");
  test::writeText(dir / "recipe.toml", "run = 3\nmodel = [1, 2]\n");
  test::writeText(dir / "checkpoints.json", R"({"best":{"value":"high","metric":4},"all":0})");
  test::writeText(dir / "events.jsonl", R"({"type":"run_started","time":3,"steps_total":"many","epochs":[1]})"
                                        "\n"
                                        R"({"type":"step","loss":{}})"
                                        "\n");
  const RunSummary summary = summarize(dir);
  QCOMPARE(summary.name, summary.id);
  QVERIFY(std::isnan(summary.best));
  QCOMPARE(summary.started, 3.0);
}

void TestRunSummary::listsNewestFirst() {
  for (const char* id : {"20260102-120000-b", "20260101-120000-a", "20260103-120000-c"}) makeRun(id);
  fs::create_directories(home() / "notes");
  test::writeText(home() / "file.txt", "");
  const auto runs = listRuns(home());
  QCOMPARE(runs.size(), size_t(3));
  QCOMPARE(runs[0].id, std::string("20260103-120000-c"));
  QCOMPARE(runs[2].id, std::string("20260101-120000-a"));
  QCOMPARE(listRuns(home() / "nowhere").size(), size_t(0));
}

void TestRunSummary::listerSeesEveryChange() {
  const fs::path a = makeRun("20260101-120000-a", {at(1, "run_started", 0), at(2, "step", 10, {{"loss", 3}})});
  const fs::path b = makeRun("20260102-120000-b");
  RunLister lister(home());
  QCOMPARE(lister.list().size(), size_t(2));
  QCOMPARE(lister.list()[1].step, int64_t(10));
  test::appendText(a / "events.jsonl", toLine(at(3, "step", 20, {{"loss", 2}})) + "\n");
  QCOMPARE(lister.list()[1].step, int64_t(20));
  QCOMPARE(lister.list()[0].id, std::string("20260102-120000-b"));

  test::writeText(b / "state.json", R"({"state":"running"})");
  QVERIFY(lister.list()[0].seen.unexpected_end);
  {
    const auto lock = RunLock::take(b);
    QVERIFY_OK(lock);
    QCOMPARE(lister.list()[0].seen.state.state, State::Running);
  }
  QVERIFY(lister.list()[0].seen.unexpected_end);
  test::writeText(b / "checkpoints.json", R"({"best":{"value":0.5,"metric":"accuracy"}})");
  QCOMPARE(lister.list()[0].best, 0.5);
  fs::remove_all(b);
  makeRun("20260103-120000-c");
  QCOMPARE(lister.list().size(), size_t(2));
  QCOMPARE(lister.list()[0].id, std::string("20260103-120000-c"));
}

QTEST_APPLESS_MAIN(TestRunSummary)
#include "tst_run_summary.moc"
