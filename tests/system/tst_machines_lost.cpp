// Of several processes that train one run, one is killed, or the cable between two machines is cut.
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>

#include <QElapsedTimer>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/free_port.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

namespace {

// The keys of a run that does not end by itself, with a checkpoint after each epoch.
Keys endless() {
  Keys keys = endlessRun();
  keys["checkpoint.every_epochs"] = "1";
  keys["parallel.strategy"] = "\"data\"";
  keys["parallel.timeout"] = "3";
  return keys;
}

QStringList arguments(int rank, const QString& recipe, const QString& run, const QString& rendezvous) {
  return {"train", recipe, "--run-dir", run, "--nnodes", "2", "--node-rank", QString::number(rank), "--rendezvous", rendezvous};
}

// Network namespaces.
class TwoMachines {
 public:
  TwoMachines() {
    ready_ = ip({"netns", "add", name(0)}) && ip({"netns", "add", name(1)}) &&
             ip({"link", "add", "ty0", "netns", name(0), "type", "veth", "peer", "name", "ty0", "netns", name(1)});
    for (int machine = 0; machine < 2 && ready_; ++machine) {
      ready_ = ip({"-n", name(machine), "addr", "add", QString("10.78.0.%1/24").arg(machine + 1), "dev", "ty0"}) &&
               ip({"-n", name(machine), "link", "set", "ty0", "up"}) && ip({"-n", name(machine), "link", "set", "lo", "up"});
    }
  }
  ~TwoMachines() {
    ip({"netns", "del", name(0)});
    ip({"netns", "del", name(1)});
  }
  bool ready() const { return ready_; }
  bool cut() const { return ip({"-n", name(0), "link", "set", "ty0", "down"}); }

  // In the child, before the program starts there.
  std::function<void()> on(int machine) const {
    return [path = "/run/netns/" + name(machine).toStdString()] {
      const int space = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (space < 0 || ::setns(space, CLONE_NEWNET) != 0) ::_exit(99);
    };
  }

 private:
  static bool ip(const QStringList& arguments) {
    QProcess process;
    process.start("ip", arguments);
    return process.waitForFinished(5000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  }
  static QString name(int machine) { return QString("trainyard-%1-%2").arg(getpid()).arg(machine); }

  bool ready_ = false;
};

}  // namespace

class TestMachinesLost : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aKilledProcessIsNamed_data() {
    QTest::addColumn<int>("killed");
    QTest::newRow("rank 1") << 1;
    QTest::newRow("rank 0") << 0;
  }
  void aKilledProcessIsNamed() {
    QFETCH(int, killed);
    Sandbox sandbox;
    const QString recipe = sandbox.recipe("r.toml", endless()), run = sandbox.path("run"), rendezvous = QString("127.0.0.1:%1").arg(freePort());
    const auto first = sandbox.start(arguments(0, recipe, run, rendezvous)), second = sandbox.start(arguments(1, recipe, run, rendezvous));
    Watcher watcher(run);
    QVERIFY2(watcher.waitForCount("checkpoint", 1), first->errorsSoFar());
    QElapsedTimer clock;
    clock.start();
    (killed == 0 ? first : second)->signal(SIGKILL);
    const Ended ended = (killed == 0 ? second : first)->wait(12000);
    QVERIFY2(ended.in_time && ended.code == 5, ended.text());
    QVERIFY2(clock.elapsed() < 9000, qPrintable(QString::number(clock.elapsed())));
    const QByteArray& words = ended.err;
    QVERIFY2(words.contains("rank " + QByteArray::number(killed) + " (") && words.contains("is lost"), ended.text());
    if (killed == 1) QCOMPARE(stateOf(run), std::string("failed"));
    const auto resumed = sandbox.start({"resume", run});
    QVERIFY2(watcher.waitForCount("resumed", 1), resumed->errorsSoFar());
    resumed->signal(SIGINT);
    const Ended stopped = resumed->wait(15000);
    QVERIFY2(stopped.code == 130, stopped.text());
  }

  void aCutCableEndsBoth() {
    const TwoMachines machines;
    if (!machines.ready()) QSKIP("network namespaces need root and ip");
    Sandbox sandbox;
    const QString recipe = sandbox.recipe("r.toml", endless()), run = sandbox.path("run"), rendezvous = "10.78.0.1:29500";
    const auto first = sandbox.start(arguments(0, recipe, run, rendezvous), machines.on(0)),
               second = sandbox.start(arguments(1, recipe, run, rendezvous), machines.on(1));
    Watcher watcher(run);
    QVERIFY2(watcher.waitForCount("checkpoint", 1), first->errorsSoFar() + second->errorsSoFar());
    QVERIFY(machines.cut());
    QElapsedTimer clock;
    clock.start();
    const Ended zero = first->wait(20000), one = second->wait(20000);
    QVERIFY2(zero.in_time && zero.code == 5 && zero.err.contains("rank 1 (") && zero.err.contains("is lost"), zero.text());
    QVERIFY2(one.in_time && one.code == 5 && one.err.contains("rank 0 (") && one.err.contains("is lost"), one.text());
    QVERIFY2(clock.elapsed() < 15000, qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(stateOf(run), std::string("failed"));
    QVERIFY(!newestCheckpoint(run).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestMachinesLost)
#include "tst_machines_lost.moc"
