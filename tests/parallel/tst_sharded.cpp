// The strategy "sharded": numbers as on one device.
#include <QTest>

#include "tests/parallel/sharded_bench.h"

using namespace trainyard;
using namespace trainyard::sharded;

namespace {

train::StepOptions clipped() {
  train::StepOptions options;
  options.clip_value = 0.05;
  options.clip_norm = 0.1;
  return options;
}

train::StepOptions twice() {
  train::StepOptions options;
  options.keep = parallel::Keep::InputOnly;
  return options;
}

train::StepOptions ruled() {
  train::StepOptions options;
  options.ema_decay = 0.75;
  options.rules = {{"*bias", 0.5, 0.1, false}};
  options.freeze = {"0.*"};
  return options;
}

Case with(Case c, train::StepOptions options) {
  c.options = std::move(options);
  return c;
}

}  // namespace

class TestSharded : public QObject {
  Q_OBJECT
  std::map<std::string, Case> cases_;

  void row(const std::string& name, const Case& c) {
    cases_[name] = c;
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }

  static void compareReports(const std::vector<Outcome>& ranks, const Outcome& one) {
    for (const auto& outcome : ranks) {
      QCOMPARE(QString::fromStdString(outcome.error), QString());
      QCOMPARE(outcome.reports.size(), one.reports.size());
      for (size_t i = 0; i < one.reports.size(); ++i) {
        const train::StepReport &a = outcome.reports[i], &b = one.reports[i];
        COMPARE_NEAR(a.loss_sum.item<double>(), b.loss_sum.item<double>(), 0, 1e-5, "loss of step " + std::to_string(i));
        COMPARE_NEAR(a.grad_norm.item<double>(), b.grad_norm.item<double>(), 1e-4, 1e-6, "norm of step " + std::to_string(i));
        QCOMPARE(a.weight, b.weight);
        QCOMPARE(a.samples, b.samples);
      }
    }
  }

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void equalsOneDevice_data() {
    QTest::addColumn<QString>("name");
    for (const int stage : {1, 3}) {
      const std::string which = "stage " + std::to_string(stage) + ": ";
      for (const char* id : {"mlp", "gpt", "convolutions"}) {
        for (const int ranks : {2, 3}) row(which + id + " on " + std::to_string(ranks), {.network = id, .stage = stage, .ranks = ranks});
      }
      row(which + "vit_tiny", {.network = "vit_tiny", .stage = stage, .ranks = 2, .steps = 2});
      row(which + "resnet18", {.network = "resnet18", .stage = stage, .ranks = 2, .steps = 1, .batch = 4});
      row(which + "fewer parameters than ranks", {.network = "spike", .stage = stage, .ranks = 3});
      row(which + "sgd", {.network = "convolutions", .optimizer = "sgd", .stage = stage, .ranks = 3, .lr = 0.05});
      row(which + "accumulated", {.network = "gpt", .stage = stage, .ranks = 2, .micros = 3});
      row(which + "clipped", with({.network = "gpt", .optimizer = "sgd", .stage = stage, .ranks = 3, .lr = 0.1}, clipped()));
      row(which + "activations twice", with({.network = "gpt", .stage = stage, .ranks = 2, .micros = 2}, twice()));
      row(which + "groups, frozen parts, average", with({.network = "convolutions", .stage = stage, .ranks = 3}, ruled()));
      row(which + "more ranks than samples", {.network = "gpt", .stage = stage, .ranks = 3, .micros = 1, .batch = 2});
      row(which + "one rank", {.network = "gpt", .stage = stage, .ranks = 1});
    }
    for (const char* id : {"adam", "nadam", "radam", "rmsprop", "adagrad"})
      row(std::string("stage 3: ") + id, {.network = "convolutions", .optimizer = id, .ranks = 3, .steps = 4});
    row("stage 3: lion", {.network = "convolutions", .optimizer = "lion", .ranks = 3, .steps = 4, .lr = 1e-5});
    row("stage 3: joined blocks", {.network = "gpt", .ranks = 3, .join_below = 3000});
    row("stage 3: joined blocks, activations twice", with({.network = "convolutions", .ranks = 2, .join_below = 500}, twice()));
    row("stage 1: muon", {.network = "gpt", .optimizer = "muon", .stage = 1, .ranks = 3, .lr = 1e-3, .tolerance = 5e-4});
    row("stage 1: adafactor", {.network = "convolutions", .optimizer = "adafactor", .stage = 1, .ranks = 3, .lr = 0.01});
  }
  void equalsOneDevice() {
    QFETCH(QString, name);
    const Case& c = cases_.at(name.toStdString());
    const Outcome one = trained(c, nullptr);
    const auto ranks = trainedOnRanks(c);
    compareReports(ranks, one);
    const Whole whole = wholeOf(ranks), expected = joined({one.parts});
    QVERIFY2(furthest(whole.model, expected.model) < c.tolerance, qPrintable(QString::number(furthest(whole.model, expected.model))));
    QVERIFY2(furthest(whole.optimizer, expected.optimizer) < c.tolerance, qPrintable(QString::number(furthest(whole.optimizer, expected.optimizer))));
    QCOMPARE(compactJson(whole.scalars), compactJson(expected.scalars));
    for (const auto& outcome : ranks) QVERIFY(furthest(outcome.averaged, one.averaged) < 1e-4);
    QVERIFY(at::allclose(ranks.front().answer, one.answer, c.tolerance, 10 * c.tolerance));
    if (c.ranks > 1) QVERIFY(!ranks.back().answer.defined());
  }

