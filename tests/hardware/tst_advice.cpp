#include <QtTest>
#include <set>

#include "core/hardware/hardware.h"

using namespace trainyard;
using hardware::Advice;
using hardware::Inventory;
using hardware::Level;

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
uint64_t gib(double size) { return static_cast<uint64_t>(size * kGiB); }

hardware::Gpu gpuWith(double memory_gib, std::optional<double> bandwidth, const char* capability = "8.6", const char* cuda = "13.2") {
  hardware::Gpu gpu;
  gpu.name = "NVIDIA Test";
  gpu.driver = "535.1";
  gpu.cuda = cuda;
  gpu.compute_capability = capability;
  gpu.memory_total_bytes = gib(memory_gib);
  gpu.memory_bandwidth_gb_s = bandwidth;
  return gpu;
}

Inventory plain() {
  Inventory inventory;
  inventory.processor = {"AMD EPYC 7763", 1, 64, 128, 3.5, 256 << 20, {"AVX2"}};
  inventory.memory = {gib(125.6), gib(100), {}};
  inventory.disks = {{"/", "/dev/nvme0n1p2", "NVMe", gib(900), gib(500)}, {"/slow", "/dev/sda1", "hard disk", gib(4000), gib(2000)}};
  inventory.gpus = {gpuWith(48, 768)};
  return inventory;
}

const Advice* find(const std::vector<Advice>& advice, const std::string& code) {
  for (const auto& one : advice) {
    if (one.code == code) return &one;
  }
  return nullptr;
}

QString codesOf(const std::vector<Advice>& advice, const std::string& part) {
  QStringList codes;
  for (const auto& one : advice) {
    if (one.part == part) codes << QString::fromStdString(one.code);
  }
  return codes.join(' ');
}

}  // namespace

