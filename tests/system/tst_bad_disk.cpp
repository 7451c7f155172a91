// Run folders that cannot be made, cannot be written, or fill up.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

namespace {

constexpr int kCannotDrop = 120;

// The administrator may write everywhere; a program started after this may not.
void obeyPermissions() {
  if (geteuid() != 0) return;
  for (const unsigned long capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER}) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) _exit(kCannotDrop);
  }
}

void allow(const QString& folder, bool writing) {
  const auto reading = QFile::ReadOwner | QFile::ExeOwner;
  QFile::setPermissions(folder, writing ? reading | QFile::WriteOwner : reading);
}

// A small file system of its own at `folder`, for the life of the object.
class SmallDisk {
 public:
  SmallDisk(const QString& folder, const QString& size) : folder_(folder) {
    QDir().mkpath(folder);
    mounted_ = geteuid() == 0 && QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder}) == 0;
  }
  ~SmallDisk() {
    if (mounted_) QProcess::execute("umount", {"-l", folder_});
  }
  bool mounted() const { return mounted_; }
  // Writes a file until nothing more fits.
  void fill() {
    QFile file(folder_ + "/filler");
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) return;
    for (const int size : {65536, 4096, 1}) {
      while (file.write(QByteArray(size, 'x')) == size) {
      }
    }
  }
  void clear() { QFile::remove(folder_ + "/filler"); }

 private:
  QString folder_;
  bool mounted_ = false;
};

}  // namespace

class TestBadDisk : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void runFolderThatExists();
  void emptyRunFolderIsTaken();
  void placesWhereNothingCanBe_data();
  void placesWhereNothingCanBe();
  void readOnlyParent();
  void readOnlyRun();
  void fullFromTheStart();
  void fullForAWhile();
  void checkpointCallsFail_data();
  void checkpointCallsFail();
};

void TestBadDisk::runFolderThatExists() {
  Sandbox sandbox;
  const QString file = sandbox.write("run/thesis.txt", "mine");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml"), "--run-dir", sandbox.path("run"), "--json"});
  QVERIFY2(ended.code == 1 && ended.error("code") == "failed", ended.text());
  QVERIFY2(ended.error("where").find(sandbox.path("run").toStdString()) != std::string::npos, ended.text());
  QVERIFY2(!ended.error("hint").empty(), ended.text());
  QCOMPARE(QDir(sandbox.path("run")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"thesis.txt"});
  QCOMPARE(readBytes(file), QByteArray("mine"));
}

void TestBadDisk::emptyRunFolderIsTaken() {
  Sandbox sandbox;
  QDir().mkpath(sandbox.path("run"));
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", {{"train.epochs", "1"}}), "--run-dir", sandbox.path("run")});
  QVERIFY2(ended.code == 0, ended.text());
}

void TestBadDisk::placesWhereNothingCanBe_data() {
  QTest::addColumn<QString>("place");
  QTest::newRow("below a file") << "file/run";
  QTest::newRow("a file") << "file";
  QTest::newRow("below /proc") << "/proc/trainyard/run";
  QTest::newRow("a name too long") << QString(300, 'n');
}

void TestBadDisk::placesWhereNothingCanBe() {
  QFETCH(QString, place);
  Sandbox sandbox;
  sandbox.write("file", "mine");
  const QString run = place.startsWith('/') ? place : sandbox.path(place);
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml"), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 1 && ended.error("code") == "failed", ended.text());
  QVERIFY2(!ended.error("what").empty() && !ended.error("where").empty() && !ended.error("hint").empty(), ended.text());
  QCOMPARE(readBytes(sandbox.path("file")), QByteArray("mine"));
}

void TestBadDisk::readOnlyParent() {
  Sandbox sandbox;
  QDir().mkpath(sandbox.path("closed"));
  allow(sandbox.path("closed"), false);
  const Ended ended = sandbox.start({"train", sandbox.recipe("recipe.toml"), "--run-dir", sandbox.path("closed/run"), "--json"}, obeyPermissions)->wait();
  allow(sandbox.path("closed"), true);
  if (ended.code == kCannotDrop) QSKIP("this process may not give up its right to write everywhere");
  QVERIFY2(ended.code == 1 && ended.error("code") == "failed", ended.text());
  QVERIFY2(ended.error("where").find("closed") != std::string::npos && !ended.error("hint").empty(), ended.text());
  QVERIFY(QDir(sandbox.path("closed")).isEmpty());
}

void TestBadDisk::readOnlyRun() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  auto program = sandbox.start({"train", sandbox.recipe("recipe.toml", longerRun(20)), "--run-dir", run});
  QVERIFY2(Watcher(run).waitForCount("checkpoint", 1), program->errorsSoFar());
  program->signal(SIGKILL);
  program->wait();
  const QByteArray events = readBytes(run + "/events.jsonl"), state = readBytes(run + "/state.json");
  const auto all = QDir(run).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  for (const auto& entry : all) QFile::setPermissions(entry.filePath(), entry.isDir() ? QFile::ReadOwner | QFile::ExeOwner : QFile::ReadOwner);
  allow(run, false);
  const Ended ended = sandbox.start({"resume", run, "--json"}, obeyPermissions)->wait();
  const Ended show = sandbox.start({"runs", "show", run}, obeyPermissions)->wait();
  allow(run, true);
  for (const auto& entry : all) allow(entry.filePath(), true);
  if (ended.code == kCannotDrop) QSKIP("this process may not give up its right to write everywhere");
  QVERIFY2(ended.code == 1 && ended.error("code") == "failed", ended.text());
  QVERIFY2(ended.error("where").find(run.toStdString()) != std::string::npos && !ended.error("hint").empty(), ended.text());
  QCOMPARE(readBytes(run + "/events.jsonl"), events);
  QCOMPARE(readBytes(run + "/state.json"), state);
  QVERIFY2(show.code == 0, show.text());  // looking needs no writing
  const Ended again = sandbox.run({"resume", run});
  QVERIFY2(again.code == 0, again.text());
}

