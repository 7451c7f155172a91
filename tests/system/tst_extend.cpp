// A run that is taken up again with something changed: more epochs, another learning rate, another recipe.
#include <algorithm>
#include <csignal>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestExtend : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void finishedRunGoesOn();
  void asManyEpochsAsThereWereIsNoExtension();
  void extendedTwice();
  void learningRateIsLowered();
  void harmlessKeysAreTaken();
  void otherKeysAreNamedAndRefused();
  void unreadableRecipeChangesNothing();

 private:
  static constexpr int kSteps = 23;  // an epoch
  // A copy of a finished run of two epochs.
  QString copyOfShort(const QString& name) const;
  // Until three steps were recorded after the last resume; those of the session before may have got further than its checkpoint.
  static bool waitForThreeSteps(Watcher& watcher);
  static Json lastSet(const QString& run, const char* key);
  static QByteArray everything(const QString& run) { return readBytes(run + "/events.jsonl") + readBytes(run + "/state.json") + readBytes(run + "/checkpoints.json"); }
  void compare(const QString& run) const;  // with four epochs at one stretch

  Sandbox sandbox_;
  Keys keys_;
  QString short_, long_;
};

void TestExtend::initTestCase() {
  keys_ = {{"train.epochs", "2"}, {"schedule.type", "\"step\""}, {"schedule.step_size", "1"}, {"schedule.gamma", "0.5"}};
  short_ = sandbox_.path("short");
  long_ = sandbox_.path("long");
  const QString recipe = sandbox_.recipe("recipe.toml", keys_);
  const Ended two = sandbox_.run({"train", recipe, "--run-dir", short_});
  QVERIFY2(two.code == 0, two.text());
  const Ended four = sandbox_.run({"train", recipe, "--run-dir", long_, "--set", "train.epochs=4"});
  QVERIFY2(four.code == 0, four.text());
  QCOMPARE(series(long_, "step", "loss").size(), size_t(4 * kSteps));
}

QString TestExtend::copyOfShort(const QString& name) const {
  const QString run = sandbox_.path(name);
  QProcess copy;
  copy.start("cp", {"-a", short_, run});
  if (!copy.waitForFinished() || copy.exitCode() != 0) qFatal("cannot copy the run");
  return run;
}

bool TestExtend::waitForThreeSteps(Watcher& watcher) {
  return waitUntil([&] {
    const auto& events = watcher.events();
    const auto resumed = std::find_if(events.rbegin(), events.rend(), [](const runs::Event& event) { return event.type == "resumed"; });
    return std::count_if(resumed.base(), events.end(), [](const runs::Event& event) { return event.type == "step"; }) >= 3;
  });
}

Json TestExtend::lastSet(const QString& run, const char* key) {
  Watcher watcher(run);
  Json found;
  for (const auto& event : watcher.events()) {
    if (event.type == "set" && event.fields.value("key", "") == key) found = event.fields;
  }
  return found;
}

void TestExtend::compare(const QString& run) const {
  QCOMPARE(stateOf(run), std::string("finished"));
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  for (const char* field : {"loss", "lr"}) QVERIFY2(series(run, "step", field) == series(long_, "step", field), field);
  QVERIFY(series(run, "eval", "loss") == series(long_, "eval", "loss"));
  QVERIFY(weights(run) == weights(long_));
  QVERIFY(optimizerState(run) == optimizerState(long_));
}

