#include <QtTest>

#include "core/hardware/readers.h"
#include "tests/hardware/recorded_tree.h"

using namespace trainyard;

namespace {
constexpr quint64 kGiB = quint64{1} << 30;
}

class TestMemory : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void limits_data() {
    QTest::addColumn<QString>("groups");
    QTest::addColumn<QStringList>("files");  // path, content, …
    QTest::addColumn<quint64>("limit");      // 0: none
    QTest::addColumn<quint64>("available");
    const QString unified = "sys/fs/cgroup/cgroup.controllers";
    const auto gib = [](double size) { return QString::number(static_cast<quint64>(size * static_cast<double>(kGiB))); };
    QTest::newRow("no groups") << "" << QStringList{} << quint64{0} << 48 * kGiB;
    QTest::newRow("v2 without limit") << "0::/user.slice\n"
                                      << QStringList{unified, "memory", "sys/fs/cgroup/user.slice/memory.max", "max"} << quint64{0} << 48 * kGiB;
    QTest::newRow("v2") << "0::/job\n"
                        << QStringList{unified,
                                       "memory",
                                       "sys/fs/cgroup/job/memory.max",
                                       gib(16),
                                       "sys/fs/cgroup/job/memory.current",
                                       gib(6),
                                       "sys/fs/cgroup/job/memory.stat",
                                       "anon 1\ninactive_file " + gib(2)}
                        << 16 * kGiB << 12 * kGiB;
    QTest::newRow("v2 tighter above") << "0::/job/step\n"
                                      << QStringList{unified,
                                                     "memory",
                                                     "sys/fs/cgroup/job/step/memory.max",
                                                     gib(16),
                                                     "sys/fs/cgroup/job/step/memory.current",
                                                     gib(1),
                                                     "sys/fs/cgroup/job/memory.max",
                                                     gib(8),
                                                     "sys/fs/cgroup/job/memory.current",
                                                     gib(7)}
                                      << 8 * kGiB << 1 * kGiB;
    QTest::newRow("v2 over its limit") << "0::/job\n"
                                       << QStringList{unified, "memory", "sys/fs/cgroup/job/memory.max", gib(2), "sys/fs/cgroup/job/memory.current", gib(3)}
                                       << 2 * kGiB << quint64{0};
    QTest::newRow("v1") << "4:memory:/docker/x\n"
                        << QStringList{"sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", gib(4),
                                       "sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", gib(3),
                                       "sys/fs/cgroup/memory/docker/x/memory.stat",           "cache 5\ntotal_inactive_file " + gib(1)}
                        << 4 * kGiB << 2 * kGiB;
    QTest::newRow("v1 without limit") << "4:memory:/\n"
                                      << QStringList{"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"} << quint64{0} << 48 * kGiB;
    QTest::newRow("limit above the machine's") << "0::/job\n"
                                               << QStringList{unified, "memory", "sys/fs/cgroup/job/memory.max", gib(256)} << quint64{0} << 48 * kGiB;
  }

  void limits() {
    QFETCH(QString, groups);
    QFETCH(QStringList, files);
    QFETCH(quint64, limit);
    QFETCH(quint64, available);
    const RecordedTree tree;
    tree.file("proc/meminfo", "MemTotal:       67108864 kB\nMemFree:        1048576 kB\nMemAvailable:   50331648 kB\nHugePages_Total:       0\n");
    tree.file("proc/self/cgroup", groups.toStdString());
    for (int i = 0; i + 1 < files.size(); i += 2) tree.file(files[i].toStdString(), files[i + 1].toStdString() + "\n");
    const auto memory = hardware::readMemory(tree.root());
    QCOMPARE(quint64{memory.total_bytes}, 64 * kGiB);
    QCOMPARE(memory.limit_bytes.has_value(), limit > 0);
    QCOMPARE(quint64{memory.limit_bytes.value_or(0)}, limit);
    QCOMPARE(quint64{memory.available_bytes}, available);
  }

  void oldKernelsCountFreeAndCached() {
    const RecordedTree tree;
    tree.file("proc/meminfo", "MemTotal: 8192 kB\nMemFree: 1024 kB\nBuffers: 512 kB\nCached: 2048 kB\n");
    const auto memory = hardware::readMemory(tree.root());
    QCOMPARE(memory.available_bytes, uint64_t{3584} * 1024);
    QVERIFY(!memory.limit_bytes);
  }
};

QTEST_APPLESS_MAIN(TestMemory)
#include "tst_memory.moc"