void TestBadDisk::fullFromTheStart() {
  Sandbox sandbox;
  SmallDisk disk(sandbox.path("disk"), "256k");
  if (!disk.mounted()) QSKIP("a small file system can be mounted by the administrator only");
  disk.fill();
  const QString run = sandbox.path("disk/run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml"), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 1 && ended.error("code") == "failed", ended.text());
  QVERIFY2(ended.error("what").find("No space left") != std::string::npos, ended.text());
  QVERIFY2(ended.error("where").find(run.toStdString()) != std::string::npos && ended.error("hint").find("space") != std::string::npos, ended.text());
  QVERIFY(stateOf(run) != "running");
}

void TestBadDisk::fullForAWhile() {
  Sandbox sandbox;
  SmallDisk disk(sandbox.path("disk"), "48m");
  if (!disk.mounted()) QSKIP("a small file system can be mounted by the administrator only");
  const QString run = sandbox.path("disk/run");
  Keys keys = endlessRun();
  keys["checkpoint.every_epochs"] = "1";
  keys["checkpoint.keep"] = "2";
  auto program = sandbox.start({"train", sandbox.recipe("recipe.toml", keys), "--run-dir", run, "--json"});
  Watcher watcher(run);
  QVERIFY2(watcher.waitForCount("checkpoint", 2), program->errorsSoFar());
  disk.fill();
  QVERIFY2(waitUntil([&] {
             disk.fill();  // what rotation gave back
             return program->errorsSoFar().contains("No space left");
           }),
           program->errorsSoFar());
  QVERIFY2(program->running(), "training goes on");
  disk.clear();
  const int before = watcher.count("checkpoint");
  QVERIFY2(watcher.waitForCount("checkpoint", before + 2), program->errorsSoFar());
  QVERIFY(send(run, {{"command", "stop"}}).value("ok", false));
  const Ended ended = program->wait();
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(stateOf(run), std::string("stopped"));
  const QByteArray fault = eventsFault(run);
  QVERIFY2(!fault.contains("torn") && !fault.contains("not an event"), fault);  // lines may be missing, never broken
  const QByteArray events = readBytes(run + "/events.jsonl");
  QVERIFY2(events.contains("No space left") || events.contains("events_lost"), "the window must learn of it too");
  QVERIFY(!newestCheckpoint(run).isEmpty());
  for (const QString& entry : QDir(run + "/checkpoints").entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
    QVERIFY2(entry.startsWith("step-"), qPrintable(entry));
  }
  const Ended evaluate = sandbox.run({"evaluate", run});
  QVERIFY2(evaluate.code == 0, evaluate.text());
}

void TestBadDisk::checkpointCallsFail_data() {
  QTest::addColumn<int>("from");  // of the calls below checkpoints/; the first makes the folder
  QTest::addColumn<int>("to");
  QTest::addColumn<int>("error");
  QTest::newRow("full at the first checkpoint") << 2 << 9 << ENOSPC;
  QTest::newRow("full in the middle of one") << 12 << 30 << ENOSPC;
  QTest::newRow("broken at the second") << 30 << 45 << EIO;
  QTest::newRow("one call fails") << 40 << 40 << EIO;
  QTest::newRow("short writes") << 1 << 1000 << 0;
}

void TestBadDisk::checkpointCallsFail() {
  QFETCH(int, from);
  QFETCH(int, to);
  QFETCH(int, error);
  Sandbox sandbox;
  const QString run = sandbox.path("run"), folder = run + "/checkpoints";
  const QString recipe = sandbox.recipe("recipe.toml", {{"train.epochs", "12"}, {"checkpoint.keep", "1"}, {"checkpoint.metric", "\"loss\""}});
  sandbox.environment().insert("LD_PRELOAD", FAIL_CALLS_LIBRARY);
  sandbox.environment().insert("FAIL_CALLS", QString("%1 %2 %3 %4").arg(from).arg(to).arg(error).arg(folder));
  const Ended ended = sandbox.run({"train", recipe, "--run-dir", run, "--json"});
  sandbox.environment().remove("LD_PRELOAD");
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  QCOMPARE(series(run, "step", "loss").size(), size_t(12 * 23));
  int failed = 0;
  Watcher watcher(run);
  for (const auto& event : watcher.events()) failed += event.fields.value("code", "") == "checkpoint_failed" ? 1 : 0;
  QVERIFY2(error == 0 ? failed == 0 : failed > 0, qPrintable(QString::number(failed)));
  QCOMPARE(watcher.count("checkpoint") + failed, 12);
  for (const QString& entry : QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) QVERIFY2(entry.startsWith("step-"), qPrintable(entry));
  QVERIFY(checkpoints(run).size() <= 2 && !newestCheckpoint(run).isEmpty());
  const Ended evaluate = sandbox.run({"evaluate", run});
  QVERIFY2(evaluate.code == 0, evaluate.text());
}

QTEST_GUILESS_MAIN(TestBadDisk)
#include "tst_bad_disk.moc"
