// `trainyard plan`: what each strategy would take on the recipe's devices, without training.
#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"

using namespace trainyard;
using namespace trainyard::system;

class TestPlanCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void batchesAndParts_data();
  void batchesAndParts();
  void shardingSavesItsShare_data();
  void shardingSavesItsShare();
  void oneDeviceHasNoStages();
  void tellsWhatNumbersDependOn();
  void textNamesEveryStrategy();
  void refusesWhatTrainRefuses();

 private:
  static Keys on(const QString& strategy, int devices) {
    return {{"parallel.strategy", "\"" + strategy + "\""}, {"parallel.devices", "[" + QStringList(QList<QString>(devices, "\"cpu\"")).join(", ") + "]"}, {"model.hidden", "[512, 256]"}, {"train.batch_size", "33"}};
  }
  static Json planOf(Sandbox& sandbox, const Keys& keys) {
    const Ended ended = sandbox.run({"plan", sandbox.recipe("recipe.toml", keys), "--json"});
    if (ended.code != 0) qFatal("%s", ended.text().constData());
    return Json::parse(ended.out.toStdString());
  }
  static double memoryOf(const Json& plan, const char* id) {
    for (const auto& row : plan.at("strategies")) {
      if (row.at("id") == id) return row.at("memory_bytes").get<double>();
    }
    qFatal("no strategy %s", id);
  }
};

void TestPlanCli::batchesAndParts_data() {
  QTest::addColumn<Keys>("keys");
  QTest::addColumn<int>("passes");
  QTest::addColumn<int>("at_a_time");
  Keys accumulated = on("data", 2), parts = on("pipeline", 2), grid = on("pipeline", 4);
  accumulated["train.accumulate"] = "3";
  parts["parallel.micro_batches"] = "5";
  grid["parallel.stages"] = "2";
  grid["parallel.micro_batches"] = "4";
  QTest::newRow("data") << on("data", 2) << 1 << 17;
  QTest::newRow("data, in three passes") << accumulated << 3 << 6;
  QTest::newRow("pipeline") << parts << 5 << 7;
  QTest::newRow("two pipelines") << grid << 4 << 5;
  QTest::newRow("sharded") << on("sharded", 3) << 1 << 11;
}

void TestPlanCli::batchesAndParts() {
  QFETCH(Keys, keys);
  Sandbox sandbox;
  const Json plan = planOf(sandbox, keys);
  QTEST(plan.at("passes").get<int>(), "passes");
  QTEST(plan.at("rank_batch").get<int>(), "at_a_time");
  QVERIFY2(QDir(sandbox.runs()).isEmpty(), "a run folder was left behind");
}

void TestPlanCli::shardingSavesItsShare_data() {
  QTest::addColumn<int>("devices");
  for (const int devices : {2, 4, 8}) QTest::addRow("%d devices", devices) << devices;
}

// AdamW in fp32: 16 bytes a parameter alone; 8 + 8/N in stage 1; 16/N in stage 3. Besides, what is whole for a moment: in stage 1 the largest block's
// weights and gradients, in stage 3 those of two.
void TestPlanCli::shardingSavesItsShare() {
  QFETCH(int, devices);
  Sandbox sandbox;
  Keys first = on("sharded", devices), third = first;
  first["parallel.stage"] = "1";
  third["parallel.stage"] = "3";
  first["optimizer.type"] = third["optimizer.type"] = "\"adamw\"";
  const Json plan = planOf(sandbox, first);
  double parameters = 0, largest = 0;
  for (const auto& block : plan.at("blocks")) {
    parameters += block.at("parameters").get<double>();
    largest = std::max(largest, block.at("parameters").get<double>());
  }
  const double whole = memoryOf(plan, "data"), share = 1 - 1.0 / devices;
  const double in_first = whole - memoryOf(plan, "sharded"), in_third = whole - memoryOf(planOf(sandbox, third), "sharded");
  QVERIFY2(std::abs(in_first - 8 * (parameters * share - largest)) < 64, qPrintable(QString::number(in_first / parameters)));
  QVERIFY2(std::abs(in_third - 16 * (parameters * share - largest)) < 64, qPrintable(QString::number(in_third / parameters)));
}

void TestPlanCli::oneDeviceHasNoStages() {
  Sandbox sandbox;
  const Json plan = planOf(sandbox, on("single", 1));
  QVERIFY(plan.at("stages").empty());
  for (const auto& row : plan.at("strategies")) {
    QCOMPARE(row.at("possible").get<bool>(), row.at("id") == "single");
    if (row.at("id") != "single") QCOMPARE(QString::fromStdString(row.at("why").get<std::string>()), QString("this needs at least two devices"));
  }
}

void TestPlanCli::tellsWhatNumbersDependOn() {
  Sandbox sandbox;
  const auto codesOf = [&](const Keys& keys) {
    QStringList codes;
    const Json plan = planOf(sandbox, keys);
    for (const auto& note : plan.at("notes")) codes << QString::fromStdString(note.at("code").get<std::string>());
    return codes;
  };
  QCOMPARE(codesOf(on("data", 2)), QStringList{"uneven_batch"});
  Keys keys = on("data", 2);
  keys.remove("model.hidden");
  keys["model.arch"] = "\"mobilenet_v2\"";
  QCOMPARE(codesOf(keys), (QStringList{"uneven_batch", "dropout", "batch_norm"}));
  keys["train.batch_size"] = "32";
  keys["model.arch"] = "\"smallcnn\"";
  QCOMPARE(codesOf(keys), QStringList{"batch_norm"});
  keys["parallel.sync_batch_norm"] = "true";
  QCOMPARE(codesOf(keys), QStringList());
}

void TestPlanCli::textNamesEveryStrategy() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"plan", sandbox.recipe("recipe.toml", on("pipeline", 2))});
  QVERIFY2(ended.code == 0, ended.text());
  for (const char* word : {"single", "data", "pipeline", "sharded", "Stages of a pipeline", "of the work"}) QVERIFY2(ended.out.contains(word), word);
}

void TestPlanCli::refusesWhatTrainRefuses() {
  Sandbox sandbox;
  Keys keys = on("pipeline", 2);
  keys["parallel.cuts"] = "[\"layer9\"]";
  const Ended ended = sandbox.run({"plan", sandbox.recipe("recipe.toml", keys), "--json"});
  QCOMPARE(ended.code, 2);
  QCOMPARE(ended.error("where"), std::string("parallel.cuts"));
  QVERIFY(!ended.error("hint").empty());
}

QTEST_GUILESS_MAIN(TestPlanCli)
#include "tst_plan_cli.moc"
