// A live run obeys: through `trainyard control`, through its socket, and through signals.
#include <csignal>

#include <QFileInfo>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestControl : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void commandsOfTheTerminal();
  void pausedMeansNoStep();
  void releaseGivesTheDeviceBack();
  void liveLearningRate();
  void refusals_data();
  void refusals();
  void signalStops_data();
  void signalStops();
  void pausedRunStopsOnSignal();
  void secondSignalEndsAtOnce();
  void notLive();
  void sockets_data();
  void sockets();
  void socketComesBack();
  void deviceEventsEverySecond();

 private:
  // Starts a run that goes on until it is stopped, and waits for its first steps.
  std::unique_ptr<Program> begin(Sandbox& sandbox, const QString& run, const QStringList& more = {});
  static void obeys(const QString& run, const Json& request);
};

std::unique_ptr<Program> TestControl::begin(Sandbox& sandbox, const QString& run, const QStringList& more) {
  auto program = sandbox.start(QStringList{"train", sandbox.recipe("endless.toml", endlessRun()), "--run-dir", run} + more);
  Watcher watcher(run);
  if (!watcher.waitForStep(3)) qWarning("the run did not start: %s", program->errorsSoFar().constData());
  return program;
}

void TestControl::obeys(const QString& run, const Json& request) {
  const Json answer = send(run, request);
  QVERIFY2(answer.value("ok", false), answer.dump().c_str());
}

