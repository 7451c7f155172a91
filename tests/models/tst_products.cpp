// Which kernels MKL is let use.
#include <QtTest>

#include "core/models/products.h"

extern "C" int mkl_serv_intel_cpu_true();

using namespace trainyard;

class TestProducts : public QObject {
  Q_OBJECT

  static void prepare(int width) {
    auto model = models::make({"mlp", {{"hidden", Json::array({width})}}}, {1, 28, 28}, 10, 1);
    QVERIFY2(model.has_value(), model ? "" : toText(model.error()).c_str());
    models::moveTo(**model, at::kCPU);
  }

 private Q_SLOTS:
  // MKL asks once in a process, so a network that would lose must not decide for one that gains, and on Intel's processors nothing is decided.
  void largeNetworksGetTheWideKernels() {
    __builtin_cpu_init();
    const bool intel = __builtin_cpu_is("intel");
    QCOMPARE(mkl_serv_intel_cpu_true() != 0, intel);
    prepare(128);
    QCOMPARE(mkl_serv_intel_cpu_true() != 0, intel);
    prepare(256);
    QVERIFY(mkl_serv_intel_cpu_true() != 0);
  }
};

QTEST_APPLESS_MAIN(TestProducts)
#include "tst_products.moc"
