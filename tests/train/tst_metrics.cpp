// Metrics against scikit-learn's (tests/golden/make_metrics.py).
#include <QTest>

#include "core/catalogue/catalogue.h"
#include "core/runs/metric_order.h"
#include "core/train/loss.h"
#include "core/train/metrics.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using train::Metrics;

namespace {

Json cases() { return Json::parse(*readFile(fs::path(TEST_DATA_DIR) / "metrics.json")); }

struct Case {
  data::Task task = data::Task::Classes;
  int64_t outputs_per_sample = 0;
  at::Tensor outputs, targets;
};

// Draws as the script does.
Case caseFrom(const Json& golden) {
  Case made;
  const auto sizes = golden.at("sizes").get<std::vector<int64_t>>();
  const auto task = golden.at("task").get<std::string>();
  at::Generator generator = at::detail::createCPUGenerator(5);
  const auto integers = [&](int64_t below, std::vector<int64_t> shape) { return at::randint(below, shape, generator, at::TensorOptions(at::kLong)); };
  const auto normal = [&] { return at::randn(sizes, generator, at::TensorOptions(at::kFloat)); };
  const auto never = golden.value("never", int64_t{-1});
  made.outputs_per_sample = sizes.back();
  if (task == "classes") {
    made.targets = integers(golden.at("occurring").get<int64_t>(), {sizes[0]});
    made.outputs = normal() + at::one_hot(made.targets, sizes[1]) * 1.5;
    if (never >= 0) made.outputs.select(1, never).sub_(100);
  } else if (task == "labels") {
    made.task = data::Task::Labels;
    made.targets = integers(2, sizes).to(at::kFloat);
    if (never >= 0) made.targets.select(1, never).zero_();
    made.outputs = normal() + made.targets - 0.5;
  } else if (task == "numbers") {
    made.task = data::Task::Numbers;
    made.targets = normal() * at::arange(1, sizes[1] + 1) + 1000;
    made.outputs = made.targets + normal() * 0.3;
  } else {
    made.task = data::Task::Tokens;
    made.targets = integers(sizes[2], {sizes[0], sizes[1]});
    made.outputs = normal() + at::one_hot(made.targets, sizes[2]);
    for (const auto& place : golden.at("ignored")) made.targets.view(-1)[place.get<int64_t>()] = train::kIgnored;
  }
  if (golden.value("round", false)) made.outputs = (made.outputs * 2).round() / 2;
  return made;
}

// In batches of the given size, the last one smaller.
Metrics metricsOf(const Case& given, int64_t batch) {
  const auto tally = train::metricsTally(given.task, given.outputs_per_sample);
  for (int64_t begin = 0; begin < given.outputs.size(0); begin += batch) {
    const int64_t count = std::min(batch, given.outputs.size(0) - begin);
    const at::Tensor outputs = given.outputs.narrow(0, begin, count), targets = given.targets.narrow(0, begin, count);
    tally->add(outputs, targets, train::evaluationLosses(given.task, {}, outputs, targets));
  }
  return tally->done();
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalScikitLearns_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("batch");
    const Json all = cases();
    for (size_t i = 0; i < all.size(); ++i) {
      for (const int batch : {1000, 64, 1})
        QTest::addRow("%d %s, %d at once", static_cast<int>(i), all[i].at("task").get<std::string>().c_str(), batch) << static_cast<int>(i) << batch;
    }
  }
  void equalScikitLearns() {
    QFETCH(int, index);
    QFETCH(int, batch);
    const Json golden = cases().at(static_cast<size_t>(index));
    const Metrics metrics = metricsOf(caseFrom(golden), batch);
    QCOMPARE(metrics.values.size(), golden.at("values").size());
    for (const auto& [name, value] : golden.at("values").items()) {
      QVERIFY2(metrics.values.contains(name), name.c_str());
      COMPARE_NEAR(numberFrom(metrics.values.at(name)), value.get<double>(), 0, 1e-6, name);
    }
    for (const auto& [name, column] : golden.at("per_class").items()) {
      QCOMPARE(metrics.per_class.size(), column.size());
      for (size_t k = 0; k < column.size(); ++k) {
        QCOMPARE(metrics.per_class[k].contains(name), !column[k].is_null());
        if (!column[k].is_null()) COMPARE_NEAR(numberFrom(metrics.per_class[k].at(name)), column[k].get<double>(), 0, 1e-6, name + " of " + std::to_string(k));
      }
    }
    QVERIFY(Json(metrics.confusion) == golden.at("confusion"));
  }

  void whatCannotBeSaidIsLeftOut() {
    const auto tally = train::metricsTally(data::Task::Classes, 3);
    const at::Tensor outputs = at::randn({4, 3}), targets = at::zeros({4}, at::kLong);
    tally->add(outputs, targets, at::zeros({4}));
    const Metrics metrics = tally->done();
    QVERIFY(!metrics.values.contains("auroc") && !metrics.values.contains("top5"));
    QVERIFY(metrics.values.contains("average_precision"));  // of the one class there is
  }

  // A network that broke gives no ranking, and nothing falls over.
  void numbersThatAreNone() {
    const auto tally = train::metricsTally(data::Task::Classes, 6);
    tally->add(at::full({4, 6}, NAN), at::arange(4), at::zeros({4}));
    const Metrics metrics = tally->done();
    QVERIFY(!metrics.values.contains("auroc"));
    QCOMPARE(metrics.values.at("top5").get<double>(), 0.0);
    const auto numbers = train::metricsTally(data::Task::Numbers, 1);
    numbers->add(at::full({4, 1}, INFINITY), at::zeros({4, 1}), at::zeros({4}));
    QVERIFY(numbers->done().values.at("mae") == "inf");
  }

  void scoresAreKeptUpToALimit() {
    const auto tally = train::metricsTally(data::Task::Labels, 1000);
    const at::Tensor targets = at::ones({1001, 1000});
    for (int part = 0; part < 4; ++part) tally->add(at::zeros({1001, 1000}), targets, at::zeros({1001}));
    const Metrics metrics = tally->done();
    QVERIFY(!metrics.values.contains("average_precision"));
    QCOMPARE(metrics.per_class[0].at("samples").get<int>(), 4004);
  }

  void numbersWithoutSpread() {
    const auto tally = train::metricsTally(data::Task::Numbers, 2);
    tally->add(at::ones({4, 2}), at::tensor({1.0F, 2.0F}).expand({4, 2}), at::zeros({4}));
    const Metrics metrics = tally->done();
    QCOMPARE(metrics.per_class[0].at("r2").get<double>(), 1.0);
    QCOMPARE(metrics.per_class[1].at("r2").get<double>(), 0.0);
  }

  // Every metric that a checkpoint can be the best by is one of those here.
  void everyMetricHasADirection() {
    std::set<std::string> made{"loss"};
    for (const auto& golden : cases()) {
      for (const auto& [name, value] : golden.at("values").items()) made.insert(name);
    }
    const auto* section = catalogue::findSection("checkpoint");
    for (const auto& spec : section->params) {
      for (const auto& option : spec.choices) QVERIFY2(made.contains(option.id), option.id.c_str());
    }
    for (const char* name : {"loss", "mae", "rmse", "perplexity"}) QVERIFY(!runs::higherIsBetter(name));
    for (const char* name : {"accuracy", "top5", "f1_macro", "f1_weighted", "auroc", "average_precision", "r2", "exact_match"})
      QVERIFY(runs::higherIsBetter(name));
  }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
