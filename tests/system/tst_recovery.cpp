// Whatever ends a run, it can be taken up again, and the numbers are those of a run that nothing ended.
#include <csignal>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestRecovery : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void killedRunShowsAsFailed();
  void killedThriceEqualsUndisturbed();
  void stoppedAndResumedEqualsUndisturbed();
  void pausedAndReleasedEqualsUndisturbed();
  void tornLastLine();
  void twoEnginesOnOneRun();

 private:
  static constexpr int kEpochs = 6;  // of 45 steps
  std::unique_ptr<Program> begin(const QString& run) { return sandbox_.start({"train", recipe_, "--run-dir", run}); }
  // Starts the run, or takes it up, and kills it at least `steps` later, after its first checkpoint.
  void kill(const QString& run, int steps);
  void compare(const QString& run);

  Sandbox sandbox_;
  QString recipe_, undisturbed_;
};

void TestRecovery::initTestCase() {
  Keys keys = longerRun(kEpochs);
  keys["schedule.type"] = "\"step\"";
  keys["schedule.step_size"] = "2";
  keys["schedule.gamma"] = "0.5";
  keys["train.clip_norm"] = "1.0";
  recipe_ = sandbox_.recipe("recipe.toml", keys, "[[augment]]\nop = \"random_crop\"\nsize = 8\npadding = 1\n");
  undisturbed_ = sandbox_.path("undisturbed");
  const Ended ended = begin(undisturbed_)->wait();
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(series(undisturbed_, "step", "loss").size(), size_t(kEpochs * 45));
  QVERIFY(weights(undisturbed_).size() > 100000);
}

void TestRecovery::kill(const QString& run, int steps) {
  Watcher watcher(run);
  const bool fresh = !QDir(run).exists();
  const int taken_up = watcher.count("resumed");
  auto program = fresh ? begin(run) : sandbox_.start({"resume", run});
  if (!fresh) QVERIFY2(watcher.waitForCount("resumed", taken_up + 1), program->errorsSoFar());
  const int64_t from = fresh ? 0 : watcher.last("resumed")->step.value_or(0);
  const auto far_enough = [&] { return watcher.lastStep() >= from + steps && watcher.events().back().type == "step" && watcher.count("checkpoint") > 0; };
  QVERIFY2(waitUntil(far_enough), program->errorsSoFar());
  program->signal(SIGKILL);
  const Ended ended = program->wait();
  QCOMPARE(ended.code, -1);
  QVERIFY(watcher.lastStep() < kEpochs * 45);
}

void TestRecovery::compare(const QString& run) {
  QCOMPARE(stateOf(run), std::string("finished"));
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  for (const char* field : {"loss", "lr", "grad_norm"}) QVERIFY2(series(run, "step", field) == series(undisturbed_, "step", field), field);
  QVERIFY(series(run, "eval", "loss") == series(undisturbed_, "eval", "loss"));
  QVERIFY2(weights(run) == weights(undisturbed_), "model.safetensors differs");
  QVERIFY2(optimizerState(run) == optimizerState(undisturbed_), "optimizer.safetensors differs");
}

void TestRecovery::killedRunShowsAsFailed() {
  const QString run = sandbox_.path("killed");
  kill(run, 60);
  QCOMPARE(stateOf(run), std::string("running"));  // nobody was left to write otherwise
  const QByteArray before = readBytes(run + "/state.json");
  const Ended show = sandbox_.run({"runs", "show", run, "--json"});
  QVERIFY2(show.code == 0, show.text());
  QCOMPARE(show.json().at("state").get<std::string>(), std::string("failed"));
  const Ended plain = sandbox_.run({"runs", "show", run});
  QVERIFY2(plain.out.contains("failed") && plain.out.contains("unexpectedly"), plain.text());
  QCOMPARE(readBytes(run + "/state.json"), before);  // readers never write
  const Ended control = sandbox_.run({"control", run, "pause", "--json"});
  QVERIFY2(control.code == 2 && control.error("code") == "usage", control.text());
  const Ended evaluate = sandbox_.run({"evaluate", run, "--json"});
  QVERIFY2(evaluate.code == 0, evaluate.text());
}