  // The weights of the samples' classes add up over the ranks.
  void weightsOfClasses() {
    for (const int stage : {1, 3}) {
      Case c{.network = "convolutions", .stage = stage, .ranks = 3, .steps = 3};
      c.options.loss.class_weights = at::linspace(0.1, 3, 10);
      const Outcome one = trained(c, nullptr);
      for (const auto& outcome : trainedOnRanks(c)) {
        QCOMPARE(QString::fromStdString(outcome.error), QString());
        for (size_t i = 0; i < one.reports.size(); ++i) {
          COMPARE_NEAR(outcome.reports[i].weight, one.reports[i].weight, 1e-6, 0, "weight");
          COMPARE_NEAR(outcome.reports[i].loss_sum.item<double>(), one.reports[i].loss_sum.item<double>(), 0, 1e-5, "loss");
        }
      }
    }
  }

  void halfPrecision_data() {
    QTest::addColumn<QString>("name");
    for (const int stage : {1, 3}) {
      const std::string which = "stage " + std::to_string(stage) + ": ";
      Case all{.network = "mlp", .stage = stage, .steps = 4, .broken_step = 1, .tolerance = 1e-3};
      all.options.autocast = at::kHalf;
      all.options.scaler = optim::ScalerOptions();
      row(which + "infinite on all", all);
      Case one{.network = "spike", .stage = stage, .steps = 4, .broken_step = 1, .broken_value = 1e36F};
      one.options.scaler = optim::ScalerOptions();
      row(which + "infinite on one", one);
    }
  }
  // One sample of rank 0 makes gradients infinite: all leave the step out, and their scales stay equal.
  void halfPrecision() {
    QFETCH(QString, name);
    const Case& c = cases_.at(name.toStdString());
    const Outcome one = trained(c, nullptr);
    const auto ranks = trainedOnRanks(c);
    for (const auto& outcome : ranks) {
      QCOMPARE(QString::fromStdString(outcome.error), QString());
      for (size_t i = 0; i < one.reports.size(); ++i) {
        QCOMPARE(outcome.reports[i].skipped, i == 1);
        QCOMPARE(outcome.reports[i].loss_scale, one.reports[i].loss_scale);
      }
    }
    QCOMPARE(one.reports[2].loss_scale, 32768.0);
    QVERIFY(furthest(wholeOf(ranks).model, joined({one.parts}).model) < c.tolerance);
  }

  // Weights are cast while they are whole; whether activations are kept or computed twice changes nothing.
  void bfloat16() {
    Case c{.network = "gpt", .stage = 3, .ranks = 2, .steps = 4};
    c.options.autocast = at::kBFloat16;
    const auto kept = trainedOnRanks(c);
    QCOMPARE(QString::fromStdString(kept.front().error), QString());
    const Outcome one = trained(c, nullptr);
    COMPARE_NEAR(kept.front().reports.back().loss_sum.item<double>(), one.reports.back().loss_sum.item<double>(), 1e-2, 0, "loss");
    c.options.keep = parallel::Keep::InputOnly;
    QCOMPARE(furthest(wholeOf(kept).model, wholeOf(trainedOnRanks(c)).model), 0.0);
  }

  void wholeMatricesAreRefused_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("muon") << "muon";
    QTest::newRow("adafactor") << "adafactor";
  }
  void wholeMatricesAreRefused() {
    QFETCH(QString, id);
    const auto outcomes = trainedOnRanks({.network = "mlp", .optimizer = id.toStdString(), .stage = 3});
    for (const auto& outcome : outcomes) {
      QVERIFY(outcome.error.starts_with("optimizer.type: "));
      QVERIFY(outcome.error.find("parallel.stage = 1") != std::string::npos);
    }
    recipe::Recipe recipe;
    recipe.optimizer.id = id.toStdString();
    recipe.parallel.strategy = {"sharded", {{"stage", 3}}};
    QVERIFY(!train::checkSharded(recipe));
    recipe.parallel.strategy.params["stage"] = 1;
    QVERIFY(train::checkSharded(recipe));
  }
};

QTEST_APPLESS_MAIN(TestSharded)
#include "tst_sharded.moc"
