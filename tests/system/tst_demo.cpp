// The practice run: the digits on board, as they come.
#include <QFileInfo>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestDemo : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void reachesItsAccuracy();
};

void TestDemo::reachesItsAccuracy() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"demo", "--json"}, 280000);
  QVERIFY2(ended.code == 0, ended.text());
  const Json result = ended.json();
  QVERIFY2(result.is_object(), ended.text());
  QCOMPARE(result.at("state").get<std::string>(), std::string("finished"));
  QCOMPARE(result.at("best").at("metric").get<std::string>(), std::string("accuracy"));
  QVERIFY2(result.at("best").at("value").get<double>() >= 0.97, ended.text());
  const QString run = QString::fromStdString(result.at("dir").get<std::string>());
  QCOMPARE(QFileInfo(run).path(), sandbox.runs());
  QVERIFY2(eventsFault(run).isEmpty(), eventsFault(run));
  const Ended evaluate = sandbox.run({"evaluate", "latest", "--json"});
  QVERIFY2(evaluate.code == 0, evaluate.text());
  QVERIFY(evaluate.json().at("metrics").at("accuracy").get<double>() >= 0.97);
  QVERIFY(evaluate.json().at("samples").get<int>() >= 359);  // a fifth held out
}

QTEST_GUILESS_MAIN(TestDemo)
#include "tst_demo.moc"