void TestRecovery::killedThriceEqualsUndisturbed() {
  const QString run = sandbox_.path("thrice");
  kill(run, 50);
  kill(run, 70);
  kill(run, 30);
  const Ended ended = sandbox_.run({"resume", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(ended.json().at("state").get<std::string>(), std::string("finished"));
  QCOMPARE(ended.json().at("steps").get<int>(), kEpochs * 45);
  QCOMPARE(Watcher(run).count("resumed"), 3);
  compare(run);
}

void TestRecovery::stoppedAndResumedEqualsUndisturbed() {
  const QString run = sandbox_.path("stopped");
  auto program = begin(run);
  QVERIFY(Watcher(run).waitForStep(55));
  program->signal(SIGINT);
  QCOMPARE(program->wait().code, 130);
  const int64_t at = Watcher(run).lastStep();
  const Ended ended = sandbox_.run({"resume", run});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(Watcher(run).last("resumed")->step.value_or(-1), at);  // in the middle of an epoch
  compare(run);
}

void TestRecovery::pausedAndReleasedEqualsUndisturbed() {
  const QString run = sandbox_.path("paused");
  auto program = begin(run);
  Watcher watcher(run);
  QVERIFY(watcher.waitForStep(10));
  for (const char* command : {"pause", "evaluate", "checkpoint", "resume"}) {
    const Json answer = send(run, {{"command", command}});
    QVERIFY2(answer.value("ok", false), answer.dump().c_str());
  }
  QVERIFY(watcher.waitForCount("continued", 1));
  QVERIFY(send(run, {{"command", "release"}}).value("ok", false));
  QVERIFY(watcher.waitForCount("released", 1));
  QVERIFY(send(run, {{"command", "resume"}}).value("ok", false));
  const Ended ended = program->wait();
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(series(run, "step", "loss"), series(undisturbed_, "step", "loss"));
  QVERIFY(weights(run) == weights(undisturbed_));
  QVERIFY(optimizerState(run) == optimizerState(undisturbed_));
}

void TestRecovery::tornLastLine() {
  const QString run = sandbox_.path("torn");
  kill(run, 50);
  QFile events(run + "/events.jsonl");
  QVERIFY(events.open(QIODevice::Append));
  events.write("{\"type\":\"step\",\"seq\":99999,\"lo");
  events.close();
  const Ended show = sandbox_.run({"runs", "show", run, "--json"});
  QVERIFY2(show.code == 0 && show.json().at("state") == "failed", show.text());
  const Ended ended = sandbox_.run({"resume", run});
  QVERIFY2(ended.code == 0, ended.text());
  compare(run);
}

void TestRecovery::twoEnginesOnOneRun() {
  const QString run = sandbox_.path("shared");
  auto first = sandbox_.start({"train", sandbox_.recipe("endless.toml", endlessRun()), "--run-dir", run});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForStep(3), first->errorsSoFar());
  const Ended second = sandbox_.run({"resume", run, "--json"});
  QVERIFY2(second.code == 1 && second.error("code") == "failed", second.text());
  QVERIFY2(second.error("what").find(std::to_string(first->pid())) != std::string::npos, second.text());
  QVERIFY(!second.error("hint").empty());
  const Ended third = sandbox_.run({"train", recipe_, "--run-dir", run, "--json"});
  QVERIFY2(third.code == 1 && third.error("where").find("shared") != std::string::npos, third.text());
  QVERIFY(watcher.waitForStep(watcher.lastStep() + 3));
  QCOMPARE(watcher.count("resumed") + watcher.count("failed"), 0);
  QVERIFY(send(run, {{"command", "stop"}}).value("ok", false));
  QCOMPARE(first->wait().code, 0);
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
}

QTEST_GUILESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