void TestExtend::finishedRunGoesOn() {
  const QString run = copyOfShort("extended");
  const QByteArray recipe = readBytes(run + "/recipe.toml"), before = everything(run);
  const Ended plain = sandbox_.run({"resume", run, "--json"});
  QVERIFY2(plain.code == 2 && plain.error("code") == "usage", plain.text());
  QVERIFY2(plain.error("hint").find("--epochs") != std::string::npos, plain.text());
  QCOMPARE(everything(run), before);

  const Ended ended = sandbox_.run({"resume", run, "--epochs", "4", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(ended.json().at("steps").get<int>(), 4 * kSteps);
  QCOMPARE(ended.json().at("epochs").get<int>(), 4);
  compare(run);
  QCOMPARE(readBytes(run + "/recipe.toml"), recipe);
  const Json changes = readJson(run + "/changes.json");
  QCOMPARE(changes.size(), size_t(1));
  QVERIFY2(changes[0].at("key") == "train.epochs" && changes[0].at("from") == 2 && changes[0].at("to") == 4, changes.dump().c_str());
  const Json set = lastSet(run, "train.epochs");
  QVERIFY2(set.value("from", 0) == 2 && set.value("to", 0) == 4, set.dump().c_str());
  Watcher watcher(run);
  QCOMPARE(static_cast<int>(watcher.last("resumed")->number("steps_total")), 4 * kSteps);
  QCOMPARE(static_cast<int>(watcher.last("resumed")->number("epochs")), 4);
  const Ended show = sandbox_.run({"runs", "show", run, "--json"});
  QVERIFY2(show.code == 0 && show.json().at("steps") == 4 * kSteps && show.json().at("epochs") == 4 && show.json().at("state") == "finished", show.text());
  const Ended evaluate = sandbox_.run({"evaluate", run, "--json"});
  QVERIFY2(evaluate.code == 0, evaluate.text());
}

void TestExtend::asManyEpochsAsThereWereIsNoExtension() {
  const QString run = copyOfShort("no-extension");
  const QByteArray before = everything(run);
  for (const char* epochs : {"1", "2"}) {
    const Ended ended = sandbox_.run({"resume", run, "--epochs", epochs, "--json"});
    QVERIFY2(ended.code == 2 && ended.error("code") == "usage", ended.text());
    QVERIFY2(ended.error("what").find("2 epochs behind it") != std::string::npos && !ended.error("hint").empty(), ended.text());
  }
  const Ended none = sandbox_.run({"resume", run, "--epochs", "0"});
  QCOMPARE(none.code, 2);
  QCOMPARE(everything(run), before);
  QVERIFY(!QFile::exists(run + "/changes.json"));
}

// What the first extension changed holds for the second.
void TestExtend::extendedTwice() {
  const QString run = copyOfShort("twice");
  const Ended three = sandbox_.run({"resume", run, "--epochs", "3"});
  QVERIFY2(three.code == 0, three.text());
  QCOMPARE(sandbox_.run({"resume", run, "--epochs", "3"}).code, 2);
  const Ended four = sandbox_.run({"resume", run, "--epochs", "4"});
  QVERIFY2(four.code == 0, four.text());
  compare(run);
  QCOMPARE(readJson(run + "/changes.json").size(), size_t(2));
  QVERIFY(lastSet(run, "train.epochs").value("from", 0) == 3);
}

void TestExtend::learningRateIsLowered() {
  const QString run = sandbox_.path("lowered");
  Keys keys = endlessRun();
  keys["checkpoint.every_epochs"] = "1";
  auto program = sandbox_.start({"train", sandbox_.recipe("endless.toml", keys), "--run-dir", run});
  QVERIFY2(Watcher(run).waitForCount("checkpoint", 1), program->errorsSoFar());
  program->signal(SIGKILL);
  program->wait();

  program = sandbox_.start({"resume", run, "--lr-factor", "0.1"});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForCount("set", 1), program->errorsSoFar());
  const int64_t from = watcher.last("resumed")->step.value_or(-1);
  QVERIFY2(waitForThreeSteps(watcher), program->errorsSoFar());
  program->signal(SIGKILL);
  program->wait();
  const Json set = lastSet(run, "lr");
  QVERIFY2(qFuzzyCompare(set.at("from").get<double>(), 1e-3) && qFuzzyCompare(set.at("to").get<double>(), 1e-4), set.dump().c_str());
  for (const auto& [step, lr] : series(run, "step", "lr")) QVERIFY2(qFuzzyCompare(lr, step > from ? 1e-4 : 1e-3), qPrintable(QString("%1: %2").arg(step).arg(lr)));

  // Nobody asks for it any more, and it holds.
  program = sandbox_.start({"resume", run});
  QVERIFY2(watcher.waitForCount("resumed", 2) && waitForThreeSteps(watcher), program->errorsSoFar());
  QVERIFY2(qFuzzyCompare(watcher.last("step")->number("lr"), 1e-4), runs::toLine(*watcher.last("step")).c_str());
  program->signal(SIGINT);
  QCOMPARE(program->wait().code, 130);
}

void TestExtend::harmlessKeysAreTaken() {
  Keys keys = keys_;
  keys["train.epochs"] = "4";
  keys["data.workers"] = "2";
  keys["checkpoint.keep"] = "1";
  keys["checkpoint.metric"] = "\"loss\"";
  const QString run = copyOfShort("harmless");
  const Ended ended = sandbox_.run({"resume", run, "--recipe", sandbox_.recipe("harmless.toml", keys)});
  QVERIFY2(ended.code == 0, ended.text());
  compare(run);
  QVERIFY2(lastSet(run, "data.workers") == Json({{"key", "data.workers"}, {"from", 1}, {"to", 2}}), lastSet(run, "data.workers").dump().c_str());
  for (const char* key : {"train.epochs", "checkpoint.keep", "checkpoint.metric"}) QVERIFY2(!lastSet(run, key).is_null(), key);
  QCOMPARE(Watcher(run).count("set"), 4);
  QVERIFY2(checkpoints(run).size() <= 2, qPrintable(checkpoints(run).join(' ')));
  QVERIFY(readJson(run + "/checkpoints.json").at("best").at("metric") == "loss");
}

void TestExtend::otherKeysAreNamedAndRefused() {
  Keys keys = keys_;
  keys["train.epochs"] = "4";
  keys["optimizer.lr"] = "0.001";
  keys["train.batch_size"] = "32";
  const QString run = copyOfShort("refused"), recipe = sandbox_.recipe("refused.toml", keys, "[[augment]]\nop = \"random_crop\"\nsize = 8\npadding = 1\n");
  const QByteArray before = everything(run);
  const Ended ended = sandbox_.run({"resume", run, "--recipe", recipe, "--json"});
  QVERIFY2(ended.code == 2 && ended.error("code") == "recipe", ended.text());
  for (const char* part : {"optimizer.lr 0.003 → 0.001", "train.batch_size 64 → 32", "augment"}) QVERIFY2(ended.error("what").find(part) != std::string::npos, ended.text());
  QVERIFY2(ended.error("what").find("epochs") == std::string::npos, ended.text());
  QVERIFY2(ended.error("where").find("refused.toml") != std::string::npos && ended.error("hint").find("--lr-factor") != std::string::npos, ended.text());
  QCOMPARE(everything(run), before);
  QVERIFY(!QFile::exists(run + "/changes.json"));
}

void TestExtend::unreadableRecipeChangesNothing() {
  const QString run = copyOfShort("unreadable");
  const QByteArray before = everything(run);
  const Ended broken = sandbox_.run({"resume", run, "--recipe", sandbox_.write("broken.toml", "[train\n"), "--json"});
  QVERIFY2(broken.code == 2 && broken.error("where").find("broken.toml") != std::string::npos, broken.text());
  const Ended missing = sandbox_.run({"resume", run, "--recipe", sandbox_.path("missing.toml")});
  QCOMPARE(missing.code, 2);
  const Ended factor = sandbox_.run({"resume", run, "--lr-factor", "0"});
  QCOMPARE(factor.code, 2);
  QCOMPARE(everything(run), before);
}

QTEST_GUILESS_MAIN(TestExtend)
#include "tst_extend.moc"
