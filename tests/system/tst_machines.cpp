// Several processes train one run, as on several machines.
#include <csignal>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <cmath>

#include "tests/system/cli_runner.h"
#include "tests/system/free_port.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

namespace {

Keys several(Keys keys = {}) {
  keys.insert("parallel.strategy", "\"data\"");
  keys.insert("parallel.timeout", keys.value("parallel.timeout", "20"));
  return keys;
}

Keys oneEpoch() { return {{"train.epochs", "1"}, {"train.batch_size", "128"}}; }

// A run that does not end by itself.
Keys endless(const QString& timeout) {
  Keys keys = endlessRun();
  keys["checkpoint.every_epochs"] = "1";
  keys["parallel.timeout"] = timeout;
  return several(keys);
}

class Machines {
 public:
  explicit Machines(int port = freePort()) : port_(port) {}
  Sandbox& box() { return box_; }
  QString run() const { return box_.path("run"); }
  QString rendezvous() const { return QString("127.0.0.1:%1").arg(port_); }
  int port() const { return port_; }

  std::unique_ptr<Program> start(int rank, const QString& recipe, const QStringList& more = {}) {
    QStringList arguments{"train", recipe, "--nnodes", "2", "--node-rank", QString::number(rank), "--rendezvous", rendezvous()};
    if (rank == 0) arguments << "--run-dir" << run();
    return box_.start(arguments + more);
  }
  std::unique_ptr<Program> startBy(const QMap<QString, QString>& variables, int rank, const QString& recipe) {
    auto& environment = box_.environment();
    for (auto variable = variables.begin(); variable != variables.end(); ++variable) environment.insert(variable.key(), variable.value());
    QStringList arguments{"train", recipe};
    if (rank == 0) arguments << "--run-dir" << run();
    auto program = box_.start(arguments);
    for (auto variable = variables.begin(); variable != variables.end(); ++variable) environment.remove(variable.key());
    return program;
  }

 private:
  Sandbox box_;
  int port_;
};

// The largest difference of two series; -1 where they have other steps.
double apart(const std::map<int64_t, double>& a, const std::map<int64_t, double>& b) {
  if (a.size() != b.size()) return -1;
  double most = 0;
  for (const auto& [step, value] : a) {
    const auto found = b.find(step);
    if (found == b.end()) return -1;
    most = std::max(most, std::abs(found->second - value));
  }
  return most;
}

}  // namespace

