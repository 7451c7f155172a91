// Several devices in one process, as the terminal has them: what is refused, and a live run that obeys.
#include <csignal>

#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestRanks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void refused_data();
  void refused();
  void aRefusedResumeTouchesNothing_data();
  void aRefusedResumeTouchesNothing();
  void aRunOnRanksObeys_data();
  void aRunOnRanksObeys();
  void signalStopsAllRanks();

 private:
  static QString cpus(int count) { return "[" + QStringList(QList<QString>(count, "\"cpu\"")).join(", ") + "]"; }
};

void TestRanks::refused_data() {
  QTest::addColumn<QStringList>("keys");  // key, value, key, value, …
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("where");
  QTest::addColumn<QString>("what");
  const QString strategy = "parallel.strategy", devices = "parallel.devices";
  QTest::newRow("more ranks than samples in a step") << QStringList{strategy, "\"data\"", devices, cpus(4), "train.batch_size", "3"} << 2 << "train.batch_size" << "4 devices share each step's 3 samples";
  QTest::newRow("the same, sharded") << QStringList{strategy, "\"sharded\"", devices, cpus(2), "train.batch_size", "1"} << 2 << "train.batch_size" << "2 devices share each step's 1 sample";
  QTest::newRow("more stages than blocks") << QStringList{strategy, "\"pipeline\"", devices, cpus(12), "model.hidden", "[16]"} << 2 << "parallel.stages" << "12 stages are asked for, and the network has";
  QTest::newRow("unknown block") << QStringList{strategy, "\"pipeline\"", devices, cpus(2), "parallel.cuts", "[\"layer9\"]"} << 2 << "parallel.cuts" << "no block \"layer9\"";
  QTest::newRow("too many cuts") << QStringList{strategy, "\"pipeline\"", devices, cpus(2), "parallel.cuts", "[\"1\", \"2\"]"} << 2 << "parallel.cuts" << "2 cuts do not make 2 stages";
  QTest::newRow("3 devices, 2 stages") << QStringList{strategy, "\"pipeline\"", devices, cpus(3), "parallel.stages", "2"} << 2 << "parallel.stages" << "3 devices cannot be shared out in groups of 2";
  QTest::newRow("pipeline on one device") << QStringList{strategy, "\"pipeline\"", devices, cpus(1)} << 2 << "parallel.devices" << "at least two devices";
  QTest::newRow("single on two") << QStringList{strategy, "\"single\"", devices, cpus(2)} << 2 << "parallel.devices" << "\"single\" trains on one device; 2 are listed";
  QTest::newRow("cpu and cuda") << QStringList{strategy, "\"data\"", devices, "[\"cpu\", \"cuda:0\"]"} << 2 << "parallel.devices" << "cannot train together";
  QTest::newRow("a GPU twice") << QStringList{strategy, "\"data\"", devices, "[\"cuda:0\", \"cuda:0\"]"} << 2 << "parallel.devices" << "\"cuda:0\" is listed twice";
  QTest::newRow("auto among others") << QStringList{strategy, "\"data\"", devices, "[\"cpu\", \"auto\"]"} << 2 << "parallel.devices" << "auto";
  QTest::newRow("a GPU that is not there") << QStringList{strategy, "\"data\"", devices, "[\"cuda:62\", \"cuda:63\"]"} << 5 << "parallel.devices" << "cuda:62 is not there";
  QTest::newRow("muon in slices") << QStringList{strategy, "\"sharded\"", devices, cpus(2), "parallel.stage", "3", "optimizer.type", "\"muon\""} << 2 << "optimizer.type" << "\"muon\" works on whole matrices";
  QTest::newRow("sharded 2") << QStringList{strategy, "\"sharded\"", devices, cpus(2), "parallel.stage", "2"} << 2 << "parallel.stage" << "there is no stage 2";
  QTest::newRow("key of another strategy") << QStringList{strategy, "\"data\"", devices, cpus(2), "parallel.stages", "2"} << 2 << "parallel.stages" << "no key \"stages\"";
  QTest::newRow("unknown strategy") << QStringList{strategy, "\"pipelined\"", devices, cpus(2)} << 2 << "parallel.strategy" << "pipeline";
}

