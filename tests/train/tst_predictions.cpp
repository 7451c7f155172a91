// Predictions of single samples: from a batch, kept, written; and what evaluation makes of a run.
#include <QTemporaryDir>
#include <QTest>

#include "core/train/engine.h"
#include "core/train/loss.h"
#include "core/train/predictions.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using train::Prediction;

namespace {

class Named : public data::Dataset {
 public:
  explicit Named(data::Task task) : task_(task) {}
  uint64_t size() const override { return 10; }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t index) const override { return "a \"b\", " + std::to_string(index); }
  data::Task task() const override { return task_; }
  int label(uint64_t) const override { return 0; }
  const std::vector<std::string>& classes() const override { return classes_; }
  Result<cv::Mat> picture(uint64_t index) const override { return fail(ErrorCode::Data, "there is none", name(index)); }
  bool inMemory() const override { return true; }

 private:
  data::Task task_;
  std::vector<std::string> classes_{"cat", "dog, small", "cow"};
};

train::Input inputOf(data::Task task) {
  train::Input input;
  input.dataset = std::make_shared<Named>(task);
  input.task = task;
  input.outputs = 3;
  return input;
}

std::vector<Prediction> predictionsOf(data::Task task, const at::Tensor& outputs, const at::Tensor& targets) {
  return train::predictionsOf(task, {4, 7}, outputs, targets, train::evaluationLosses(task, {}, outputs, targets));
}

at::Tensor rows(std::vector<float> values) { return at::tensor(values).view({2, -1}); }

std::string lineOf(const Prediction& prediction, data::Task task) {
  const train::Input input = inputOf(task);
  return train::csvLine(prediction, input, input.dataset->classes());
}

}  // namespace

