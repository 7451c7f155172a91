#include <QtTest>
#include <cmath>

#include "core/base/files.h"
#include "core/catalogue/catalogue.h"
#include "core/schedule/schedule.h"

using namespace trainyard;

namespace {

recipe::Recipe recipeWith(const std::string& id, Json params, bool per_epoch = true, uint64_t warmup = 0, double lr = 0.1) {
  recipe::Recipe recipe;
  recipe.optimizer = {"sgd", {{"lr", lr}, {"momentum", 0.9}}};
  recipe.schedule.choice = {id, std::move(params)};
  recipe.schedule.per_epoch = per_epoch;
  recipe.schedule.warmup = warmup;
  return recipe;
}

std::vector<double> ratesOf(const recipe::Recipe& recipe, uint64_t steps_per_epoch, uint64_t steps) {
  const auto made = schedule::make(recipe, steps_per_epoch, steps);
  if (!made) return {};
  return schedule::preview(**made, steps);
}

}  // namespace

class TestSchedules : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void makersEqualTheCatalogue() {
    std::vector<std::string> ids;
    for (const auto& entry : catalogue::schedules()) ids.push_back(entry.id);
    QVERIFY(!ids.empty());
    QCOMPARE(schedule::madeIds(), ids);
  }

  void everyEntryWorksWithItsDefaults() {
    for (const auto& entry : catalogue::schedules()) {
      Json params = Json::object();
      for (const auto& spec : entry.params) params[spec.key] = spec.fallback;
      const std::vector<double> rates = ratesOf(recipeWith(entry.id, params), 3, 300);
      QCOMPARE(rates.size(), size_t{300});
      QCOMPARE(rates.front(), 0.1);
      for (const double rate : rates) QVERIFY(std::isfinite(rate) && rate >= 0);
    }
  }

  void stepEqualsTorch() {
    const auto text = readFile(std::string(TEST_DATA_DIR) + "/golden_step_lr.json");
    QVERIFY(text.has_value());
    const Json golden = Json::parse(*text);
    QVERIFY(golden.at("cases").size() >= 3);
    for (const Json& golden_case : golden.at("cases")) {
      const Json params = {{"step_size", golden_case.at("step_size")}, {"gamma", golden_case.at("gamma")}};
      const auto epochs = golden_case.at("epochs").get<uint64_t>();
      const std::vector<double> expected = golden_case.at("rates");
      const uint64_t steps_per_epoch = 7;
      const auto rates = ratesOf(recipeWith("step", params, true, 0, golden_case.at("lr")), steps_per_epoch, epochs * steps_per_epoch);
      QCOMPARE(rates.size(), expected.size() * steps_per_epoch);
      for (size_t step = 0; step < rates.size(); ++step) QVERIFY2(rates[step] == expected[step / steps_per_epoch], qPrintable(QString::number(step)));
    }
  }

  void ninetyEpochsAtThirty() {
    const auto rates = ratesOf(recipeWith("step", {{"step_size", 30}, {"gamma", 0.1}}), 10, 900);
    QCOMPARE(rates.size(), size_t{900});
    for (size_t step = 0; step < 900; ++step) {
      const double expected = step < 300 ? 0.1 : step < 600 ? 0.01 : 0.001;
      QVERIFY2(std::abs(rates[step] - expected) < 1e-15, qPrintable(QString::number(step)));
    }
  }

  void unitStepCountsSteps() {
    const auto rates = ratesOf(recipeWith("step", {{"step_size", 4}, {"gamma", 0.5}}, false), 100, 12);
    QCOMPARE(rates, (std::vector<double>{0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.025, 0.025, 0.025, 0.025}));
  }

  void warmupRisesThenTheScheduleStarts() {
    // Three steps of warm-up: 1/4, 2/4, 3/4 of the rate; the first drop comes two steps after the warm-up.
    const auto rates = ratesOf(recipeWith("step", {{"step_size", 2}, {"gamma", 0.5}}, false, 3, 0.8), 100, 8);
    QCOMPARE(rates, (std::vector<double>{0.8 * 0.25, 0.8 * 0.5, 0.8 * 0.75, 0.8, 0.8, 0.4, 0.4, 0.2}));
  }

  void warmupInEpochs() {
    const auto rates = ratesOf(recipeWith("constant", Json::object(), true, 2, 1.0), 2, 6);
    QCOMPARE(rates, (std::vector<double>{1 / 5.0, 2 / 5.0, 3 / 5.0, 4 / 5.0, 1.0, 1.0}));
  }

  void momentumPassesThrough() {
    const auto made = schedule::make(recipeWith("step", {{"step_size", 1}, {"gamma", 0.5}}, true, 1), 2, 10);
    QVERIFY(made.has_value());
    for (const uint64_t step : {0, 1, 2, 9}) QCOMPARE((*made)->at(step, {}).momentum, 0.9);
    recipe::Recipe adam = recipeWith("constant", Json::object());
    adam.optimizer = {"adam", {{"lr", 0.001}}};
    const auto without = schedule::make(adam, 1, 1);
    QVERIFY(without.has_value());
    QCOMPARE((*without)->at(0, {}).momentum, 0.0);
    QCOMPARE((*without)->at(0, {}).lr, 0.001);
  }

  void manyDropsStayCheapAndRight() {
    const auto made = schedule::make(recipeWith("step", {{"step_size", 1}, {"gamma", 0.9999}}, false), 1, 100000);
    QVERIFY(made.has_value());
    for (const uint64_t step : {4096, 4097, 50000}) {
      const double expected = 0.1 * std::pow(0.9999, static_cast<double>(step));
      QVERIFY(std::abs((*made)->at(step, {}).lr / expected - 1) < 1e-11);
    }
    const auto tiny = schedule::make(recipeWith("step", {{"step_size", 1}, {"gamma", 0.1}}, false), 1, 100000);
    QVERIFY(tiny.has_value());
    QCOMPARE((*tiny)->at(99999, {}).lr, 0.0);
  }

  void wrongRecipes_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("params");
    QTest::addColumn<quint64>("warmup");
    QTest::addColumn<double>("lr");
    QTest::addColumn<quint64>("steps_per_epoch");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("hint");
    const QString fine = R"({"step_size": 1, "gamma": 0.1})";
    QTest::newRow("unknown id") << "stpe" << fine << quint64{0} << 0.1 << quint64{5} << "schedule.type"
                                << "step";
    QTest::newRow("no size") << "step"
                             << R"({"gamma": 0.1})" << quint64{0} << 0.1 << quint64{5} << "schedule.step_size"
                             << "epochs";
    QTest::newRow("size 0") << "step"
                            << R"({"step_size": 0, "gamma": 0.1})" << quint64{0} << 0.1 << quint64{5} << "schedule.step_size"
                            << "epochs";
    QTest::newRow("gamma 0") << "step"
                             << R"({"step_size": 1, "gamma": 0})" << quint64{0} << 0.1 << quint64{5} << "schedule.gamma"
                             << "tenth";
    QTest::newRow("gamma inf") << "step"
                               << R"({"step_size": 1, "gamma": "inf"})" << quint64{0} << 0.1 << quint64{5} << "schedule.gamma"
                               << "tenth";
    QTest::newRow("lr nan") << "step" << fine << quint64{0} << std::nan("") << quint64{5} << "optimizer.lr"
                            << "SGD";
    QTest::newRow("lr below 0") << "step" << fine << quint64{0} << -0.1 << quint64{5} << "optimizer.lr"
                                << "SGD";
    QTest::newRow("no data") << "step" << fine << quint64{0} << 0.1 << quint64{0} << "train.batch_size"
                             << "batch_size";
    QTest::newRow("warm-up overflows") << "step" << fine << quint64{UINT64_MAX} << 0.1 << quint64{5} << "schedule.warmup"
                                       << "few";
  }

  void wrongRecipes() {
    QFETCH(QString, id);
    QFETCH(QString, params);
    QFETCH(quint64, warmup);
    QFETCH(double, lr);
    QFETCH(quint64, steps_per_epoch);
    QFETCH(QString, where);
    QFETCH(QString, hint);
    const auto made = schedule::make(recipeWith(id.toStdString(), Json::parse(params.toStdString()), true, warmup, lr), steps_per_epoch, 100);
    QVERIFY(!made.has_value());
    QVERIFY(made.error().code == ErrorCode::Recipe);
    QCOMPARE(QString::fromStdString(made.error().where), where);
    QVERIFY2(QString::fromStdString(made.error().hint).contains(hint), made.error().hint.c_str());
    QVERIFY(!made.error().what.empty());
  }
};

QTEST_APPLESS_MAIN(TestSchedules)
#include "tst_schedules.moc"
