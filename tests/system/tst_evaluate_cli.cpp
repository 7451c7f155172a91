// `evaluate --predictions`: the figures of the report can be computed again from its rows.
#include <QDir>
#include <QSet>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/predictions_table.h"

using namespace trainyard;
using namespace trainyard::system;

class TestEvaluateCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void rowsAreTheSamples();
  void rowsGiveTheMetrics();
  void rowsGiveTheConfusion();
  void theTableChangesNothing();
  void refuses_data();
  void refuses();

 private:
  Sandbox sandbox_;
  QString run_;
  Json report_;
  std::vector<PredictionRow> rows_;
};

// One epoch with a small network: good enough to be right often, and wrong now and then.
void TestEvaluateCli::initTestCase() {
  run_ = sandbox_.path("run");
  const Ended trained = sandbox_.run({"train", sandbox_.recipe("recipe.toml", {{"model.hidden", "[16]"}, {"train.epochs", "1"}}), "--run-dir", run_});
  QVERIFY2(trained.code == 0, trained.text());
  const QString table = sandbox_.path("predictions.csv");
  const Ended ended = sandbox_.run({"evaluate", run_, "--predictions", table, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  report_ = ended.json();
  QVERIFY2(report_.is_object(), ended.text());
  QVERIFY(readBytes(table).startsWith(
      "file,target,class 1,probability 1,class 2,probability 2,class 3,probability 3,class 4,probability 4,class 5,probability 5,loss\n"));
  rows_ = readPredictions(table);
}

void TestEvaluateCli::rowsAreTheSamples() {
  QCOMPARE(report_.at("split").get<std::string>(), std::string("validation"));
  QCOMPARE(report_.at("samples").get<size_t>(), size_t(359));
  QCOMPARE(rows_.size(), size_t(359));
  QSet<QByteArray> names;
  for (const auto& row : rows_) {
    names += row.file;
    double sum = 0, before = 1;
    for (const auto& [name, probability] : row.top) {
      QVERIFY(probability <= before && probability >= 0);
      sum += before = probability;
      // The loss is the logarithm of the right class's probability.
      if (name == row.target) QVERIFY2(std::abs(row.loss + std::log(probability)) < 1e-4 * (1 + row.loss), row.file);
    }
    QVERIFY2(sum < 1 + 1e-6, row.file);
  }
  QCOMPARE(names.size(), qsizetype(359));
}

void TestEvaluateCli::rowsGiveTheMetrics() {
  double right = 0, among_five = 0, loss = 0;
  for (const auto& row : rows_) {
    right += row.target == row.top.at(0).first;
    for (const auto& guess : row.top) among_five += row.target == guess.first;
    loss += row.loss;
  }
  const auto samples = static_cast<double>(rows_.size());
  const Json& metrics = report_.at("metrics");
  QVERIFY(right > 0.2 * samples && right < samples);  // else the rest says little
  QVERIFY(std::abs(metrics.at("accuracy").get<double>() - right / samples) < 1e-9);
  QVERIFY(std::abs(metrics.at("top5").get<double>() - among_five / samples) < 1e-9);
  QVERIFY(std::abs(report_.at("loss").get<double>() - loss / samples) < 1e-6);
}

void TestEvaluateCli::rowsGiveTheConfusion() {
  std::vector<std::vector<uint64_t>> confusion(10, std::vector<uint64_t>(10));
  for (const auto& row : rows_) ++confusion.at(row.target.toUInt()).at(row.top.at(0).first.toUInt());
  QCOMPARE(report_.at("confusion").get<std::vector<std::vector<uint64_t>>>(), confusion);
  for (size_t k = 0; k < 10; ++k) {
    uint64_t of_class = 0, said = 0;
    for (size_t other = 0; other < 10; ++other) {
      of_class += confusion[k][other];
      said += confusion[other][k];
    }
    const Json& entry = report_.at("per_class").at(k);
    QCOMPARE(entry.at("class").get<std::string>(), std::to_string(k));
    QCOMPARE(entry.at("samples").get<uint64_t>(), of_class);
    QVERIFY(std::abs(entry.at("recall").get<double>() - double(confusion[k][k]) / double(of_class)) < 1e-9);
    if (said > 0) QVERIFY(std::abs(entry.at("precision").get<double>() - double(confusion[k][k]) / double(said)) < 1e-9);
  }
}

void TestEvaluateCli::theTableChangesNothing() {
  const Ended ended = sandbox_.run({"evaluate", run_, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.json() == report_, ended.text());
}

void TestEvaluateCli::refuses_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("where");
  QTest::newRow("no test part") << QStringList{"--test"} << 3 << "data.test";
  QTest::newRow("data that is not there") << QStringList{"--data", "nowhere"} << 3 << "nowhere";
  QTest::newRow("table in a folder that is not there") << QStringList{"--predictions", "nowhere/table.csv"} << 1 << "nowhere";
}

void TestEvaluateCli::refuses() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  QFETCH(QString, where);
  const Ended ended = sandbox_.run(QStringList{"evaluate", run_, "--json"} + words);
  QVERIFY2(ended.code == code, ended.text());
  QVERIFY2(!ended.error("what").empty() && QString::fromStdString(ended.error("where")).contains(where), ended.text());
  QVERIFY2(!ended.error("hint").empty(), ended.text());
  QVERIFY(!QDir(sandbox_.path("nowhere")).exists());
}

QTEST_GUILESS_MAIN(TestEvaluateCli)
#include "tst_evaluate_cli.moc"