void TestRanks::refused() {
  QFETCH(QStringList, keys);
  QFETCH(int, code);
  QFETCH(QString, where);
  QFETCH(QString, what);
  Sandbox sandbox;
  Keys all;
  for (int i = 0; i < keys.size(); i += 2) all[keys[i]] = keys[i + 1];
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--json"});
  QVERIFY2(ended.code == code, ended.text());
  QVERIFY2(QString::fromStdString(ended.error("where")).contains(where), ended.text());
  QVERIFY2(QString::fromStdString(ended.error("what")).contains(what), ended.text());
  QVERIFY2(!ended.error("hint").empty(), ended.text());
  QVERIFY2(QDir(sandbox.runs()).isEmpty(), "a run folder was left behind");
}

void TestRanks::aRefusedResumeTouchesNothing_data() {
  QTest::addColumn<QStringList>("keys");
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QString>("where");
  QTest::addColumn<QString>("what");
  QTest::newRow("more stages than blocks") << QStringList{} << 12 << "parallel.stages" << "12 stages are asked for, and the network has";
  QTest::newRow("unknown block") << QStringList{"parallel.cuts", "[\"layer9\"]"} << 2 << "parallel.cuts" << "no block \"layer9\"";
  QTest::newRow("too many cuts") << QStringList{"parallel.cuts", "[\"1\", \"2\"]"} << 2 << "parallel.cuts" << "2 cuts do not make 2 stages";
}

void TestRanks::aRefusedResumeTouchesNothing() {
  QFETCH(QStringList, keys);
  QFETCH(int, ranks);
  QFETCH(QString, where);
  QFETCH(QString, what);
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  const Keys base{{"model.hidden", "[16]"}, {"train.epochs", "1"}};
  Keys longer = base, cut = base;
  longer["train.epochs"] = cut["train.epochs"] = "2";
  const Ended trained = sandbox.run({"train", sandbox.recipe("first.toml", base), "--run-dir", run});
  QVERIFY2(trained.code == 0, trained.text());
  const Ended resumed = sandbox.run({"resume", run, "--recipe", sandbox.recipe("longer.toml", longer)});  // so that there is a changes.json
  QVERIFY2(resumed.code == 0, resumed.text());
  cut["train.epochs"] = "3";
  cut["parallel.strategy"] = "\"pipeline\"";
  cut["parallel.devices"] = cpus(ranks);
  for (int i = 0; i < keys.size(); i += 2) cut[keys[i]] = keys[i + 1];
  const QStringList files{"events.jsonl", "state.json", "changes.json", "recipe.toml", "plan.json", "log.txt", "checkpoints/checkpoints.json"};
  QMap<QString, QByteArray> before;
  for (const QString& file : files) before[file] = readBytes(run + "/" + file);
  QVERIFY(!before["changes.json"].isEmpty());
  const Ended ended = sandbox.run({"resume", run, "--recipe", sandbox.recipe("cut.toml", cut), "--json"});
  QVERIFY2(ended.code == 2, ended.text());
  QVERIFY2(QString::fromStdString(ended.error("where")).contains(where), ended.text());
  QVERIFY2(QString::fromStdString(ended.error("what")).contains(what), ended.text());
  QVERIFY2(!ended.error("hint").empty(), ended.text());
  for (const QString& file : files) QVERIFY2(readBytes(run + "/" + file) == before[file], qPrintable(file + " has changed"));
}

void TestRanks::aRunOnRanksObeys_data() {
  QTest::addColumn<QString>("strategy");
  QTest::newRow("data") << "data";
  QTest::newRow("pipeline") << "pipeline";
  QTest::newRow("sharded") << "sharded";
}