class TestAdvice : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void goodWorkstation() {
    const auto advice = advise(plain(), "/home/me/pictures");
    QStringList codes;
    for (const auto& one : advice) {
      codes << QString::fromStdString(one.code);
      QVERIFY(one.level == Level::Good);
      QVERIFY2(one.text.ends_with('.'), one.text.c_str());
    }
    QCOMPARE(codes.join(' '), QString("gpu_good processor_good memory_good disk_good"));
    QVERIFY2(advice[0].text.find("48.0 GiB at 768 GB/s") != std::string::npos, advice[0].text.c_str());
    QVERIFY2(advice[1].text.find("64 cores") != std::string::npos, advice[1].text.c_str());
    QVERIFY2(advice[2].text.find("125.6 GiB") != std::string::npos, advice[2].text.c_str());
    QCOMPARE(advice[0].values.at("bandwidth_gb_s").get<double>(), 768.0);
  }

  void gpus_data() {
    QTest::addColumn<double>("memory");
    QTest::addColumn<double>("bandwidth");  // 0: unknown
    QTest::addColumn<QString>("capability");
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("code");
    QTest::newRow("RTX A6000") << 48.0 << 768.0 << "8.6"
                               << "13.2"
                               << "gpu_good";
    QTest::newRow("H200") << 139.8 << 4917.0 << "9.0"
                          << "13.0"
                          << "gpu_good";
    QTest::newRow("16 GB card") << 15.6 << 736.0 << "8.9"
                                << "13.2"
                                << "gpu_good";
    QTest::newRow("T4") << 15.0 << 320.0 << "7.5"
                        << "13.2"
                        << "gpu_narrow";
    QTest::newRow("bandwidth unknown") << 24.0 << 0.0 << "8.6"
                                       << "13.2"
                                       << "gpu_good";
    QTest::newRow("8 GB card") << 7.8 << 448.0 << "8.6"
                               << "13.2"
                               << "gpu_fair";
    QTest::newRow("4 GB card") << 4.0 << 80.0 << "7.5"
                               << "13.2"
                               << "gpu_small";
    QTest::newRow("Tesla V100") << 32.0 << 898.0 << "7.0"
                                << "12.8"
                                << "gpu_too_old";
    QTest::newRow("old driver") << 24.0 << 936.0 << "8.6"
                                << "12.2"
                                << "gpu_driver_old";
    QTest::newRow("nothing told") << 24.0 << 936.0 << ""
                                  << ""
                                  << "gpu_good";
  }

  void gpus() {
    QFETCH(double, memory);
    QFETCH(double, bandwidth);
    QFETCH(QString, capability);
    QFETCH(QString, cuda);
    Inventory inventory = plain();
    inventory.gpus = {gpuWith(memory, bandwidth > 0 ? std::optional(bandwidth) : std::nullopt, qPrintable(capability), qPrintable(cuda))};
    QTEST(codesOf(advise(inventory, "/"), "gpu"), "code");
  }

  void noGpuSaysWhy() {
    Inventory inventory = plain();
    inventory.gpus.clear();
    inventory.gpu_note = "no NVIDIA driver (libnvidia-ml.so.1 was not found)";
    const auto advice = advise(inventory, "/");
    const Advice* none = find(advice, "gpu_none");
    QVERIFY(none);
    QVERIFY(none->level == Level::Poor);
    QVERIFY2(none->text.find("No GPU to train on: no NVIDIA driver (libnvidia-ml.so.1 was not found). ") == 0, none->text.c_str());
  }

  void severalGpusAndOneSilent() {
    Inventory inventory = plain();
    inventory.gpus.push_back(gpuWith(48, 768));
    inventory.gpus[1].index = 1;
    inventory.gpu_note = "GPU 2 does not answer: GPU is lost";
    QCOMPARE(codesOf(advise(inventory, "/"), "gpu"), QString("gpu_good gpu_good gpu_silent"));
  }

  void busyGpuNamesTheHolder() {
    Inventory inventory = plain();
    inventory.gpus[0].memory_used_bytes = gib(20);
    inventory.gpus[0].holders = {{4711, "blender", gib(18)}, {4712, "firefox", gib(1)}};
    const auto advice = advise(inventory, "/");
    const Advice* busy = find(advice, "gpu_busy");
    QVERIFY(busy);
    QCOMPARE(busy->text, std::string("GPU 0: 20.0 GiB of 48.0 GiB are in use, most by blender (process 4711)."));
    inventory.gpus[0].memory_used_bytes = gib(11.9);
    QVERIFY(!find(advise(inventory, "/"), "gpu_busy"));
  }

  void processors_data() {
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("threads");
    QTest::addColumn<QString>("set");
    QTest::addColumn<QString>("codes");
    QTest::newRow("many") << 16 << 32 << "AVX2"
                          << "processor_good";
    QTest::newRow("laptop") << 8 << 16 << "AVX2"
                            << "processor_fair";
    QTest::newRow("small") << 4 << 8 << "AVX2"
                           << "processor_poor";
    QTest::newRow("one") << 1 << 1 << "AVX2"
                         << "processor_poor";
    QTest::newRow("many, few allowed") << 64 << 2 << "AVX2"
                                       << "processor_poor";
    QTest::newRow("bf16") << 32 << 64 << "AMX-BF16"
                          << "processor_good processor_bf16";
    QTest::newRow("AVX-512 bf16") << 32 << 64 << "AVX512-BF16"
                                  << "processor_good processor_bf16";
    QTest::newRow("old") << 16 << 32 << "SSE4.2"
                         << "processor_good processor_old";
    QTest::newRow("Arm") << 16 << 16 << "NEON"
                         << "processor_good";
  }

  void processors() {
    QFETCH(int, cores);
    QFETCH(int, threads);
    QFETCH(QString, set);
    Inventory inventory = plain();
    inventory.processor.cores = cores;
    inventory.processor.threads = threads;
    inventory.processor.instruction_sets = {set.toStdString()};
    QTEST(codesOf(advise(inventory, "/"), "processor"), "codes");
  }

  void memories_data() {
    QTest::addColumn<double>("total");
    QTest::addColumn<double>("limit");  // 0: none
    QTest::addColumn<double>("available");
    QTest::addColumn<QString>("codes");
    QTest::newRow("64 GB as shown") << 62.5 << 0.0 << 40.0 << "memory_good";
    QTest::newRow("32 GB") << 31.2 << 0.0 << 20.0 << "memory_fair";
    QTest::newRow("16 GB") << 15.5 << 0.0 << 10.0 << "memory_fair";
    QTest::newRow("8 GB") << 7.7 << 0.0 << 5.0 << "memory_poor";
    QTest::newRow("limited") << 125.0 << 8.0 << 7.0 << "memory_poor";
    QTest::newRow("nearly full") << 31.2 << 0.0 << 2.0 << "memory_fair memory_busy";
  }

  void memories() {
    QFETCH(double, total);
    QFETCH(double, limit);
    QFETCH(double, available);
    Inventory inventory = plain();
    inventory.memory = {gib(total), gib(available), limit > 0 ? std::optional(gib(limit)) : std::nullopt};
    const auto advice = advise(inventory, "/");
    QTEST(codesOf(advice, "memory"), "codes");
    if (limit > 0) {
      const Advice* poor = find(advice, "memory_poor");
      QVERIFY2(poor && poor->text.find("8.0 GiB of memory allowed to this session (the computer has 125.0 GiB)") == 0, poor ? poor->text.c_str() : "");
    }
  }

  void disks_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("free");
    QTest::addColumn<QString>("codes");
    QTest::newRow("SSD") << "/data/x"
                         << "SSD" << 500.0 << "disk_good";
    QTest::newRow("network") << "/data/x"
                             << "network" << 500.0 << "disk_network";
    QTest::newRow("unknown") << "/data/x"
                             << "unknown" << 500.0 << "disk_unknown";
    QTest::newRow("hard disk") << "/data"
                               << "hard disk" << 500.0 << "disk_slow";
    QTest::newRow("nearly full") << "/data/x"
                                 << "SSD" << 3.0 << "disk_good disk_full";
    QTest::newRow("a folder with a like name is elsewhere") << "/database"
                                                            << "hard disk" << 3.0 << "disk_good";
  }

  void disks() {
    QFETCH(QString, folder);
    QFETCH(QString, kind);
    QFETCH(double, free);
    Inventory inventory = plain();
    inventory.disks[1] = {"/data", "/dev/sdz", kind.toStdString(), gib(1000), gib(free)};
    QTEST(codesOf(advise(inventory, folder.toStdString()), "disk"), "codes");
  }

  void nothingKnownSaysLittle() {
    const auto advice = advise(Inventory{}, "/");
    std::set<std::string> parts;
    for (const auto& one : advice) parts.insert(one.part);
    QCOMPARE(parts, (std::set<std::string>{"gpu", "processor"}));
  }
};

QTEST_APPLESS_MAIN(TestAdvice)
#include "tst_advice.moc"
