// `trainyard model show`: the table of a network's layers, with the counts that everybody knows.
#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"

using namespace trainyard;
using namespace trainyard::system;

class TestModelCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void knownNetworks_data();
  void knownNetworks();
  void rowsOfASmallNetwork();
  void frozenPartsAreMarked();
  void tableForPeople();
  void unknownArchitectureNamesTheNearest_data();
  void unknownArchitectureNamesTheNearest();

 private:
  static Json row(const Json& shown, const std::string& name, const std::string& kind);
  // Pictures of which nothing is known but that there are a thousand classes.
  static Keys photos(const QString& arch) {
    return {{"data.format", "\"image-folder\""}, {"data.path", "\"not here\""}, {"model.arch", "\"" + arch + "\""}, {"model.classes", "1000"}};
  }
};

Json TestModelCli::row(const Json& shown, const std::string& name, const std::string& kind) {
  for (const auto& layer : shown.at("layers")) {
    if (layer.at("name") == name && layer.at("kind") == kind) return layer;
  }
  qFatal("no row %s %s", name.c_str(), kind.c_str());
}

void TestModelCli::knownNetworks_data() {
  QTest::addColumn<quint64>("parameters");
  QTest::addColumn<quint64>("multiply_adds");
  QTest::newRow("resnet18") << quint64(11689512) << quint64(1814073344);
  QTest::newRow("resnet50") << quint64(25557032) << quint64(4089184256);
}

void TestModelCli::knownNetworks() {
  QFETCH(quint64, parameters);
  QFETCH(quint64, multiply_adds);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"model", "show", sandbox.recipe("photos.toml", photos(QTest::currentDataTag())), "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json shown = ended.json();
  QCOMPARE(shown.at("arch").get<std::string>(), std::string(QTest::currentDataTag()));
  QVERIFY(shown.at("input") == Json::array({3, 224, 224}));
  QCOMPARE(shown.at("classes").get<int>(), 1000);
  QVERIFY(!shown.at("from_data").get<bool>());
  QCOMPARE(shown.at("parameters").get<quint64>(), parameters);
  QCOMPARE(shown.at("trainable").get<quint64>(), parameters);
  QCOMPARE(shown.at("multiply_adds").get<quint64>(), multiply_adds);
  quint64 rows_parameters = 0, rows_multiply_adds = 0;
  for (const auto& layer : shown.at("layers")) {
    rows_parameters += layer.at("parameters").get<quint64>();
    rows_multiply_adds += layer.at("multiply_adds").get<quint64>();
  }
  QCOMPARE(rows_parameters, parameters);
  QCOMPARE(rows_multiply_adds, multiply_adds);
  const Json first = row(shown, "conv1", "Conv2d"), last = row(shown, "fc", "Linear");
  QVERIFY(first.at("output") == Json::array({64, 112, 112}));
  QCOMPARE(first.at("parameters").get<int>(), 9408);
  QCOMPARE(first.at("multiply_adds").get<int>(), 118013952);
  QVERIFY(last.at("output") == Json::array({1000}));
  QVERIFY(shown.at("layers").back() == last);
}

// (convolution without bias, batch norm) 32 – pool – 64 – pool – 128, mean, linear; the digits are 8 × 8.
void TestModelCli::rowsOfASmallNetwork() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"model", "show", sandbox.recipe("digits.toml", {{"model.arch", "\"smallcnn\""}}), "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json shown = ended.json();
  QVERIFY(shown.at("from_data").get<bool>());
  QVERIFY(shown.at("input") == Json::array({1, 8, 8}));
  QCOMPARE(shown.at("classes").get<int>(), 10);
  struct Right {
    const char *name, *kind;
    std::vector<int> output;
    int parameters, multiply_adds;
  };
  for (const auto& [name, kind, output, parameters, multiply_adds] :
       {Right{"features.0.0", "Conv2d", {32, 8, 8}, 32 * 9, 64 * 32 * 9}, Right{"features.0.1", "BatchNorm2d", {32, 8, 8}, 64, 0},
        Right{"features.2.0", "Conv2d", {64, 4, 4}, 64 * 32 * 9, 16 * 64 * 32 * 9},
        Right{"features.4.0", "Conv2d", {128, 2, 2}, 128 * 64 * 9, 4 * 128 * 64 * 9}, Right{"classifier", "Linear", {10}, 1290, 1280}}) {
    const Json layer = row(shown, name, kind);
    QCOMPARE(layer.at("output").get<std::vector<int>>(), output);
    QCOMPARE(layer.at("parameters").get<int>(), parameters);
    QCOMPARE(layer.at("multiply_adds").get<int>(), multiply_adds);
    QVERIFY(!layer.at("frozen").get<bool>());
  }
  constexpr int kWeights = 32 * 9 + 64 * 32 * 9 + 128 * 64 * 9 + 2 * (32 + 64 + 128) + 1290;
  QCOMPARE(shown.at("parameters").get<int>(), kWeights);
  QCOMPARE(shown.at("bytes").get<int>(), 4 * (kWeights + 2 * (32 + 64 + 128)) + 3 * 8);  // and running averages, and three counters
  QVERIFY(!QDir(sandbox.runs()).exists());
}

void TestModelCli::frozenPartsAreMarked() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("digits.toml", {{"model.freeze", "[\"1.*\"]"}});
  const Json shown = sandbox.run({"model", "show", recipe, "--json", "--set", "model.hidden=[8]"}).json();
  QVERIFY(row(shown, "1", "Linear").at("frozen").get<bool>());
  QVERIFY(!row(shown, "3", "Linear").at("frozen").get<bool>());
  QCOMPARE(shown.at("parameters").get<int>(), 520 + 90);
  QCOMPARE(shown.at("trainable").get<int>(), 90);
}

void TestModelCli::tableForPeople() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"model", "show", sandbox.recipe("photos.toml", photos("resnet18"))});
  QVERIFY2(ended.code == 0 && ended.err.isEmpty(), ended.text());
  QVERIFY2(ended.out.contains("layer4.1.bn2") && ended.out.contains("64 × 112 × 112") && ended.out.contains("11,689,512 parameters"), ended.text());
  QVERIFY2(ended.out.contains("1.81 G multiply-adds") && ended.out.contains("the data could not be opened"), ended.text());
}

void TestModelCli::unknownArchitectureNamesTheNearest_data() {
  QTest::addColumn<QString>("arch");
  QTest::addColumn<QString>("near");
  QTest::newRow("resnet19") << "resnet19"
                            << "resnet18";
  QTest::newRow("ResNet50") << "ResNet50"
                            << "resnet50";
  QTest::newRow("mobilnet_v2") << "mobilnet_v2"
                               << "mobilenet_v2";
}

void TestModelCli::unknownArchitectureNamesTheNearest() {
  QFETCH(QString, arch);
  QFETCH(QString, near);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"model", "show", sandbox.recipe("photos.toml", photos(arch)), "--json"});
  QVERIFY2(ended.code == 2 && ended.error("code") == "recipe", ended.text());
  QVERIFY2(ended.error("what").find(arch.toStdString()) != std::string::npos, ended.text());
  QVERIFY2(ended.error("where").find("photos.toml:") != std::string::npos && ended.error("where").find("model.arch") != std::string::npos, ended.text());
  QVERIFY2(ended.error("hint").find("\"" + near.toStdString() + "\"") != std::string::npos, ended.text());
}

QTEST_GUILESS_MAIN(TestModelCli)
#include "tst_model_cli.moc"