void TestControl::commandsOfTheTerminal() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run, {"--json"});
  Watcher watcher(run);
  const auto control = [&](const QStringList& command) { return sandbox.run(QStringList{"control", run} + command + QStringList{"--json"}); };
  Ended ended = control({"pause"});
  QVERIFY2(ended.code == 0 && ended.json().value("ok", false), ended.text());
  QVERIFY(watcher.waitForState("paused"));
  ended = control({"resume"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(watcher.waitForState("running"));
  ended = control({"checkpoint"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(watcher.waitForCount("checkpoint", 1));
  ended = control({"set", "lr", "0.0005"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(watcher.waitForCount("set", 1));
  ended = sandbox.run({"control", run, "stop"});
  QVERIFY2(ended.code == 0, ended.text());
  const Ended train = program->wait();
  QVERIFY2(train.code == 0, train.text());
  QCOMPARE(train.json().at("state").get<std::string>(), std::string("stopped"));
  QCOMPARE(stateOf(run), std::string("stopped"));
  QVERIFY(!newestCheckpoint(run).isEmpty());
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  QCOMPARE(watcher.events().back().type, std::string("stopped"));
  QVERIFY(newestCheckpoint(run).endsWith(QString("step-%1").arg(watcher.lastStep(), 8, 10, QChar('0'))));
}

void TestControl::pausedMeansNoStep() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  Watcher watcher(run);
  obeys(run, {{"command", "pause"}});
  QVERIFY(watcher.waitForState("paused"));
  obeys(run, {{"command", "checkpoint"}});
  obeys(run, {{"command", "evaluate"}});
  QVERIFY(watcher.waitForCount("checkpoint", 1));
  QVERIFY(watcher.waitForCount("eval", 1));
  QVERIFY(program->running());
  obeys(run, {{"command", "resume"}});
  QVERIFY(watcher.waitForCount("continued", 1));
  QVERIFY(watcher.waitForStep(watcher.lastStep() + 3));
  QCOMPARE(stateOf(run), std::string("running"));
  bool paused = false;
  for (const auto& event : watcher.events()) {
    if (event.type == "paused") paused = true;
    if (event.type == "continued") paused = false;
    QVERIFY2(!(paused && event.type == "step"), runs::toLine(event).c_str());
  }
  QVERIFY(!paused);
}

void TestControl::releaseGivesTheDeviceBack() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  Watcher watcher(run);
  obeys(run, {{"command", "release"}});
  QVERIFY(watcher.waitForCount("released", 1));
  QVERIFY(watcher.waitForState("paused"));
  QVERIFY(readJson(run + "/state.json").value("released", false));
  const int64_t released_at = watcher.lastStep();
  QVERIFY(newestCheckpoint(run).endsWith(QString("step-%1").arg(released_at, 8, 10, QChar('0'))));
  obeys(run, {{"command", "resume"}});
  QVERIFY(watcher.waitForStep(released_at + 3));
  QVERIFY(!readJson(run + "/state.json").value("released", false));
  obeys(run, {{"command", "stop"}});
  QCOMPARE(program->wait().code, 0);
  int64_t step = 0;
  for (const auto& event : watcher.events()) {
    if (event.type == "step") QCOMPARE(event.step.value_or(-1), ++step);  // none lost, none twice
  }
}

void TestControl::liveLearningRate() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  Watcher watcher(run);
  QCOMPARE(watcher.last("step")->number("lr"), 0.001);
  obeys(run, {{"command", "set"}, {"values", {{"lr", 0.00025}}}});
  QVERIFY(watcher.waitForCount("set", 1));
  const runs::Event set = *watcher.last("set");
  QCOMPARE(set.fields.at("key").get<std::string>(), std::string("lr"));
  QCOMPARE(set.number("from"), 0.001);
  QCOMPARE(set.number("to"), 0.00025);
  QVERIFY(watcher.waitForStep(set.step.value_or(0) + 5));
  for (const auto& event : watcher.events()) {
    if (event.type == "step") QCOMPARE(event.number("lr"), event.seq < set.seq ? 0.001 : 0.00025);
  }
}

void TestControl::refusals_data() {
  QTest::addColumn<QStringList>("command");
  QTest::addColumn<QString>("named");
  QTest::newRow("unknown, near one") << QStringList{"puase"} << "pause";
  QTest::newRow("set without a value") << QStringList{"set", "lr"} << "lr";
  QTest::newRow("not a number") << QStringList{"set", "lr", "fast"} << "fast";
  QTest::newRow("negative rate") << QStringList{"set", "lr=-1"} << "lr";
  QTest::newRow("a key that cannot change") << QStringList{"set", "epochs", "3"} << "epochs";
}

void TestControl::refusals() {
  QFETCH(QStringList, command);
  QFETCH(QString, named);
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  const Ended ended = sandbox.run(QStringList{"control", run, "--json", "--"} + command);
  QVERIFY2(ended.code == 2, ended.text());
  QVERIFY2(ended.out.contains(named.toUtf8()), ended.text());
  QVERIFY(!ended.error("what").empty());
  Watcher watcher(run);
  QVERIFY(watcher.waitForStep(watcher.lastStep() + 2));
  QCOMPARE(watcher.count("set"), 0);
  QVERIFY(program->running());
}

void TestControl::signalStops_data() {
  QTest::addColumn<int>("number");
  QTest::newRow("SIGINT") << SIGINT;
  QTest::newRow("SIGTERM") << SIGTERM;
}

void TestControl::signalStops() {
  QFETCH(int, number);
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run, {"--json"});
  program->signal(number);
  const Ended ended = program->wait();
  QVERIFY2(ended.code == 130, ended.text());
  QVERIFY2(ended.json().is_object() && ended.json().at("state") == "stopped", ended.text());
  Watcher watcher(run);
  QCOMPARE(stateOf(run), std::string("stopped"));
  QCOMPARE(watcher.events().back().type, std::string("stopped"));
  QVERIFY(newestCheckpoint(run).endsWith(QString("step-%1").arg(watcher.lastStep(), 8, 10, QChar('0'))));
}

void TestControl::pausedRunStopsOnSignal() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  obeys(run, {{"command", "pause"}});
  QVERIFY(Watcher(run).waitForState("paused"));
  program->signal(SIGTERM);
  const Ended ended = program->wait();
  QVERIFY2(ended.code == 130, ended.text());
  QCOMPARE(stateOf(run), std::string("stopped"));
  QVERIFY(!newestCheckpoint(run).isEmpty());
}