class TestPredictions : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }

  static recipe::Recipe recipe(const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"model.arch=\"mlp\"", "train.epochs=1", "train.batch_size=100", "data.workers=1"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    auto loaded = recipe::load(resourcesFolder() / "recipes/digits.toml", all);
    if (!loaded) qFatal("%s", toText(loaded.error()).c_str());
    return std::move(*loaded);
  }

 private Q_SLOTS:
  void classes() {
    const auto predictions = predictionsOf(data::Task::Classes, rows({0, 2, 1, 3, 0, 0}), at::tensor({int64_t{1}, int64_t{2}}));
    QCOMPARE(predictions.size(), size_t{2});
    QCOMPARE(predictions[0].index, uint64_t{4});
    QCOMPARE(predictions[0].target, std::vector<double>{1});
    const double sum = 1 + std::exp(1) + std::exp(2);
    QCOMPARE(predictions[0].top.size(), size_t{3});
    QCOMPARE(predictions[0].top[0].first, int64_t{1});
    COMPARE_NEAR(predictions[0].top[0].second, std::exp(2) / sum, 1e-6, 0, "likeliest");
    QCOMPARE(predictions[0].top[1].first, int64_t{2});
    COMPARE_NEAR(predictions[0].loss, std::log(sum) - 2, 1e-6, 0, "loss");
    const Json json = train::toJson(predictions[1], inputOf(data::Task::Classes));
    QVERIFY(json.at("index") == 7 && json.at("target") == 2 && json.at("top").at(0).at("index") == 0);
    QVERIFY(json.at("name") == "a \"b\", 7");
    QVERIFY(json.at("top").at(0).at("probability").get<double>() > 0.9);
    const std::string line = lineOf(predictions[0], data::Task::Classes);
    QVERIFY2(line.starts_with("\"a \"\"b\"\", 4\",\"dog, small\",\"dog, small\",0.66524"), line.c_str());
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), std::ptrdiff_t{1});
  }

  void labels() {
    const auto predictions = predictionsOf(data::Task::Labels, rows({0, 2, -1, 3, 0, 0}), rows({1, 1, 0, 0, 0, 0}));
    QCOMPARE(predictions[0].target, (std::vector<double>{0, 1}));
    QCOMPARE(predictions[0].top[0].first, int64_t{1});
    COMPARE_NEAR(predictions[0].top[0].second, 1 / (1 + std::exp(-2)), 1e-6, 0, "likeliest");
    QVERIFY(train::toJson(predictions[1], inputOf(data::Task::Labels)).at("target") == Json::array());
    QVERIFY2(lineOf(predictions[0], data::Task::Labels).find("\"cat;dog, small\"") != std::string::npos, "both");
  }

  void numbers() {
    const auto predictions = predictionsOf(data::Task::Numbers, rows({1, 2, 3, 4, 5, 6}), rows({1, 2, 0, 4, 5, 6}));
    QCOMPARE(predictions[0].target, (std::vector<double>{1, 2, 0}));
    QCOMPARE(predictions[0].top[2], (std::pair<int64_t, double>{2, 3}));
    QCOMPARE(predictions[0].loss, 3.0);
    const Json json = train::toJson(predictions[0], inputOf(data::Task::Numbers));
    QVERIFY(json.at("target") == Json::array({1.0, 2.0, 0.0}) && json.at("top").at(2).at("value") == 3.0);
    QCOMPARE(train::csvHeader(data::Task::Numbers, {"x", "y"}), std::string("file,target x,predicted x,target y,predicted y,loss\n"));
  }

  void tokens() {
    at::Tensor targets = at::zeros({2, 3}, at::kLong);
    targets[0][2] = train::kIgnored;
    const auto predictions = predictionsOf(data::Task::Tokens, at::zeros({2, 3, 4}), targets);
    COMPARE_NEAR(predictions[0].loss, std::log(4), 1e-6, 0, "mean over the places that count");
    QVERIFY(predictions[0].top.empty());
  }

  void theWorstAreKept() {
    train::Worst worst(3);
    for (const double loss : {0.5, 3.0, 1.0, 0.1, 2.0, 3.0}) worst.add({static_cast<uint64_t>(loss * 10), loss, {}, {}});
    worst.add({99, NAN, {}, {}});
    const auto kept = worst.take();
    QCOMPARE(kept.size(), size_t{3});
    QVERIFY(std::isnan(kept[0].loss));
    QCOMPARE(kept[1].loss, 3.0);
    QCOMPARE(kept[2].loss, 3.0);
    train::Worst none(0);
    none.add({1, 1, {}, {}});
    QVERIFY(none.take().empty());
  }

  // A run with weighed classes, balanced drawing, an average and groups; then its evaluation with every prediction.
  void aRunsEvaluation() {
    const auto chosen = recipe({"loss={type=\"cross_entropy\", weight=\"balanced\"}", "train.sampling=\"balanced\"", "train.ema_decay=0.9",
                                "train.clip_value=0.5", "model.freeze=[\"*.bias\"]"});
    const auto report = trainyardEngine()->train(chosen, path("run"), {});
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    train::EvaluateOptions options;
    options.predictions = path("predictions.csv");
    const auto result = trainyardEngine()->evaluate(runs::Layout{path("run")}, options);
    QVERIFY2(result, result ? "" : toText(result.error()).c_str());
    const auto samples = result->at("samples").get<int64_t>();
    for (const char* metric : {"accuracy", "top5", "f1_macro", "f1_weighted", "auroc", "average_precision"})
      QVERIFY2(result->at("metrics").contains(metric), metric);
    QVERIFY(result->at("metrics").at("auroc").get<double>() > 0.6);
    QCOMPARE(result->at("per_class").size(), size_t{10});
    QVERIFY(result->at("per_class").at(3).at("class") == "3");
    const std::string table = *readFile(options.predictions);
    QVERIFY(table.starts_with("file,target,class 1,probability 1,"));
    QCOMPARE(std::count(table.begin(), table.end(), '\n'), samples + 1);
    // The table's own accuracy is the metric.
    std::istringstream lines(table);
    std::string line;
    std::getline(lines, line);
    int64_t right = 0;
    while (std::getline(lines, line)) {
      const auto fields = QString::fromStdString(line).split(',');
      right += fields[1] == fields[2] ? 1 : 0;
    }
    COMPARE_NEAR(static_cast<double>(right) / static_cast<double>(samples), result->at("metrics").at("accuracy").get<double>(), 1e-9, 0, "accuracy");
  }

  void recipesThatCannotBeAreRefusedBeforeARun_data() {
    QTest::addColumn<QString>("override");
    QTest::addColumn<QString>("key");
    QTest::newRow("loss of another task") << "loss={type=\"mse\"}"
                                          << "loss.type";
    QTest::newRow("weights of too few classes") << "loss={type=\"cross_entropy\", weight=[1.0, 2.0]}"
                                                << "loss.weight";
    QTest::newRow("pattern that fits nothing") << "model.freeze=[\"layer9.*\"]"
                                               << "model.freeze";
    QTest::newRow("nothing left to train") << "model.freeze=[\"*\"]"
                                           << "model.freeze";
  }
  void recipesThatCannotBeAreRefusedBeforeARun() {
    QFETCH(QString, override);
    QFETCH(QString, key);
    const fs::path run = path(std::string("refused ") + QTest::currentDataTag());
    const auto report = trainyardEngine()->train(recipe({override.toStdString()}), run, {});
    QVERIFY(!report);
    QVERIFY(report.error().code == ErrorCode::Recipe);
    QCOMPARE(QString::fromStdString(report.error().where), key);
    QVERIFY(!fs::exists(run));
  }
};

QTEST_APPLESS_MAIN(TestPredictions)
#include "tst_predictions.moc"