void TestRanks::aRunOnRanksObeys() {
  QFETCH(QString, strategy);
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  Keys keys = endlessRun();
  keys["model.arch"] = "\"mlp\"";
  keys["parallel.strategy"] = "\"" + strategy + "\"";
  keys["parallel.devices"] = cpus(2);
  keys["parallel.timeout"] = "0.5";
  auto program = sandbox.start({"train", sandbox.recipe("endless.toml", keys), "--run-dir", run, "--json"});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForStep(3), program->errorsSoFar());
  const auto obeys = [&run](const Json& request) { return send(run, request).value("ok", false); };

  QVERIFY(obeys({{"command", "pause"}}));
  QVERIFY(watcher.waitForCount("paused", 1));
  const double paused = watcher.last("paused")->time;
  QVERIFY(obeys({{"command", "evaluate"}}));
  QVERIFY(watcher.waitForCount("eval", 1));
  QVERIFY(obeys({{"command", "checkpoint"}}));
  QVERIFY(watcher.waitForCount("checkpoint", 1));
  // A device event comes every second: longer than the ranks' patience with each other.
  QVERIFY(waitUntil([&] { return !watcher.events().empty() && watcher.last("device") != nullptr && watcher.last("device")->time > paused + 1.5; }, 20000));
  QVERIFY2(program->running(), program->errorsSoFar());
  QVERIFY(obeys({{"command", "resume"}}));
  QVERIFY(watcher.waitForStep(watcher.lastStep() + 3));

  QVERIFY(obeys({{"command", "set"}, {"values", {{"lr", 0.00025}}}}));
  QVERIFY(watcher.waitForCount("set", 1));
  const int64_t set_at = watcher.last("set")->step.value_or(0);
  QVERIFY(watcher.waitForStep(set_at + 2));
  QCOMPARE(watcher.last("step")->number("lr"), 0.00025);

  QVERIFY(obeys({{"command", "release"}}));
  QVERIFY(watcher.waitForCount("released", 1));
  const int64_t released_at = watcher.lastStep();
  QVERIFY(newestCheckpoint(run).endsWith(QString("step-%1").arg(released_at, 8, 10, QChar('0'))));
  QVERIFY(obeys({{"command", "resume"}}));
  QVERIFY2(watcher.waitForStep(released_at + 3), program->errorsSoFar());
  QVERIFY(obeys({{"command", "stop"}}));
  const Ended ended = program->wait(30000);
  QVERIFY2(ended.code == 0 && ended.json().at("state") == "stopped", ended.text());
  int64_t step = 0;
  for (const auto& event : watcher.events()) {
    if (event.type == "step") QCOMPARE(event.step.value_or(-1), ++step);  // none lost, none twice
    if (event.type == "eval") QCOMPARE(event.number("samples"), 359.0);
  }
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
}

void TestRanks::signalStopsAllRanks() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  Keys keys = endlessRun();
  keys["parallel.strategy"] = "\"data\"";
  keys["parallel.devices"] = cpus(3);
  auto program = sandbox.start({"train", sandbox.recipe("endless.toml", keys), "--run-dir", run, "--json"});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForStep(3), program->errorsSoFar());
  program->signal(SIGINT);
  const Ended ended = program->wait(30000);
  QVERIFY2(ended.code == 130, ended.text());
  QCOMPARE(stateOf(run), std::string("stopped"));
  QVERIFY(newestCheckpoint(run).endsWith(QString("step-%1").arg(watcher.lastStep(), 8, 10, QChar('0'))));
  // On one device, from where it stood.
  keys["parallel.strategy"] = "\"single\"";
  keys["parallel.devices"] = cpus(1);
  const int64_t stopped_at = watcher.lastStep();
  auto resumed = sandbox.start({"resume", run, "--recipe", sandbox.recipe("endless.toml", keys), "--json"});
  QVERIFY2(watcher.waitForStep(stopped_at + 3), resumed->errorsSoFar());
  resumed->signal(SIGINT);
  QCOMPARE(resumed->wait(30000).code, 130);
}

QTEST_GUILESS_MAIN(TestRanks)
#include "tst_ranks.moc"
