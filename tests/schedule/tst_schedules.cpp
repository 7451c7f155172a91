#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

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

Json defaultsOf(const catalogue::Descriptor& entry) {
  Json params = Json::object();
  for (const auto& spec : entry.params) {
    if (!spec.fallback.is_null()) params[spec.key] = spec.fallback;
  }
  return params;
}

const Json& golden() {
  static const Json kGolden = Json::parse(*readFile(std::string(TEST_DATA_DIR) + "/golden.json"));
  return kGolden;
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
      const std::vector<double> rates = ratesOf(recipeWith(entry.id, defaultsOf(entry)), 3, 300);
      QCOMPARE(rates.size(), size_t{300});
      QCOMPARE(*std::max_element(rates.begin(), rates.end()), 0.1);
      for (const double rate : rates) QVERIFY(std::isfinite(rate) && rate >= 0);
    }
  }

  void equalsTorch_data() {
    QTest::addColumn<int>("index");
    const Json cases = golden().at("cases");
    std::set<std::string> covered{"constant", "reduce_on_plateau"};
    for (size_t i = 0; i < cases.size(); ++i) {
      covered.insert(cases[i].at("type").get<std::string>());
      QTest::newRow(qPrintable(QString::fromStdString(cases[i].at("type").get<std::string>() + " " + cases[i].at("params").dump()))) << static_cast<int>(i);
    }
    for (const auto& entry : catalogue::schedules()) QVERIFY2(covered.contains(entry.id), entry.id.c_str());
  }

  // Once with a unit of one step, once with epochs of three steps, in which the rate stays.
  void equalsTorch() {
    QFETCH(int, index);
    const Json golden_case = golden().at("cases").at(static_cast<size_t>(index));
    const auto units = golden_case.at("units").get<uint64_t>(), every = golden_case.at("every").get<uint64_t>();
    const bool exact = golden_case.at("exact"), moves_each_step = golden_case.at("type") == "one_cycle";
    for (const bool per_epoch : {false, true}) {
      const uint64_t steps_per_unit = per_epoch && !moves_each_step ? 3 : 1;
      const auto made = schedule::make(recipeWith(golden_case.at("type"), golden_case.at("params"), per_epoch, 0, golden_case.at("lr")), steps_per_unit,
                                       units * steps_per_unit);
      QVERIFY2(made.has_value(), made ? "" : toText(made.error()).c_str());
      const auto all = schedule::previewAll(**made, units * steps_per_unit);
      for (size_t i = 0; i < golden_case.at("rates").size(); ++i) {
        const uint64_t unit = std::min(i * every, units - 1);
        const double expected = golden_case.at("rates").at(i), allowed = exact ? 0 : 1e-12 * golden_case.at("lr").get<double>();
        for (uint64_t step = unit * steps_per_unit; step < (unit + 1) * steps_per_unit; ++step) {
          QVERIFY2(std::abs(all[step].lr - expected) <= allowed,
                   qPrintable(QString("unit %1: %2, expected %3").arg(unit).arg(all[step].lr, 0, 'g', 17).arg(expected, 0, 'g', 17)));
          const double momentum = golden_case.contains("momenta") ? golden_case.at("momenta").at(i).get<double>() : 0.9;
          QVERIFY2(std::abs(all[step].momentum - momentum) <= 1e-12, qPrintable(QString::number(unit)));
        }
      }
    }
  }

  void plateauEqualsTorch() {
    const Json cases = golden().at("plateaus");
    QCOMPARE(cases.size(), size_t{4});
    for (const Json& golden_case : cases) {
      const auto made = schedule::make(recipeWith("reduce_on_plateau", golden_case.at("params"), true, 0, golden_case.at("lr")), 5, 300);
      QVERIFY(made.has_value());
      QCOMPARE((*made)->watches(), std::string(golden_case.at("params").value("mode", "min") == "max" ? "accuracy" : "loss"));
      schedule::ScheduleState state;
      double drops = 0;
      for (uint64_t epoch = 0; epoch < 60; ++epoch) {
        const double expected = golden_case.at("rates").at(epoch);
        if (epoch > 0 && expected != golden_case.at("rates").at(epoch - 1)) ++drops;
        QVERIFY2((*made)->at(epoch * 5 + 4, state).lr == expected, qPrintable(QString::number(epoch)));
        (*made)->evaluated(golden_case.at("told").at(epoch), epoch * 5 + 5, state);
        // As it comes back from a checkpoint.
        state.values = Json::parse(state.values.dump());
      }
      QVERIFY(drops >= 2);
    }
  }

  void plateauWaitsForTheWarmup() {
    const auto made = schedule::make(recipeWith("reduce_on_plateau", {{"patience", 0}, {"factor", 0.5}}, true, 2), 10, 100);
    QVERIFY(made.has_value());
    schedule::ScheduleState state;
    for (const uint64_t step : {10, 10, 10, 19}) (*made)->evaluated(1.0, step, state);
    QVERIFY(state.values.empty());
    (*made)->evaluated(1.0, 20, state);
    QCOMPARE((*made)->at(20, state).lr, 0.1);
    (*made)->evaluated(std::nan(""), 30, state);
    QCOMPARE((*made)->at(30, state).lr, 0.05);
  }

  void oneCycleOfAThousandSteps() {
    const auto made = schedule::make(recipeWith("one_cycle", Json::object(), true), 50, 1000);
    QVERIFY(made.has_value());
    const auto near = [&](uint64_t step, double lr) { return std::abs((*made)->at(step, {}).lr / lr - 1) < 1e-12; };
    QVERIFY(near(0, 0.004));
    QVERIFY(near(299, 0.1));
    QVERIFY(near(999, 4e-7));
    QVERIFY(near(1000, 4e-7));
    const auto rates = schedule::preview(**made, 1000);
    QCOMPARE(*std::max_element(rates.begin(), rates.end()), rates[299]);
    QCOMPARE((*made)->at(0, {}).momentum, 0.95);
    QCOMPARE((*made)->at(299, {}).momentum, 0.85);
    // Of Adam it moves the first beta; without momentum there is nothing to move.
    recipe::Recipe recipe = recipeWith("one_cycle", Json::object());
    recipe.optimizer = {"adam", {{"lr", 0.1}, {"betas", {0.9, 0.999}}}};
    QCOMPARE((*schedule::make(recipe, 50, 1000))->at(299, {}).momentum, 0.85);
    recipe.optimizer = {"sgd", {{"lr", 0.1}, {"momentum", 0}}};
    QCOMPARE((*schedule::make(recipe, 50, 1000))->at(299, {}).momentum, 0.0);
  }

  void lengthsLeftOutAreTheTraining() {
    // Ten epochs of 4 steps, two of them warm-up: eight epochs remain.
    const auto epochs = ratesOf(recipeWith("linear", Json::object(), true, 2, 0.8), 4, 40);
    for (uint64_t step = 8; step < 40; ++step) QVERIFY(std::abs(epochs[step] - 0.8 * (1 - (step - 8) / 4 / 8.0)) < 1e-15);
    const auto steps = ratesOf(recipeWith("linear", Json::object(), false, 8, 0.8), 4, 40);
    for (uint64_t step = 8; step < 40; ++step) QVERIFY(std::abs(steps[step] - 0.8 * (1 - static_cast<double>(step - 8) / 32)) < 1e-15);
    QCOMPARE(ratesOf(recipeWith("one_cycle", Json::object(), true, 2), 4, 40).size(), size_t{40});
    // A warm-up as long as the training leaves nothing, which is no error.
    for (const auto& entry : catalogue::schedules()) QCOMPARE(ratesOf(recipeWith(entry.id, defaultsOf(entry), true, 10), 4, 40).size(), size_t{40});
  }

  void inverseSqrtGoesByTheWarmup() {
    const auto rates = ratesOf(recipeWith("inverse_sqrt", Json::object(), false, 100, 0.1), 1000, 401);
    QCOMPARE(rates[100], 0.1);
    QVERIFY(std::abs(rates[400] - 0.05) < 1e-15);
    QVERIFY(std::abs(ratesOf(recipeWith("inverse_sqrt", Json::object(), false), 1000, 30001)[30000] - 0.05) < 1e-15);
    QVERIFY(std::abs(ratesOf(recipeWith("inverse_sqrt", {{"timescale", 3}}, false, 100), 1000, 110)[109] - 0.05) < 1e-15);
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
    QTest::newRow("a milestone 0") << "multistep"
                                   << R"({"milestones": [0, 5], "gamma": 0.1})" << quint64{0} << 0.1 << quint64{5} << "schedule.milestones"
                                   << "[30, 60, 80]";
    QTest::newRow("no first cycle") << "cosine_restarts"
                                    << R"({"T_mult": 2})" << quint64{0} << 0.1 << quint64{5} << "schedule.T_0"
                                    << "epochs";
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
