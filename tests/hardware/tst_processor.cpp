#include <QtTest>

#include "core/hardware/readers.h"
#include "tests/hardware/recorded_tree.h"

using namespace trainyard;

namespace {

struct Machine {
  std::string vendor, model, flags;
  int sockets = 1, cores = 1, threads_per_core = 1;  // cores of each socket
};

// /proc/cpuinfo as Linux writes it on x86; core ids have gaps on real Xeons, and repeat on the second socket.
std::string cpuinfo(const Machine& machine) {
  std::string text;
  const int logical = machine.sockets * machine.cores * machine.threads_per_core;
  for (int index = 0; index < logical; ++index) {
    const int core = index % (machine.sockets * machine.cores);
    text += "processor\t: " + std::to_string(index) + "\nvendor_id\t: " + machine.vendor + "\ncpu family\t: 6\nmodel name\t: " + machine.model +
            "\ncpu MHz\t\t: 1000.0" + std::to_string(index) + "\ncache size\t: 28160 KB\nphysical id\t: " + std::to_string(core / machine.cores) +
            "\nsiblings\t: " + std::to_string(machine.cores * machine.threads_per_core) + "\ncore id\t\t: " + std::to_string(core % machine.cores * 2) +
            "\ncpu cores\t: " + std::to_string(machine.cores) + "\nflags\t\t: " + machine.flags + "\nbogomips\t: 4200.00\npower management:\n\n";
  }
  return text;
}

const Machine kXeon = {"GenuineIntel", "Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", "fpu sse4_2 avx f16c fma avx2 avx512f avx512dq avx512_vnni", 2, 20, 2};
const Machine kEpyc = {"AuthenticAMD", "AMD EPYC 7763 64-Core Processor", "fpu sse4_2 avx f16c fma avx2 vaes", 1, 64, 2};
const Machine kLaptop = {"GenuineIntel", "12th Gen Intel(R) Core(TM) i7-1260P", "fpu sse4_2 avx f16c fma avx2 avx_vnni", 1, 12, 1};
const Machine kSapphire = {
    "GenuineIntel", "Intel(R) Xeon(R) Platinum 8480+", "avx avx2 fma f16c avx512f avx512_vnni avx512_bf16 avx512_fp16 amx_bf16 amx_tile amx_int8", 2, 56, 2};

}  // namespace

