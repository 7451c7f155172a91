// The practice run on a GPU. Skips where there is none, and says why.
#include <QTest>

#include "core/hardware/hardware.h"
#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestGpu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void learnsTheDigits_data();
  void learnsTheDigits();
};

void TestGpu::initTestCase() {
  std::string why;
  if (hardware::readGpus(&why).empty()) QSKIP(("no GPU here: " + why).c_str());
}

void TestGpu::learnsTheDigits_data() {
  QTest::addColumn<QString>("precision");
  for (const char* precision : {"fp32", "bf16"}) QTest::newRow(precision) << precision;
}

void TestGpu::learnsTheDigits() {
  QFETCH(QString, precision);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"demo", "--json", "--set", "parallel.devices=[\"cuda:0\"]", "--set", "precision.type=\"" + precision + "\""});
  QVERIFY2(ended.code == 0, ended.text());
  const Json result = ended.json();
  QVERIFY2(result.at("best").at("value").get<double>() >= 0.97, ended.text());
  const Json shown = sandbox.run({"evaluate", "latest", "--json"}).json();
  QVERIFY(std::abs(shown.at("metrics").at("accuracy").get<double>() - result.at("best").at("value").get<double>()) < 0.01);
}

QTEST_GUILESS_MAIN(TestGpu)
#include "tst_gpu.moc"
