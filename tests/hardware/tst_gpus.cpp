#include <unistd.h>

#include <QtTest>

#include "core/hardware/nvml.h"
#include "core/hardware/readers.h"
#include "tests/hardware/recorded_tree.h"

using namespace trainyard;
using hardware::Nvml;

namespace {

std::vector<hardware::Gpu> readAs(const char* role, std::string& note) {
  qputenv("TRAINYARD_FAKE_NVML", role);
  const auto nvml = Nvml::open(FAKE_NVML_LIBRARY, note);
  if (!nvml) return {};
  return nvml->read(note, [](int64_t pid) { return "program " + std::to_string(pid); });
}

}  // namespace

class TestGpus : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void twoGpus() {
    std::string note = "old";
    const auto gpus = readAs("", note);
    QCOMPARE(gpus.size(), size_t{2});
    QCOMPARE(note, std::string());
    const auto& gpu = gpus[0];
    QCOMPARE(gpu.index, 0);
    QCOMPARE(gpu.name, std::string("NVIDIA RTX A6000"));
    QCOMPARE(gpu.uuid, std::string("GPU-1111"));
    QCOMPARE(gpu.driver, std::string("580.65.06"));
    QCOMPARE(gpu.cuda, std::string("13.2"));
    QCOMPARE(gpu.memory_total_bytes, uint64_t{48} << 30);
    QCOMPARE(gpu.memory_used_bytes, uint64_t{1} << 30);
    QCOMPARE(gpu.utilization.value(), 0.37);
    QCOMPARE(gpu.power_w.value(), 123.456);
    QCOMPARE(gpu.temperature_c.value(), 61.0);
    QCOMPARE(gpu.compute_capability, std::string("8.6"));
    QCOMPARE(gpu.memory_bandwidth_gb_s.value(), 768.096);
  }

  void unknownFiguresAreAbsent() {
    std::string note;
    const auto gpus = readAs("", note);
    QCOMPARE(gpus.size(), size_t{2});
    QVERIFY(!gpus[1].utilization && !gpus[1].power_w && !gpus[1].memory_bandwidth_gb_s);
    QVERIFY(gpus[1].holders.empty());
    hardware::Inventory inventory;
    inventory.gpus = gpus;
    const Json json = toJson(inventory);
    QVERIFY(json.at("gpus")[0].contains("power_w"));
    QVERIFY(!json.at("gpus")[1].contains("power_w") && !json.at("gpus")[1].contains("utilization"));
  }

  void holdersLargestFirst() {
    std::string note;
    const auto gpus = readAs("", note);
    QCOMPARE(gpus.size(), size_t{2});
    const auto& holders = gpus[0].holders;
    QCOMPARE(holders.size(), size_t{40});
    QCOMPARE(holders[0].pid, int64_t{1000});  // 1 MiB as computing, 500 MiB as drawing: one process
    QCOMPARE(holders[0].bytes, uint64_t{500} << 20);
    QCOMPARE(holders[0].program, std::string("program 1000"));
    QCOMPARE(holders[1].pid, int64_t{1039});
    QCOMPARE(holders.back().pid, int64_t{1007});  // memory not told
    QCOMPARE(holders.back().bytes, uint64_t{0});
  }

  void driverThatDoesNotAnswer() {
    std::string note;
    QCOMPARE(readAs("mismatch", note).size(), size_t{0});
    QVERIFY2(note.find("Driver/library version mismatch") != std::string::npos && note.find("nvidia-smi") != std::string::npos, note.c_str());
  }

  void lostGpuIsNamed() {
    std::string note;
    const auto gpus = readAs("lost", note);
    QCOMPARE(gpus.size(), size_t{1});
    QCOMPARE(note, std::string("GPU 1 does not answer: GPU is lost"));
  }

  void noGpu() {
    std::string note;
    QCOMPARE(readAs("none", note).size(), size_t{0});
    QCOMPARE(note, std::string("the NVIDIA driver found no GPU"));
  }

  void anotherLibraryIsRefused() {
    std::string note;
    QVERIFY(!Nvml::open("libm.so.6", note));
    QVERIFY2(note.find("libm.so.6") != std::string::npos, note.c_str());
  }

  void driverThatComesLater() {
    qputenv("TRAINYARD_FAKE_NVML", "");
    qputenv("TRAINYARD_NVML_LIBRARY", "libdoesnotexist-ml.so.1");
    std::string note;
    QCOMPARE(hardware::readGpus(&note).size(), size_t{0});
    QVERIFY2(note.find("libdoesnotexist-ml.so.1 was not found") != std::string::npos, note.c_str());
    qputenv("TRAINYARD_NVML_LIBRARY", FAKE_NVML_LIBRARY);
    QCOMPARE(hardware::readGpus(&note).size(), size_t{2});
    QCOMPARE(note, std::string());
    QCOMPARE(hardware::readGpus().size(), size_t{2});
  }

  void whyThereIsNoDriver_data() {
    QTest::addColumn<QString>("vendor");
    QTest::addColumn<QString>("device_class");
    QTest::addColumn<QString>("text");
    QTest::newRow("NVIDIA card") << "0x10de"
                                 << "0x030000"
                                 << "sudo apt install nvidia-driver";
    QTest::newRow("NVIDIA compute card") << "0x10de"
                                         << "0x030200"
                                         << "driver is not installed";
    QTest::newRow("NVIDIA sound only") << "0x10de"
                                       << "0x040300"
                                       << "no NVIDIA driver (lib.so was not found)";
    QTest::newRow("AMD card") << "0x1002"
                              << "0x030000"
                              << "AMD GPU";
    QTest::newRow("Intel graphics") << "0x8086"
                                    << "0x030000"
                                    << "no NVIDIA driver (lib.so was not found)";
  }

  void whyThereIsNoDriver() {
    QFETCH(QString, vendor);
    QFETCH(QString, device_class);
    QFETCH(QString, text);
    const RecordedTree tree;
    tree.file("sys/bus/pci/devices/0000:01:00.0/vendor", vendor.toStdString() + "\n");
    tree.file("sys/bus/pci/devices/0000:01:00.0/class", device_class.toStdString() + "\n");
    const QString note = QString::fromStdString(hardware::explainNoDriver(tree.root(), "lib.so"));
    QVERIFY2(note.contains(text), qPrintable(note));
  }

  void programNames() {
    const RecordedTree tree;
    using namespace std::string_literals;
    tree.file("proc/7/cmdline", "/usr/bin/python3.11\0train.py\0--lr\0"s + "0.1\0"s);
    tree.file("proc/8/cmdline", "/opt/blender/blender\0scene.blend\0"s);
    tree.file("proc/9/comm", "kworker\n");
    tree.file("proc/10/cmdline", "python\0-m\0http.server\0"s);
    QCOMPARE(hardware::programOf(tree.root(), 7), "python3.11 train.py"s);
    QCOMPARE(hardware::programOf(tree.root(), 8), "blender"s);
    QCOMPARE(hardware::programOf(tree.root(), 9), "kworker"s);
    QCOMPARE(hardware::programOf(tree.root(), 10), "python"s);
    QCOMPARE(hardware::programOf(tree.root(), 11), ""s);
    QVERIFY(hardware::programOf("/", ::getpid()).find("test_hardware_gpus") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestGpus)
#include "tst_gpus.moc"
