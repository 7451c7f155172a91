// Whatever ends a run, it can be taken up again, and the numbers are those of a run that nothing ended.
#include <csignal>
#include <random>

#include <QDir>
#include <QElapsedTimer>
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
  void killedTwentyTimesEqualsUndisturbed();
  void everythingSwitchedOnEqualsUndisturbed();
  void tornLastLine();
  void twoEnginesOnOneRun();

 private:
  static constexpr int kEpochs = 6;  // of 45 steps
  std::unique_ptr<Program> begin(const QString& run) { return sandbox_.start({"train", recipe_, "--run-dir", run}); }
  // Starts the run, or takes it up, and kills it at least `steps` later, after its first checkpoint.
  void kill(const QString& run, int steps);
  void compare(const QString& run) { compareTo(undisturbed_, run); }
  static void compareTo(const QString& undisturbed, const QString& run);

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

void TestRecovery::compareTo(const QString& undisturbed, const QString& run) {
  QCOMPARE(stateOf(run), std::string("finished"));
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  for (const char* field : {"loss", "lr", "grad_norm"}) QVERIFY2(series(run, "step", field) == series(undisturbed, "step", field), field);
  QVERIFY(series(run, "eval", "loss") == series(undisturbed, "eval", "loss"));
  QVERIFY2(weights(run) == weights(undisturbed), "model.safetensors differs");
  QVERIFY2(optimizerState(run) == optimizerState(undisturbed), "optimizer.safetensors differs");
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

// At random moments: while it starts, loads, trains, writes. Every update is recorded and every epoch saved.
void TestRecovery::killedTwentyTimesEqualsUndisturbed() {
  const QString recipe = sandbox_.recipe("short-epochs.toml", {{"train.epochs", "150"}, {"checkpoint.keep", "1"}});
  const QString reference = sandbox_.path("short-epochs"), run = sandbox_.path("twenty-kills");
  const Ended whole = sandbox_.run({"train", recipe, "--run-dir", reference});
  QVERIFY2(whole.code == 0, whole.text());
  std::mt19937 random(20261201);
  int kills = 0;
  for (; kills < 20; ++kills) {
    const bool fresh = checkpoints(run).isEmpty();
    if (fresh) QDir(run).removeRecursively();
    auto program = fresh ? sandbox_.start({"train", recipe, "--run-dir", run}) : sandbox_.start({"resume", run});
    Watcher watcher(run);
    const int wanted = watcher.count("checkpoint") + (kills % 4 == 3 ? 0 : 1);
    QVERIFY2(waitUntil([&] { return watcher.count("checkpoint") >= wanted || !program->running(); }), program->errorsSoFar());
    QElapsedTimer timer;
    timer.start();
    const qint64 moment = static_cast<qint64>(random() % (kills % 4 == 3 ? 600'000'000 : 20'000'000));  // ns
    while (timer.nsecsElapsed() < moment) {
    }
    program->signal(SIGKILL);
    if (program->wait().code != -1) break;  // it was quicker
    if (fresh) continue;
    const Ended evaluate = kills % 5 == 0 ? sandbox_.run({"evaluate", run, "--json"}) : Ended{0, true, {}, {}};
    QVERIFY2(evaluate.code == 0, evaluate.text());
  }
  QVERIFY2(kills >= 15, qPrintable(QString::number(kills)));
  const Ended ended = stateOf(run) == "finished" ? Ended{0, true, {}, {}} : sandbox_.run({"resume", run});
  QVERIFY2(ended.code == 0, ended.text());
  compareTo(reference, run);
  QCOMPARE(Watcher(run).count("failed"), 0);
  QVERIFY(readJson(run + "/checkpoints.json").at("best") == readJson(reference + "/checkpoints.json").at("best"));
  const auto entries = [](const QString& dir) { return QDir(dir + "/checkpoints").entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name); };
  QCOMPARE(entries(run), entries(reference));
  for (const QString& entry : QDir(run).entryList(QDir::AllEntries | QDir::Hidden)) QVERIFY2(!entry.contains(".new."), qPrintable(entry));
}

// Stopped in the middle of an epoch, then killed, and taken up with other loader threads.
void TestRecovery::everythingSwitchedOnEqualsUndisturbed() {
  Keys keys = longerRun(kEpochs);
  keys["schedule.type"] = "\"reduce_on_plateau\"";
  keys["schedule.patience"] = "0";
  keys["schedule.threshold"] = "0.5";
  keys["train.accumulate"] = "2";
  keys["train.ema_decay"] = "0.99";
  keys["train.early_stop"] = "50";
  keys["train.log_every"] = "7";
  keys["checkpoint.metric"] = "\"loss\"";
  const QByteArray mixing = "[[augment]]\nop = \"random_crop\"\nsize = 8\npadding = 1\n[[augment]]\nop = \"mixup\"\n";
  const QString recipe = sandbox_.recipe("all.toml", keys, mixing), reference = sandbox_.path("all"), run = sandbox_.path("all-resumed");
  const Ended whole = sandbox_.run({"train", recipe, "--run-dir", reference});
  QVERIFY2(whole.code == 0, whole.text());
  const auto rates = series(reference, "step", "lr");
  QVERIFY2(rates.rbegin()->second < rates.begin()->second, "the schedule has something to remember");

  auto program = sandbox_.start({"train", recipe, "--run-dir", run});
  QVERIFY2(Watcher(run).waitForStep(63), program->errorsSoFar());
  program->signal(SIGINT);
  QCOMPARE(program->wait().code, 130);
  keys["data.workers"] = "3";
  program = sandbox_.start({"resume", run, "--recipe", sandbox_.recipe("all-workers.toml", keys, mixing)});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForCount("resumed", 1) && watcher.waitForStep(*watcher.last("resumed")->step + 50), program->errorsSoFar());
  program->signal(SIGKILL);
  QCOMPARE(program->wait().code, -1);
  const Ended ended = sandbox_.run({"resume", run});
  QVERIFY2(ended.code == 0, ended.text());
  compareTo(reference, run);
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
