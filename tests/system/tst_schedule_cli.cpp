// What `trainyard schedule` shows is what training does, step by step and to the bit.
#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestScheduleCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void stepsDownEveryThirtyEpochs();
  void oneCycleOfAThousandSteps_data();
  void oneCycleOfAThousandSteps();
  void plateausAreForTrainingToFind();
  void refusesWhatTrainingRefuses_data();
  void refusesWhatTrainingRefuses();

 private:
  // An mlp of four units on a table of two numbers and a class.
  static Keys tinyNetwork(Sandbox& sandbox, int rows);
  static std::vector<double> preview(Sandbox& sandbox, const QString& recipe, const char* value);
  static bool near(double value, double right) { return std::abs(value / right - 1) < 1e-12; }
};

Keys TestScheduleCli::tinyNetwork(Sandbox& sandbox, int rows) {
  QByteArray csv = "x,y,kind\n";
  for (int i = 0; i < rows; ++i) csv += QString("%1,%2,%3\n").arg(i % 13 / 13.0).arg(i % 7 / 7.0).arg(i % 2 ? "even" : "odd").toUtf8();
  return {{"data.format", "\"table\""},  {"data.path", quoted(sandbox.write("table.csv", csv))},
          {"model.hidden", "[4]"},       {"optimizer.type", "\"sgd\""},
          {"optimizer.momentum", "0.9"}, {"optimizer.lr", "0.1"},
          {"checkpoint.keep", "1"},      {"checkpoint.every_epochs", "1000"}};
}

std::vector<double> TestScheduleCli::preview(Sandbox& sandbox, const QString& recipe, const char* value) {
  const Ended ended = sandbox.run({"schedule", recipe, "--json"});
  if (ended.code != 0) qFatal("%s", ended.text().constData());
  return ended.json().at(value).get<std::vector<double>>();
}

void TestScheduleCli::stepsDownEveryThirtyEpochs() {
  Sandbox sandbox;
  Keys keys = tinyNetwork(sandbox, 20);  // 16 to train on: two steps an epoch
  keys["train.batch_size"] = "8";
  keys["train.epochs"] = "90";
  keys["schedule.type"] = "\"step\"";
  keys["schedule.step_size"] = "30";
  keys["schedule.gamma"] = "0.1";
  keys["schedule.unit"] = "\"epoch\"";
  const QString recipe = sandbox.recipe("steps.toml", keys), run = sandbox.path("run");
  const std::vector<double> rates = preview(sandbox, recipe, "lr");
  QVERIFY(!QDir(sandbox.runs()).exists());
  const Ended ended = sandbox.run({"train", recipe, "--run-dir", run});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(rates.size(), size_t(180));
  size_t seen = 0;
  Watcher watcher(run);
  for (const auto& event : watcher.events()) {
    if (event.type != "step") continue;
    const int64_t epoch = event.epoch.value_or(-1);
    QCOMPARE(event.number("lr"), rates.at(seen++));
    QCOMPARE(epoch, int64_t(seen - 1) / 2);
    const double right = epoch < 30 ? 0.1 : epoch < 60 ? 0.01 : 0.001;
    QVERIFY2(near(event.number("lr"), right), qPrintable(QString("epoch %1: %2").arg(epoch).arg(event.number("lr"))));
  }
  QCOMPARE(seen, size_t(180));
}

void TestScheduleCli::oneCycleOfAThousandSteps_data() {
  QTest::addColumn<QString>("devices");
  QTest::addColumn<QString>("strategy");
  QTest::newRow("one device") << R"(["cpu"])"
                              << R"("single")";
  QTest::newRow("four ranks") << R"(["cpu", "cpu", "cpu", "cpu"])"
                              << R"("data")";
}

void TestScheduleCli::oneCycleOfAThousandSteps() {
  QFETCH(QString, devices);
  QFETCH(QString, strategy);
  Sandbox sandbox;
  Keys keys = tinyNetwork(sandbox, 500);  // 400 to train on: a hundred steps an epoch
  keys["train.batch_size"] = "4";
  keys["train.epochs"] = "10";
  keys["schedule.type"] = "\"one_cycle\"";
  keys["schedule.max_lr"] = "0.1";
  keys["parallel.devices"] = devices;
  keys["parallel.strategy"] = strategy;
  const QString recipe = sandbox.recipe("cycle.toml", keys), run = sandbox.path("run");
  const std::vector<double> rates = preview(sandbox, recipe, "lr"), momenta = preview(sandbox, recipe, "momentum");
  QCOMPARE(rates.size(), size_t(1000));
  QCOMPARE(momenta.size(), size_t(1000));
  QVERIFY2(near(rates.front(), 0.004) && near(momenta.front(), 0.95), qPrintable(QString::number(rates.front(), 'g', 17)));
  const size_t peak = size_t(std::max_element(rates.begin(), rates.end()) - rates.begin());
  QCOMPARE(peak, size_t(299));
  QVERIFY2(near(rates[peak], 0.1) && near(momenta[peak], 0.85), qPrintable(QString::number(rates[peak], 'g', 17)));
  QVERIFY2(near(rates.back(), 4e-7) && near(momenta.back(), 0.95), qPrintable(QString::number(rates.back(), 'g', 17)));
  const Ended ended = sandbox.run({"train", recipe, "--run-dir", run});
  QVERIFY2(ended.code == 0, ended.text());
  const auto logged = series(run, "step", "lr");
  QCOMPARE(logged.size(), size_t(1000));
  for (const auto& [step, rate] : logged) QCOMPARE(rate, rates.at(size_t(step - 1)));
}

void TestScheduleCli::plateausAreForTrainingToFind() {
  Sandbox sandbox;
  Keys keys = tinyNetwork(sandbox, 20);
  keys["train.batch_size"] = "8";
  keys["train.epochs"] = "4";
  keys["schedule.type"] = "\"reduce_on_plateau\"";
  const QString recipe = sandbox.recipe("plateau.toml", keys);
  const Ended ended = sandbox.run({"schedule", recipe, "--json"});
  QVERIFY2(ended.code == 0 && ended.err.contains("only training can tell"), ended.text());
  QCOMPARE(ended.json().at("lr").get<std::vector<double>>(), std::vector<double>(8, 0.1));
}

void TestScheduleCli::refusesWhatTrainingRefuses_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("where");
  QTest::addColumn<int>("code");
  QTest::newRow("batch larger than the data") << "train.batch_size=2000"
                                              << "train.batch_size" << 2;
  QTest::newRow("unknown schedule") << "schedule.type=\"cosin\""
                                    << "schedule.type" << 2;
  QTest::newRow("data that is not there") << "data.path=\"nowhere\""
                                          << "nowhere" << 3;
}

void TestScheduleCli::refusesWhatTrainingRefuses() {
  QFETCH(QString, assignment);
  QFETCH(QString, where);
  QFETCH(int, code);
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml");
  const Ended shown = sandbox.run({"schedule", recipe, "--json", "--set", assignment}), trained = sandbox.run({"train", recipe, "--json", "--set", assignment});
  QVERIFY2(shown.code == code && QString::fromStdString(shown.error("where")).contains(where) && !shown.error("hint").empty(), shown.text());
  QCOMPARE(shown.out, trained.out);
  QCOMPARE(trained.code, code);
}

QTEST_GUILESS_MAIN(TestScheduleCli)
#include "tst_schedule_cli.moc"
