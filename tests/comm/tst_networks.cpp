#include <unistd.h>

#include <QProcess>
#include <QTest>
#include <memory>

#include "core/base/files.h"
#include "process_rank.h"

using namespace trainyard;
using namespace trainyard::comm;

namespace {

// Two network namespaces with a cable between them, as two machines.
class TwoMachines {
 public:
  TwoMachines() {
    ready_ = ip({"netns", "add", a()}) && ip({"netns", "add", b()}) &&
             ip({"link", "add", "ty0", "netns", a(), "type", "veth", "peer", "name", "ty0", "netns", b()}) &&
             ip({"-n", a(), "addr", "add", "10.77.0.1/24", "dev", "ty0"}) && ip({"-n", b(), "addr", "add", "10.77.0.2/24", "dev", "ty0"}) &&
             ip({"-n", a(), "link", "set", "ty0", "up"}) && ip({"-n", b(), "link", "set", "ty0", "up"}) && ip({"-n", a(), "link", "set", "lo", "up"});
  }
  ~TwoMachines() {
    ip({"netns", "del", a()});
    ip({"netns", "del", b()});
  }
  bool ready() const { return ready_; }
  bool cut() const { return ip({"-n", a(), "link", "set", "ty0", "down"}); }

  // Rank 0 on the one, rank 1 on the other.
  std::unique_ptr<QProcess> start(int rank, const QString& for_ever) const {
    auto process = std::make_unique<QProcess>();
    auto environment = QProcessEnvironment::systemEnvironment();
    const std::pair<const char*, QString> own[] = {
        {"TRAINYARD_TEST_CHILD", "1"}, {"RANK", QString::number(rank)}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "10.77.0.1"}, {"MASTER_PORT", "29500"}};
    for (const auto& [name, value] : own) environment.insert(name, value);
    if (!for_ever.isEmpty()) environment.insert("TRAINYARD_TEST_FOR_EVER", for_ever);
    process->setProcessEnvironment(environment);
    process->start("ip", {"netns", "exec", rank == 0 ? a() : b(), QString::fromStdString((programFolder() / "test_comm_networks").string())});
    return process;
  }

 private:
  static bool ip(const QStringList& arguments) {
    QProcess process;
    process.start("ip", arguments);
    return process.waitForFinished(5000) && process.exitCode() == 0;
  }
  static QString a() { return QString("trainyard-%1-a").arg(getpid()); }
  static QString b() { return QString("trainyard-%1-b").arg(getpid()); }

  bool ready_ = false;
};

QByteArray lineOf(QProcess& process) {
  while (!process.canReadLine() && process.waitForReadyRead(15000)) {
  }
  return process.readLine().trimmed();
}

}  // namespace

class TestNetworks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void twoMachinesSum() {
    const TwoMachines machines;
    if (!machines.ready()) QSKIP("network namespaces need root and ip");
    const auto first = machines.start(0, {}), second = machines.start(1, {});
    QCOMPARE(lineOf(*first), QByteArray("summed"));
    QCOMPARE(lineOf(*second), QByteArray("summed"));
    for (QProcess* process : {first.get(), second.get()}) {
      QVERIFY(process->waitForFinished(5000));
      QCOMPARE(process->exitCode(), 0);
    }
  }

  void aCutLinkEndsBoth() {
    const TwoMachines machines;
    if (!machines.ready()) QSKIP("network namespaces need root and ip");
    const auto first = machines.start(0, "2"), second = machines.start(1, "2");
    QCOMPARE(lineOf(*first), QByteArray("summed"));
    QCOMPARE(lineOf(*second), QByteArray("summed"));
    QVERIFY(machines.cut());
    for (QProcess* process : {first.get(), second.get()}) {
      const QByteArray line = lineOf(*process);
      QVERIFY2(line.contains("did not end within 2 s") || line.contains("the connection to another rank was lost"), line.constData());
      QVERIFY(process->waitForFinished(4000));
      QCOMPARE(process->exitStatus(), QProcess::NormalExit);
    }
  }
};

int main(int argc, char** argv) {
  if (const auto status = runAsRank()) return *status;
  QCoreApplication application(argc, argv);
  TestNetworks test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_networks.moc"