void TestControl::secondSignalEndsAtOnce() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  program->signal(SIGINT);
  program->signal(SIGINT);  // may be merged with the first; then the run has stopped in order
  const Ended ended = program->wait(30000);
  QVERIFY2(ended.in_time && ended.code == 130, ended.text());
  QCOMPARE(sandbox.run({"runs", "show", run}).code, 0);
}

void TestControl::notLive() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  QCOMPARE(sandbox.run({"train", sandbox.recipe("short.toml", {{"train.epochs", "1"}}), "--run-dir", run}).code, 0);
  const Ended ended = sandbox.run({"control", run, "pause", "--json"});
  QVERIFY2(ended.code == 2 && ended.error("code") == "usage", ended.text());
  QVERIFY2(ended.error("what").find("finished") != std::string::npos || ended.error("hint").find("finished") != std::string::npos, ended.text());
}

void TestControl::sockets_data() {
  QTest::addColumn<QString>("runtime");
  QTest::addColumn<int>("depth");
  QTest::newRow("as usual") << "runtime" << 0;
  QTest::newRow("no XDG_RUNTIME_DIR") << "" << 0;
  QTest::newRow("XDG_RUNTIME_DIR that is not there") << "absent" << 0;
  QTest::newRow("XDG_RUNTIME_DIR too long for a socket") << "runtime/" + QString(120, 'r') << 0;
  QTest::newRow("run folder too long for a socket") << "runtime" << 4;
}

void TestControl::sockets() {
  QFETCH(QString, runtime);
  QFETCH(int, depth);
  Sandbox sandbox;
  if (runtime.isEmpty())
    sandbox.environment().remove("XDG_RUNTIME_DIR");
  else
    sandbox.environment().insert("XDG_RUNTIME_DIR", sandbox.path(runtime));
  if (runtime.size() > 100) sandbox.write(runtime + "/keep", "");
  QString run = sandbox.path("run");
  for (int i = 0; i < depth; ++i) run += "/" + QString(60, 'd');
  auto program = begin(sandbox, run);
  const QString socket = QString::fromStdString(readJson(run + "/state.json").value("socket", ""));
  QVERIFY(!socket.isEmpty());
  QVERIFY2(socket.toUtf8().size() <= 107, qPrintable(socket));
  QVERIFY(!(QFileInfo(socket).permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
  const Ended stop = sandbox.run({"control", run, "stop"});
  QVERIFY2(stop.code == 0, stop.text());
  QCOMPARE(program->wait().code, 0);
  QVERIFY2(!QFileInfo::exists(socket), "the socket is gone with its run");
}

void TestControl::socketComesBack() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  const QString socket = QString::fromStdString(readJson(run + "/state.json").value("socket", ""));
  QVERIFY(QFile::remove(socket));
  QVERIFY(waitUntil([&] { return QFileInfo::exists(socket); }, 20000));
  QVERIFY(waitUntil([&] { return send(run, {{"command", "stop"}}).value("ok", false); }, 20000));
  QCOMPARE(program->wait().code, 0);
}

void TestControl::deviceEventsEverySecond() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = begin(sandbox, run);
  Watcher watcher(run);
  QVERIFY(watcher.waitForCount("device", 3));
  const runs::Event device = *watcher.last("device");
  QCOMPARE(device.fields.at("device").get<std::string>(), std::string("cpu"));
  QVERIFY(device.number("memory_used_bytes") > 1e6);
  QVERIFY(device.number("memory_total_bytes") > device.number("memory_used_bytes"));
  QVERIFY(device.number("utilization") > 0 && device.number("utilization") <= 1.001);
  QVERIFY2(!device.fields.contains("temperature_c"), "what is unknown is absent");
  std::vector<double> times;
  for (const auto& event : watcher.events()) {
    if (event.type == "device") times.push_back(event.time);
  }
  for (size_t i = 1; i < times.size(); ++i) QVERIFY(times[i] - times[i - 1] > 0.5);
}

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
