// Checkpoints survive what happens to the machine: a kill in the middle of writing, damage on the disk; and they do not pile up.
#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestCheckpoints : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void newestStayAndTheBest();
  void killedWhileACheckpointIsWritten();
  void killedBeforeTheIndexWasWritten();
  void oneDamagedOfSeveralIsPassedOver();
  void damagedCheckpointIsRefused_data();
  void damagedCheckpointIsRefused();

 private:
  static QStringList entries(const QString& run) {
    return QDir(run + "/checkpoints").entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
  }
  static void damage(const QString& file, int cut);
  // A copy of a run that was killed after its second checkpoint.
  QString killedRun(const QString& name);
  // Takes the run up until `more` further checkpoints are written, then stops it in order.
  void goOn(const QString& run, int more);

  Sandbox sandbox_;
  QString recipe_, killed_;
};

void TestCheckpoints::initTestCase() {
  recipe_ = sandbox_.recipe("often.toml", {{"train.epochs", "1000000"}, {"checkpoint.keep", "2"}});
  killed_ = sandbox_.path("killed");
  auto program = sandbox_.start({"train", recipe_, "--run-dir", killed_});
  QVERIFY2(Watcher(killed_).waitForCount("checkpoint", 3), program->errorsSoFar());
  program->signal(SIGKILL);
  QCOMPARE(program->wait().code, -1);
}

QString TestCheckpoints::killedRun(const QString& name) {
  const QString run = sandbox_.path(name);
  QProcess copy;
  copy.start("cp", {"-a", killed_, run});
  if (!copy.waitForFinished() || copy.exitCode() != 0) qFatal("cannot copy the run");
  return run;
}

void TestCheckpoints::goOn(const QString& run, int more) {
  Watcher watcher(run);
  const int written = watcher.count("checkpoint");
  auto program = sandbox_.start({"resume", run});
  QVERIFY2(watcher.waitForCount("checkpoint", written + more), program->errorsSoFar());
  program->signal(SIGINT);
  const Ended ended = program->wait();
  QVERIFY2(ended.code == 130, ended.text());
}

void TestCheckpoints::newestStayAndTheBest() {
  const QString run = sandbox_.path("rotated");
  const Ended ended = sandbox_.run({"train", recipe_, "--run-dir", run, "--set", "train.epochs=7", "--set", "checkpoint.metric=\"loss\""});
  QVERIFY2(ended.code == 0, ended.text());
  std::map<int64_t, double> losses = series(run, "eval", "loss");
  QCOMPARE(losses.size(), size_t(7));
  const auto best = std::min_element(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const Json index = readJson(run + "/checkpoints.json");
  QCOMPARE(index.at("best").at("step").get<int64_t>(), best->first);
  QCOMPARE(index.at("best").at("value").get<double>(), best->second);
  QStringList right;
  for (const int64_t step : std::set<int64_t>{best->first, 6 * 23, 7 * 23}) right += QString("step-%1").arg(step, 8, 10, QChar('0'));
  QCOMPARE(entries(run), right);
}

void TestCheckpoints::killedWhileACheckpointIsWritten() {
  const QString run = killedRun("again-and-again");
  for (int round = 0; round < 5; ++round) {
    Watcher watcher(run);
    const int written = watcher.count("checkpoint");
    auto program = sandbox_.start({"resume", run});
    QVERIFY2(watcher.waitForCount("checkpoint", written + 1 + round), program->errorsSoFar());
    const QStringList before = entries(run);
    QVERIFY(waitUntil([&] { return entries(run) != before; }));
    program->signal(SIGKILL);
    QCOMPARE(program->wait().code, -1);
    const QString latest = QString::fromStdString(readJson(run + "/checkpoints.json").at("latest").get<std::string>());
    QVERIFY2(QFile::exists(run + "/" + latest + "/model.safetensors"), qPrintable(latest));
    const Ended evaluate = sandbox_.run({"evaluate", run, "--json"});
    QVERIFY2(evaluate.code == 0, evaluate.text());
  }
  goOn(run, 3);
  QVERIFY2(entries(run).size() <= 3, qPrintable(entries(run).join(' ')));  // the newest two and the best: no leftovers of what was cut short
  for (const QString& entry : entries(run)) QVERIFY2(entry.startsWith("step-"), qPrintable(entry));
}

void TestCheckpoints::killedBeforeTheIndexWasWritten() {
  const QString run = killedRun("unlisted");
  Json index = readJson(run + "/checkpoints.json");
  QVERIFY(index.at("all").size() >= 2);
  index["all"].erase(index["all"].size() - 1);
  index["latest"] = index["all"].back();
  QFile file(run + "/checkpoints.json");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(index.dump().c_str());
  file.close();
  goOn(run, 4);
  QVERIFY2(entries(run).size() <= 3, qPrintable(entries(run).join(' ')));
  QVERIFY(!newestCheckpoint(run).isEmpty());
}

void TestCheckpoints::damage(const QString& file, int cut) {
  QFile damaged(file);
  QVERIFY(damaged.open(QIODevice::ReadWrite));
  if (cut > 0) {
    QVERIFY(damaged.resize(damaged.size() - cut));
    return;
  }
  QVERIFY(damaged.seek(damaged.size() / 2));
  char byte = 0;
  QVERIFY(damaged.peek(&byte, 1) == 1);
  byte = static_cast<char>(byte ^ 0x40);
  QCOMPARE(damaged.write(&byte, 1), 1);
}

void TestCheckpoints::oneDamagedOfSeveralIsPassedOver() {
  const QString run = killedRun("one-damaged");
  const QStringList all = checkpoints(run);
  QVERIFY(all.size() >= 2);
  damage(all.last() + "/model.safetensors", 0);
  const int64_t older = all[all.size() - 2].right(8).toLongLong();
  goOn(run, 2);
  Watcher watcher(run);
  QCOMPARE(watcher.last("resumed")->step.value_or(-1), older);
  const runs::Event* notice = watcher.last("notice");
  QVERIFY2(notice && runs::toLine(*notice).find("model.safetensors") != std::string::npos, "what was passed over is said");
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
}

void TestCheckpoints::damagedCheckpointIsRefused_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("cut");  // bytes cut off the end; 0: one byte is changed instead
  QTest::newRow("weights, one byte") << "model.safetensors" << 0;
  QTest::newRow("weights, cut short") << "model.safetensors" << 100;
  QTest::newRow("optimizer, one byte") << "optimizer.safetensors" << 0;
  QTest::newRow("trainer, cut short") << "trainer.json" << 5;
}

void TestCheckpoints::damagedCheckpointIsRefused() {
  QFETCH(QString, file);
  QFETCH(int, cut);
  const QString run = killedRun("damaged-" + QString(QTest::currentDataTag()).replace(' ', '-'));
  for (const QString& checkpoint : checkpoints(run)) damage(checkpoint + "/" + file, cut);
  const QStringList before = entries(run);
  const Ended ended = sandbox_.run({"resume", run, "--json"});
  QVERIFY2(ended.code == 3 && ended.error("code") == "data", ended.text());
  QVERIFY2(ended.out.contains(file.toUtf8()), ended.text());
  QVERIFY(!ended.error("what").empty() && !ended.error("hint").empty());
  QCOMPARE(entries(run), before);
}

QTEST_GUILESS_MAIN(TestCheckpoints)
#include "tst_checkpoints.moc"
