#include <cmath>

#include "core/train/arithmetic.h"
#include "core/train/lr_find.h"
#include "tests/train/digits.h"

using namespace trainyard;
using namespace trainyard::train;

// What the training loop does besides steps: it stops, averages, profiles, looks for a rate.
class TestTrainer : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }

  static Json noticeOf(const fs::path& run, const std::string& code) {
    for (const auto& event : eventsOf(run)) {
      if (event.type == "notice" && event.fields["code"] == code) return event.fields["values"];
    }
    return {};
  }

  static std::vector<const char*> wild() { return {"optimizer.type=\"sgd\"", "optimizer.lr=1e5", "model.arch=\"mlp\"", "model.hidden=[64, 64, 64]", "train.log_every=1"}; }

 private Q_SLOTS:
  void aBrokenLossEndsTrainingWithinThePatience_data() {
    QTest::addColumn<int>("patience");
    QTest::newRow("at once") << 1;
    QTest::newRow("after 5") << 5;
  }
  void aBrokenLossEndsTrainingWithinThePatience() {
    QFETCH(int, patience);
    const auto options = wild();
    std::vector<std::string> overrides(options.begin(), options.end());
    overrides.push_back("train.nonfinite_patience=" + std::to_string(patience));
    const fs::path run = path("broken " + std::to_string(patience));
    const auto result = trainyardEngine()->train(digits(overrides), run, {});
    QVERIFY(!result);
    uint64_t first = 0, last = 0;
    for (const auto& event : eventsOf(run)) {
      if (event.type != "step") continue;
      last = *event.step;
      if (first == 0 && !std::isfinite(numberFrom(event.fields["loss"]))) first = *event.step;
    }
    const auto named = QString::fromStdString(result.error().what).section(' ', -1).toULongLong();
    if (patience > 1) {
      QCOMPARE(quint64{first}, named);
    }
    QCOMPARE(quint64(last + 1), quint64(named + static_cast<uint64_t>(patience) - 1));
    QVERIFY(!result.error().hint.empty());
    QVERIFY(fs::is_empty(runs::Layout{run}.checkpoints()));
  }

  void trainingEndsWhenNothingImproves() {
    const auto report = trainyardEngine()->train(digits({"optimizer.lr=1e-12", "model.arch=\"mlp\"", "train.early_stop=2", "checkpoint.metric=\"accuracy\"", "train.epochs=20"}), path("stalled"), {});
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    QCOMPARE(report->state, std::string("finished"));
    QCOMPARE(report->epochs, uint64_t{3});
    QCOMPARE(noticeOf(path("stalled"), "early_stop")["evaluations"].get<int>(), 2);
  }

  void aSmallGainIsNone() {
    const auto report = trainyardEngine()->train(digits({"train.early_stop=1", "train.early_stop_min_delta=2.0", "train.epochs=20"}), path("small gain"), {});
    QVERIFY(report);
    QCOMPARE(report->epochs, uint64_t{2});
  }

  void theAverageIsEvaluatedBesideTheWeights() {
    const auto report = trainyardEngine()->train(digits({"train.ema_decay=0.5"}), path("average"), {});
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    int raw = 0, averaged = 0;
    double last = 0, last_raw = 0;
    for (const auto& event : eventsOf(path("average"))) {
      if (event.type != "eval") continue;
      const bool ema = event.fields["split"] == "validation_ema";
      ++(ema ? averaged : raw);
      (ema ? last : last_raw) = event.fields["loss"].get<double>();
    }
    QCOMPARE(raw, 3);
    QCOMPARE(averaged, 3);
    QVERIFY(last != last_raw);
    QCOMPARE(report->last["loss"].get<double>(), last);
    const auto evaluated = trainyardEngine()->evaluate({path("average")}, {});
    QVERIFY2(evaluated, evaluated ? "" : toText(evaluated.error()).c_str());
    QCOMPARE((*evaluated)["metrics"]["accuracy"].get<double>(), report->best["value"].get<double>());
    QCOMPARE((*evaluated)["weights"].get<std::string>(), std::string("ema"));
  }

  void samplesOfTheLastAndTheBestEvaluationAreKept() {
    const auto report = trainyardEngine()->train(digits({}), path("samples"), {});
    QVERIFY(report);
    const Json latest = Json::parse(*readFile(path("samples") / "samples/latest.json")), best = Json::parse(*readFile(path("samples") / "samples/best.json"));
    QCOMPARE(latest["step"].get<uint64_t>(), report->steps);
    QCOMPARE(best["step"].get<uint64_t>(), report->best["step"].get<uint64_t>());
    QCOMPARE(latest["classes"].size(), size_t{10});
    double before = INFINITY;
    for (const auto& sample : latest["samples"]) {
      QVERIFY(sample["loss"].get<double>() <= before);
      before = sample["loss"].get<double>();
      QVERIFY(!sample["name"].get<std::string>().empty());
      QVERIFY(sample["top"][0]["probability"].get<double>() >= sample["top"][1]["probability"].get<double>());
    }
    QVERIFY(std::isfinite(before));
  }

  void aProfileSaysWhereTheTimeGoes() {
    Observer observer;
    observer.profile_steps = 5;
    const auto report = trainyardEngine()->train(digits({}), path("profile"), observer);
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    const Json trace = Json::parse(*readFile(path("profile") / "profile/trace.json"), nullptr, false);
    QVERIFY(trace["traceEvents"].size() > 100);
    const Json operators = Json::parse(*readFile(path("profile") / "profile/operators.json"));
    double shares = 0;
    uint64_t norms = 0;
    for (const auto& entry : operators) {
      shares += entry["share"].get<double>();
      if (entry["name"] == "aten::batch_norm") norms = entry["calls"].get<uint64_t>();
    }
    QVERIFY(std::abs(shares - 1) < 1e-6);
    QCOMPARE(norms, uint64_t{15});  // three of the small CNN, five times
    QVERIFY(noticeOf(path("profile"), "profile")["operators"].size() > 5);
  }

  void smoothingIsCorrectedForItsStart() {
    Smoother smoother;
    QCOMPARE(smoother.next(2), 2.0);
    QVERIFY(std::abs(smoother.next(1) - (0.98 * 0.02 * 2 + 0.02 * 1) / (1 - 0.98 * 0.98)) < 1e-12);
  }

  void theRateIsTakenWhereTheLossFallsMostSteeply() {
    std::vector<double> rates, losses;
    for (int i = 0; i < 40; ++i) {
      rates.push_back(std::pow(10, -4 + i * 0.1));
      losses.push_back(i < 30 ? 2 - std::tanh((i - 22) * 0.5) : 5.0 * i);
    }
    QCOMPARE(suggestRate(rates, losses).value_or(0), rates[22]);
    for (auto& loss : losses) loss = 1;
    QVERIFY(!suggestRate(rates, losses));
    QVERIFY(!suggestRate({1e-3, 1e-2}, {2, 1}));
  }

  void theRangeTestFindsARateThatLearns() {
    uint64_t told = 0;
    Observer observer;
    observer.progress = [&told](uint64_t done, uint64_t) { told = done; };
    const auto found = trainyardEngine()->findRate(digits({"optimizer.type=\"sgd\""}), {1e-5, 10, 60}, observer);
    QVERIFY2(found, found ? "" : toText(found.error()).c_str());
    const size_t points = (*found)["lr"].size();
    QCOMPARE((*found)["loss"].size(), points);
    QCOMPARE((*found)["smoothed"].size(), points);
    QCOMPARE(told, uint64_t{points});
    QCOMPARE((*found)["lr"][0].get<double>(), 1e-5);
    const double suggestion = (*found)["suggestion"].get<double>();
    QVERIFY2(suggestion > 1e-3 && suggestion < 3, qPrintable(QString::number(suggestion)));
    std::atomic<int> stop{1};
    observer.stop_requests = &stop;
    const auto stopped = trainyardEngine()->findRate(digits({}), {}, observer);
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ErrorCode::Interrupted);
  }

  // Sums are made in another order with another number of threads, and with other instructions.
  void whatIsDeterministicIsSaid() {
    std::atomic<int> stop{0};
    QVERIFY(trainyardEngine()->train(digits({"train.deterministic=true"}), path("deterministic"), stopAt(stop, "step", 20)));
    QCOMPARE(noticeOf(path("deterministic"), "deterministic")["threads"].get<int>(), Json::parse(*readFile(path("deterministic") / "plan.json"))["threads"].get<int>());
    Json plan = Json::parse(*readFile(path("deterministic") / "plan.json"));
    plan["instruction_set"] = "ABACUS";
    QVERIFY(replaceFile(path("deterministic") / "plan.json", prettyJson(plan)));
    QVERIFY(trainyardEngine()->resume({path("deterministic")}, {}, {}));
    bool said = false;
    for (const auto& event : eventsOf(path("deterministic"))) {
      said = said || (event.type == "notice" && event.fields["code"] == "not_reproducible" && event.fields["text"].get<std::string>().find("ABACUS") != std::string::npos);
    }
    QVERIFY(said);
    QVERIFY(brokenPromise({{"threads", 2}}, {}, 4).find("2 threads before, 4 now") != std::string::npos);
    QVERIFY(brokenPromise({{"threads", 4}}, {}, 4).empty());
    QVERIFY(brokenPromise({{"threads", 4}, {"layout", {{"ranks", 2}}}}, {{"ranks", 2}}, 4).empty());
    QVERIFY(brokenPromise({{"threads", 4}, {"layout", {{"ranks", 2}}}}, {{"ranks", 1}}, 4).find("number of devices") != std::string::npos);
  }

  void halfPrecisionNeedsAProcessorThatHasIt() {
    const auto result = trainyardEngine()->train(digits({"precision.type=\"fp16\"", "train.epochs=1"}), path("half"), {});
    if (result) QSKIP("this processor has it");
    QCOMPARE(result.error().code, ErrorCode::Recipe);
    QCOMPARE(result.error().where, std::string("precision.type"));
    QVERIFY(!fs::exists(path("half")));
  }

  // The odd sample at the end of an epoch: alone, it has nothing to be normalised by where the picture has shrunk to one pixel.
  void oneSampleAloneGoesThroughBatchNorm() {
    QVERIFY(trainyardEngine()->train(digits({"train.epochs=1"}), path("count"), {}));
    const Json samples = Json::parse(*readFile(path("count") / "plan.json"))["samples"];
    const std::string batch = "train.batch_size=" + std::to_string(samples["train"].get<int>() - 1);
    const auto report = trainyardEngine()->train(digits({batch, "model.arch=\"resnet18\"", "train.epochs=1", "train.log_every=1"}), path("odd one"), {});
    QVERIFY2(report, report ? "" : toText(report.error()).c_str());
    QCOMPARE(report->steps, uint64_t{2});
    QVERIFY(std::isfinite(numberFrom(report->last["loss"])));
    QVERIFY(std::isfinite(numberFrom(report->last["train_loss"])));
    for (const auto& event : eventsOf(path("odd one"))) {
      if (event.type != "eval") continue;
      QCOMPARE(event.fields["samples"].get<uint64_t>(), samples["validation"].get<uint64_t>());
    }
    QCOMPARE(noticeOf(path("odd one"), "small_last_batch")["samples"].get<int>(), 1);
  }
};

QTEST_APPLESS_MAIN(TestTrainer)
#include "tst_trainer.moc"