class TestMachines : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void twoProcessesEqualOne() {
    Machines machines;
    const QString alone = machines.box().recipe("alone.toml", oneEpoch()), shared = machines.box().recipe("shared.toml", several(oneEpoch()));
    const QString one = machines.box().path("one");
    const Ended single = machines.box().run({"train", alone, "--run-dir", one});
    QVERIFY2(single.code == 0, single.text());
    const auto first = machines.start(0, shared), second = machines.start(1, shared, {"--json"});
    const Ended ended = first->wait(30000), other = second->wait(30000);
    QVERIFY2(ended.code == 0, ended.text());
    QVERIFY2(other.code == 0, other.text());
    QVERIFY2(other.err.contains("rank 1 of 2, trains for " + machines.rendezvous().toUtf8()), other.text());
    QCOMPARE(other.json().value("state", ""), std::string("finished"));
    const auto losses = series(one, "step", "loss"), theirs = series(machines.run(), "step", "loss");
    QVERIFY(losses.size() > 5);
    const double difference = apart(losses, theirs);
    QVERIFY2(difference >= 0 && difference < 1e-5, qPrintable(QString::number(difference)));
    QCOMPARE(eventsFault(machines.run()), QByteArray());
    QCOMPARE(stateOf(machines.run()), std::string("finished"));
    QVERIFY2(!QFileInfo::exists(machines.box().runs()), "rank 1 made a run of its own");
    // On one process it goes on.
    const Ended resumed = machines.box().run({"resume", machines.run(), "--epochs", "2"});
    QVERIFY2(resumed.code == 0, resumed.text());
  }

  void torchrunAndSlurmSayWho_data() {
    QTest::addColumn<bool>("slurm");
    QTest::newRow("torchrun") << false;
    QTest::newRow("Slurm") << true;
  }
  void torchrunAndSlurmSayWho() {
    QFETCH(bool, slurm);
    Machines machines;
    const QString recipe = machines.box().recipe("r.toml", several(oneEpoch()));
    std::vector<std::unique_ptr<Program>> programs;
    for (int rank = 0; rank < 2; ++rank) {
      QMap<QString, QString> variables{{"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", QString::number(machines.port())}};
      if (slurm)
        variables.insert({{"SLURM_PROCID", QString::number(rank)}, {"SLURM_NTASKS", "2"}, {"SLURM_LOCALID", QString::number(rank)}, {"SLURM_JOB_ID", "77"}});
      else
        variables.insert({{"RANK", QString::number(rank)}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", QString::number(rank)}, {"LOCAL_WORLD_SIZE", "2"}});
      programs.push_back(machines.startBy(variables, rank, recipe));
    }
    for (const auto& program : programs) {
      const Ended ended = program->wait(30000);
      QVERIFY2(ended.code == 0, ended.text());
    }
    QCOMPARE(stateOf(machines.run()), std::string("finished"));
  }

  void resumesOnTwoProcesses() {
    Machines machines;
    const QString recipe = machines.box().recipe("r.toml", several(oneEpoch()));
    {
      const auto first = machines.start(0, recipe), second = machines.start(1, recipe);
      const Ended ended = first->wait(30000);
      QVERIFY2(ended.code == 0, ended.text());
      QCOMPARE(second->wait(10000).code, 0);
    }
    const auto resume = [&](int rank) {
      return machines.box().start(
          {"resume", machines.run(), "--epochs", "2", "--nnodes", "2", "--node-rank", QString::number(rank), "--rendezvous", machines.rendezvous()});
    };
    const auto first = resume(0), second = resume(1);
    const Ended ended = first->wait(30000), other = second->wait(10000);
    QVERIFY2(ended.code == 0, ended.text());
    QVERIFY2(other.code == 0, other.text());
    const QString one = machines.box().path("one");
    const Ended single =
        machines.box().run({"train", machines.box().recipe("alone.toml", {{"train.epochs", "2"}, {"train.batch_size", "128"}}), "--run-dir", one});
    QVERIFY2(single.code == 0, single.text());
    const double difference = apart(series(one, "step", "loss"), series(machines.run(), "step", "loss"));
    QVERIFY2(difference >= 0 && difference < 1e-4, qPrintable(QString::number(difference)));
  }

  void anInterruptAnywhereStopsInOrder() {
    Machines machines;
    const QString recipe = machines.box().recipe("r.toml", endless("10"));
    const auto first = machines.start(0, recipe), second = machines.start(1, recipe);
    Watcher watcher(machines.run());
    QVERIFY2(watcher.waitForStep(5), first->errorsSoFar());
    second->signal(SIGINT);
    const Ended ended = first->wait(15000), other = second->wait(15000);
    QVERIFY2(ended.code == 0, ended.text());
    QVERIFY2(other.code == 130, other.text());
    QCOMPARE(stateOf(machines.run()), std::string("stopped"));
  }

  void differencesAreNamedBeforeTheFirstStep() {
    Machines machines;
    const auto first = machines.start(0, machines.box().recipe("a.toml", several()), {"--json"});
    Keys other = several();
    other["optimizer.lr"] = "0.5";
    const auto second = machines.start(1, machines.box().recipe("b.toml", other), {"--json"});
    for (const auto& program : {first.get(), second.get()}) {
      const Ended ended = program->wait(20000);
      QVERIFY2(ended.code == 2, ended.text());
      QVERIFY2(ended.error("what").find("optimizer.lr: 0.003 on rank 0, 0.5 on rank 1") != std::string::npos, ended.text());
    }
    QVERIFY(!QFileInfo::exists(machines.run()));
  }

  // As many samples of the same names, one of them of another class.
  void otherDataIsNamedBeforeTheFirstStep() {
    Machines machines;
    const auto table = [&machines](const QString& name, const QByteArray& last) {
      QByteArray rows = "a,b,class\n";
      for (int i = 0; i < 200; ++i) rows += QByteArray::number(i % 17) + "," + QByteArray::number(i % 5) + "," + (i == 199 ? last : QByteArray(i % 2 == 0 ? "even" : "odd")) + "\n";
      return several({{"data.format", "\"table\""}, {"data.path", quoted(machines.box().write(name + "/table.csv", rows))}, {"data.target", "\"class\""}});
    };
    const auto first = machines.start(0, machines.box().recipe("a.toml", table("here", "odd")), {"--json"});
    const auto second = machines.start(1, machines.box().recipe("b.toml", table("there", "even")), {"--json"});
    const Ended ended = first->wait(20000), other = second->wait(20000);
    for (const Ended& one : {ended, other}) {
      QVERIFY2(one.code == 2, one.text());
      const QString what = QString::fromStdString(one.error("what"));
      const QRegularExpression words("fingerprint of the (training|validation) samples: ([0-9a-f]{16}) on rank 0, ([0-9a-f]{16}) on rank 1");
      const auto match = words.match(what);
      QVERIFY2(match.hasMatch() && match.captured(2) != match.captured(3), one.text());
      QVERIFY2(QString::fromStdString(one.error("hint")).contains("same data"), one.text());
    }
    QVERIFY(!QFileInfo::exists(machines.run()));
  }

  void anErrorOfOneRankIsSaidByAll() {
    Machines machines;
    Keys other = several();
    other["data.path"] = quoted(machines.box().path("nowhere"));
    const auto first = machines.start(0, machines.box().recipe("a.toml", several()), {"--json"});
    const auto second = machines.start(1, machines.box().recipe("b.toml", other), {"--json"});
    const Ended ended = first->wait(15000), cause = second->wait(15000);
    QVERIFY2(cause.code == 3 && ended.code == 3, ended.text() + cause.text());
    QVERIFY2(ended.error("where").rfind("rank 1 (", 0) == 0 && ended.text().contains("nowhere"), ended.text());
    QVERIFY(!QFileInfo::exists(machines.run()));
  }

  void aWaitingProcessCanBeInterrupted() {
    Machines machines;
    const QString recipe = machines.box().recipe("r.toml", endless("10"));
    const auto first = machines.start(0, recipe, {"--json"}), second = machines.start(1, recipe, {"--json"});
    QVERIFY(waitUntil([&] { return second->errorsSoFar().contains("rank 1 of 2"); }, 15000));
    first->signal(SIGINT);
    const Ended ended = first->wait(15000), other = second->wait(15000);
    QVERIFY2(ended.code == 130, ended.text());
    QVERIFY2(other.in_time && (other.code == 130 || other.code == 0), other.text());
  }

  void noMasterIsSaidInTime() {
    Machines machines;
    QElapsedTimer clock;
    clock.start();
    Keys keys = several({{"parallel.timeout", "0.5"}});
    const Ended ended = machines.start(1, machines.box().recipe("r.toml", keys), {"--json"})->wait(20000);
    QVERIFY2(ended.code == 5, ended.text());
    QVERIFY2(clock.elapsed() < 10000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY2((ended.error("where") + ended.error("what")).find(machines.rendezvous().toStdString()) != std::string::npos, ended.text());
  }

  void wrongStartsAreRefused() {
    const Listener taken;
    Machines machines(taken.port());
    const Ended busy = machines.start(0, machines.box().recipe("r.toml", several({{"parallel.timeout", "1"}})), {"--json"})->wait(20000);
    QVERIFY2(busy.code == 5 && busy.error("where").find(std::to_string(machines.port())) != std::string::npos, busy.text());
    const Ended single = machines.start(0, machines.box().recipe("s.toml"), {"--json"})->wait(20000);
    QVERIFY2(single.code == 2 && single.error("where") == "parallel.strategy", single.text());
    const Ended unnamed =
        machines.box().run({"train", machines.box().recipe("n.toml", several()), "--nnodes", "2", "--node-rank", "1", "--rendezvous", "here", "--json"});
    QVERIFY2(unnamed.code == 2 && unnamed.error("where") == "--rendezvous", unnamed.text());
    QVERIFY(!QFileInfo::exists(machines.run()));
  }
};

QTEST_GUILESS_MAIN(TestMachines)
#include "tst_machines.moc"
