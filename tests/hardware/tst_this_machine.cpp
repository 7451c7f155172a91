#include <QtTest>
#include <cmath>
#include <set>

#include "core/hardware/hardware.h"

using namespace trainyard;

// What holds on every machine that runs the tests.
class TestThisMachine : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void inventoryIsPlausible() {
    const hardware::Inventory inventory = hardware::inspect();
    QVERIFY(!inventory.processor.name.empty());
    QVERIFY(inventory.processor.cores >= 1 && inventory.processor.sockets >= 1 && inventory.processor.threads >= 1);
    QVERIFY(inventory.memory.total_bytes > 256ULL * 1024 * 1024);
    QVERIFY(inventory.memory.available_bytes > 0 && inventory.memory.available_bytes <= inventory.memory.total_bytes);
    QVERIFY(QString::fromStdString(inventory.system).contains("Linux "));
    QVERIFY(!inventory.disks.empty());
    for (const auto& disk : inventory.disks) {
      QVERIFY(disk.free_bytes <= disk.total_bytes);
      QVERIFY((std::set<std::string>{"SSD", "NVMe", "hard disk", "network", "unknown"}).contains(disk.kind));
    }
    QVERIFY(!inventory.gpus.empty() || !inventory.gpu_note.empty());
    std::set<std::string> parts;
    for (const auto& advice : hardware::advise(inventory)) parts.insert(advice.part);
    QVERIFY(parts.contains("gpu") && parts.contains("processor") && parts.contains("memory") && parts.contains("disk"));
  }

  void meterCountsWork() {
    hardware::ProcessMeter meter;
    const auto first = meter.read();
    QCOMPARE(first.utilization, 0.0);
    QVERIFY(first.memory_bytes > 1024 * 1024 && first.memory_bytes < first.memory_total_bytes);
    const QDeadlineTimer deadline(200);
    double sink = 0;
    while (!deadline.hasExpired()) sink += std::sqrt(sink + 1);
    const auto second = meter.read();
    QVERIFY(sink > 0);
    QVERIFY2(second.utilization > 0 && second.utilization <= 1, qPrintable(QString::number(second.utilization)));
    QTest::qSleep(50);  // the figure is of the time since the previous call: nothing was done in it
    const auto third = meter.read();
    QVERIFY2(third.utilization < 0.25 * second.utilization, qPrintable(QString::number(third.utilization)));
  }

  void meterSeesMemory() {
    hardware::ProcessMeter meter;
    const auto before = meter.read();
    std::vector<char> block(64 << 20, 1);
    const auto after = meter.read();
    QVERIFY(block.back() == 1);
    QVERIFY(after.memory_bytes >= before.memory_bytes + (32 << 20));
  }
};

QTEST_APPLESS_MAIN(TestThisMachine)
#include "tst_this_machine.moc"
