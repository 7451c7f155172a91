#include <QTest>

#include "core/base/files.h"
#include "core/comm/communicator.h"
#include "core/hardware/hardware.h"

using namespace trainyard;

class TestNccl : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void isBuiltOnEveryMachine() { QVERIFY(fs::exists(programFolder() / "../lib/trainyard/libtrainyard_nccl.so")); }

  void refusesWithoutAGpu() {
    if (!hardware::readGpus().empty()) QSKIP("this computer has a GPU");
    const auto library = comm::loadNccl();
    QVERIFY(!library);
    QCOMPARE(library.error().code, ErrorCode::Device);
    QVERIFY(library.error().what.find("NVIDIA GPU") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestNccl)
#include "tst_nccl.moc"