class TestProcessor : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void machines_data() {
    QTest::addColumn<QString>("recorded");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("sockets");
    QTest::addColumn<int>("cores");
    QTest::addColumn<double>("ghz");
    QTest::addColumn<QString>("sets");
    const auto row = [](const char* title, const Machine& machine, const char* name, int cores, double ghz, const char* sets) {
      QTest::newRow(title) << QString::fromStdString(cpuinfo(machine)) << name << machine.sockets << cores << ghz << sets;
    };
    row("dual Xeon", kXeon, "Intel Xeon Gold 6230", 40, 2.1, "AVX,AVX2,FMA,F16C,AVX-512,AVX512-VNNI");
    row("EPYC", kEpyc, "AMD EPYC 7763", 64, 0, "AVX,AVX2,FMA,F16C");
    row("laptop", kLaptop, "12th Gen Intel Core i7-1260P", 12, 0, "AVX,AVX2,FMA,F16C,AVX-VNNI");
    row("Xeon with AMX", kSapphire, "Intel Xeon Platinum 8480+", 112, 0, "AVX,AVX2,FMA,F16C,AVX-512,AVX512-VNNI,AVX512-BF16,AVX512-FP16,AMX-INT8,AMX-BF16");
  }

  void machines() {
    QFETCH(QString, recorded);
    const RecordedTree tree;
    tree.file("proc/cpuinfo", recorded.toStdString());
    const auto processor = hardware::readProcessor(tree.root(), 7);
    QTEST(QString::fromStdString(processor.name), "name");
    QTEST(processor.sockets, "sockets");
    QTEST(processor.cores, "cores");
    QTEST(processor.max_ghz, "ghz");
    QCOMPARE(processor.threads, 7);
    QCOMPARE(processor.l3_bytes, uint64_t{0});
    QStringList sets;
    for (const auto& set : processor.instruction_sets) sets << QString::fromStdString(set);
    sets.removeAll("SSE4.2");
    QTEST(sets.join(','), "sets");
  }

  void cachesAndClockFromSys() {
    const RecordedTree tree;
    tree.file("proc/cpuinfo", cpuinfo(kEpyc));
    for (int index = 0; index < 16; ++index) {
      const std::string cpu = "sys/devices/system/cpu/cpu" + std::to_string(index);
      tree.file(cpu + "/cpufreq/cpuinfo_max_freq", index == 3 ? "3529052\n" : "3400000\n");
      tree.file(cpu + "/cache/index2/level", "2\n");
      tree.file(cpu + "/cache/index2/size", "512K\n");
      tree.file(cpu + "/cache/index3/level", "3\n");
      tree.file(cpu + "/cache/index3/size", "32768K\n");
      tree.file(cpu + "/cache/index3/shared_cpu_list", index < 8 ? "0-7,64-71\n" : "8-15,72-79\n");
    }
    tree.file("sys/devices/system/cpu/cpuidle/level", "3\n");
    const auto processor = hardware::readProcessor(tree.root(), 128);
    QCOMPARE(processor.l3_bytes, uint64_t{2} * 32768 * 1024);
    QCOMPARE(processor.max_ghz, 3.529052);
  }

  void armSaysItsCoresInSys() {
    const RecordedTree tree;
    std::string text;
    for (int index = 0; index < 4; ++index) {
      text += "processor\t: " + std::to_string(index) + "\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd asimdhp sve bf16 i8mm\nCPU implementer\t: 0x41\n\n";
      const std::string topology = "sys/devices/system/cpu/cpu" + std::to_string(index) + "/topology/";
      tree.file(topology + "physical_package_id", "0\n");
      tree.file(topology + "core_id", std::to_string(index) + "\n");
    }
    tree.file("proc/cpuinfo", text);
    const auto processor = hardware::readProcessor(tree.root(), 4);
    QCOMPARE(processor.cores, 4);
    QCOMPARE(processor.sockets, 1);
    QCOMPARE(processor.name, std::string("unknown processor"));
    QCOMPARE(processor.instruction_sets, (std::vector<std::string>{"NEON", "FP16", "SVE", "I8MM", "BF16"}));
  }

  void nothingToRead() {
    const RecordedTree tree;
    const auto processor = hardware::readProcessor(tree.root(), 1);
    QCOMPARE(processor.cores, 1);
    QCOMPARE(processor.sockets, 1);
    QVERIFY(processor.instruction_sets.empty());
  }

  void threadsUnderAQuota_data() {
    QTest::addColumn<QString>("groups");
    QTest::addColumn<QStringList>("files");  // path, content, …
    QTest::addColumn<int>("threads");
    const QString unified = "sys/fs/cgroup/cgroup.controllers";
    QTest::newRow("no groups") << "" << QStringList{} << 16;
    QTest::newRow("v2 without limit") << "0::/user.slice\n" << QStringList{unified, "cpu", "sys/fs/cgroup/user.slice/cpu.max", "max 100000"} << 16;
    QTest::newRow("v2 two and a half") << "0::/a/b\n" << QStringList{unified, "cpu", "sys/fs/cgroup/a/b/cpu.max", "250000 100000"} << 3;
    QTest::newRow("v2 limit above") << "0::/a/b\n"
                                    << QStringList{unified, "cpu", "sys/fs/cgroup/a/b/cpu.max", "max 100000", "sys/fs/cgroup/a/cpu.max", "400000 100000"} << 4;
    QTest::newRow("v2 in a container") << "0::/../../docker/x\n" << QStringList{unified, "cpu", "sys/fs/cgroup/cpu.max", "50000 100000"} << 1;
    QTest::newRow("v1") << "5:cpu,cpuacct:/docker/x\n"
                        << QStringList{"sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "200000", "sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000"} << 2;
    QTest::newRow("v1 without limit") << "5:cpu,cpuacct:/\n"
                                      << QStringList{"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1", "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"} << 16;
    QTest::newRow("quota above what is there") << "0::/a\n" << QStringList{unified, "cpu", "sys/fs/cgroup/a/cpu.max", "9900000 100000"} << 16;
  }

  void threadsUnderAQuota() {
    QFETCH(QString, groups);
    QFETCH(QStringList, files);
    const RecordedTree tree;
    tree.file("proc/self/cgroup", groups.toStdString());
    for (int i = 0; i + 1 < files.size(); i += 2) tree.file(files[i].toStdString(), files[i + 1].toStdString() + "\n");
    QTEST(hardware::usableThreads(tree.root(), 16), "threads");
  }

  void systemName_data() {
    QTest::addColumn<QString>("release");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("name");
    QTest::newRow("Debian") << "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"
                            << "6.1.0-18-amd64"
                            << "Debian GNU/Linux 12, Linux 6.1";
    QTest::newRow("Ubuntu") << "NAME=Ubuntu\nPRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\n"
                            << "6.8.0-41-generic"
                            << "Ubuntu 24.04.1 LTS, Linux 6.8";
    QTest::newRow("none") << ""
                          << "5.10"
                          << "Linux, Linux 5.10";
  }

  void systemName() {
    QFETCH(QString, release);
    QFETCH(QString, kernel);
    const RecordedTree tree;
    tree.file("etc/os-release", release.toStdString());
    QTEST(QString::fromStdString(hardware::readSystem(tree.root(), kernel.toStdString())), "name");
  }
};

QTEST_APPLESS_MAIN(TestProcessor)
#include "tst_processor.moc"
