#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;

}  // namespace

// What training does besides plain steps holds on several ranks too; and a run may go on with other ranks.
class TestRanks : public QObject {
  Q_OBJECT
  RanksBench bench_;

  fs::path recipeFile(const recipe::Recipe& recipe) {
    const fs::path file = bench_.path("other.toml");
    (void)replaceFile(file, recipe::writeToml(recipe.document));
    return file;
  }

 private Q_SLOTS:
  // 101 samples, 20 a step: the last step has one.
  void optionsHoldOnRanks_data() {
    QTest::addColumn<QStringList>("overrides");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("accumulate") << QStringList{"train.accumulate=3"} << 1e-5;
    QTest::newRow("uneven shares") << QStringList{"train.batch_size=7"} << 1e-5;
    QTest::newRow("no more samples than ranks") << QStringList{"train.batch_size=4"} << 1e-5;
    QTest::newRow("weighed classes") << QStringList{"loss={type=\"cross_entropy\", weight=\"balanced\"}"} << 1e-5;
    QTest::newRow("smoothed labels") << QStringList{"train.label_smoothing=0.1"} << 1e-5;
    QTest::newRow("average of the weights") << QStringList{"train.ema_decay=0.9"} << 1e-5;
    QTest::newRow("clipped norm") << QStringList{"train.clip_norm=0.3"} << 1e-5;
    QTest::newRow("balanced drawing") << QStringList{"train.sampling=\"balanced\""} << 1e-5;
    QTest::newRow("deterministic") << QStringList{"train.deterministic=true"} << 1e-5;
    QTest::newRow("adamw") << QStringList{"optimizer.type=\"adamw\"", "optimizer.lr=0.002"} << 1e-5;
    QTest::newRow("one cycle") << QStringList{"schedule={type=\"one_cycle\"}"} << 1e-5;
    QTest::newRow("activations twice") << QStringList{"train.activation_checkpointing=true"} << 1e-5;
    QTest::newRow("bf16") << QStringList{"precision.type=\"bf16\""} << 0.05;
  }
  void optionsHoldOnRanks() {
    QFETCH(QStringList, overrides);
    QFETCH(double, tolerance);
    Overrides more{"model.hidden=[24, 16]", "train.epochs=2"};
    for (const auto& override : overrides) more.push_back(override.toStdString());
    const std::string tag = QTest::currentDataTag();
    const bool half = tolerance > 1e-3;
    const Numbers alone = bench_.train(bench_.pictures(more, 8, 61), tag + " alone");
    const std::pair<const char*, int> layouts[] = {{"data", 3}, {"data", 4}, {"pipeline", 2}, {"sharded", 3}};
    for (const auto& [strategy, ranks] : layouts) {
      const Numbers got = bench_.train(bench_.pictures(more + onCpus(strategy, ranks), 8, 61), tag);
      const std::string apart = difference(got, alone, tolerance, half ? 0.05 : 1e-4, half ? 0.05 : 1e-4);  // the order of two close answers decides in AUROC
      QVERIFY2(apart.empty(), (std::string(strategy) + " x " + std::to_string(ranks) + ": " + apart).c_str());
    }
  }

  // The last step of an epoch has one sample, and other ranks none.
  void batchNormOverAllRanks_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QStringList>("overrides");
    QTest::newRow("2 ranks") << 2 << QStringList{};
    QTest::newRow("3 ranks") << 3 << QStringList{};
    QTest::newRow("activations twice") << 2 << QStringList{"train.activation_checkpointing=true"};
  }
  void batchNormOverAllRanks() {
    QFETCH(int, ranks);
    QFETCH(QStringList, overrides);
    Overrides more{"model.arch=\"smallcnn\"", "train.epochs=2", "optimizer.lr=0.003"};
    for (const auto& override : overrides) more.push_back(override.toStdString());
    const std::string tag = QTest::currentDataTag();
    const Numbers alone = bench_.train(bench_.pictures(more, 16, 61), tag + " alone");
    const Numbers got = bench_.train(bench_.pictures(more + onCpus("data", ranks) + Overrides{"parallel.sync_batch_norm=true"}, 16, 61), tag);
    QCOMPARE(got.losses.size(), size_t{12});
    const std::string apart = difference(got, alone, 1e-5, 1e-3, 1e-4);
    QVERIFY2(apart.empty(), apart.c_str());
    const Numbers each = bench_.train(bench_.pictures(more + onCpus("data", ranks), 16, 61), tag + " each its own");
    QVERIFY2(!difference(each, alone, 1e-5).empty(), "it made no difference");
  }

  // That sample gives resnet18's last norms a single value. Its losses grow apart by rounding alone, with another number of threads too.
  void aSingleValueForBatchNorm() {
    const Overrides more{"model.arch=\"resnet18\"", "train.epochs=2", "optimizer.lr=0.001"};
    const Numbers alone = bench_.train(bench_.pictures(more, 32, 61), "single value alone");
    const Numbers got = bench_.train(bench_.pictures(more + onCpus("data", 2) + Overrides{"parallel.sync_batch_norm=true"}, 32, 61), "single value");
    QVERIFY(std::abs(got.losses[0] - alone.losses[0]) < 1e-5);
    for (const double loss : got.losses) QVERIFY(std::isfinite(loss));
    for (const Numbers& run : {alone, got}) {  // an update more for the norms that see several values of the one sample
      QCOMPARE(run.weights.at("bn1.num_batches_tracked").item<int64_t>(), 12);
      QCOMPARE(run.weights.at("layer4.1.bn2.num_batches_tracked").item<int64_t>(), 10);
    }
  }

  // Each rank blends its own pictures: other pairs than on one device, and from run to run the same.
  void mixup() {
    const auto blended = [this](const Overrides& more) {
      recipe::Recipe recipe = bench_.pictures(Overrides{"train.epochs=4"} + more);
      recipe.augment = {{"mixup", {{"alpha", 1.0}, {"enabled", true}}}};
      return recipe;
    };
    for (const int ranks : {2, 4}) {
      const Numbers first = bench_.train(blended(onCpus("data", ranks)), "mixup first"), second = bench_.train(blended(onCpus("data", ranks)), "mixup second");
      QCOMPARE(first.losses.size(), size_t{24});
      const std::string apart = difference(second, first, 0, 0, 0);
      QVERIFY2(apart.empty(), apart.c_str());
      QVERIFY(std::isfinite(first.losses.back()) && first.losses.back() != 0);
    }
  }

  void everyHeldOutSampleCountsOnce() {
    const Overrides still{"optimizer.lr=1e-12", "train.epochs=1"};
    const Numbers one = bench_.train(bench_.pictures(still), "one evaluates");
    QCOMPARE(one.evaluations.front()["samples"].get<int>(), 499);
    const std::pair<const char*, int> layouts[] = {{"data", 4}, {"pipeline", 2}, {"sharded", 3}};
    for (const auto& [strategy, ranks] : layouts) {
      const fs::path run = bench_.path(std::string("evaluated by ") + strategy);
      const Numbers several = bench_.train(bench_.pictures(still + onCpus(strategy, ranks)), std::string("evaluated by ") + strategy);
      const std::string apart = difference(several, one, 1e-6, 1e-6, 1e-6);
      QVERIFY2(apart.empty(), apart.c_str());
      const Json latest = Json::parse(*readFile(run / "samples/latest.json"));
      uint64_t counted = 0;
      for (const auto& row : latest["confusion"]) {
        for (const auto& count : row) counted += count.get<uint64_t>();
      }
      QCOMPARE(counted, uint64_t{499});
    }
  }

  void timesOfEachRank() {
    for (const char* strategy : {"data", "pipeline", "sharded"}) {
      const fs::path run = bench_.path(std::string("times ") + strategy);
      const auto report = trainyardEngine()->train(bench_.pictures(onCpus(strategy, 3 - (strategy[0] != 'd')) + Overrides{"train.log_every=6", "model.hidden=[24, 16]"}), run, {});
      QVERIFY2(report, report ? "" : toText(report.error()).c_str());
      const size_t ranks = strategy[0] == 'd' ? 3 : 2;
      double step_ms = 0;
      int seen = 0;
      for (const auto& event : eventsOf(run)) {
        if (event.type == "step") {
          QVERIFY(event.fields["comm_ms"].get<double>() >= 0);
          step_ms = event.fields["step_ms"].get<double>();
        }
        if (event.type != "ranks") continue;
        ++seen;
        QCOMPARE(event.fields["ranks"].size(), ranks);
        for (size_t rank = 0; rank < ranks; ++rank) {
          const Json& times = event.fields["ranks"][rank];
          QCOMPARE(times["rank"].get<size_t>(), rank);
          QCOMPARE(times["device"].get<std::string>(), std::string("cpu"));
          double sum = 0;
          for (const char* part : {"compute_ms", "comm_ms", "idle_ms", "data_wait_ms"}) {
            QVERIFY2(times[part].get<double>() >= 0, times.dump().c_str());
            sum += times[part].get<double>();
          }
          QVERIFY(times["compute_ms"].get<double>() > 0);
          QVERIFY2(sum <= step_ms * 1.5 + 1, (times.dump() + " of " + std::to_string(step_ms)).c_str());
        }
      }
      QCOMPARE(seen, 9);
    }
  }

  // A stop, then on with other ranks, twice: as if nothing had happened.
  void goesOnWithOtherRanks_data() {
    QTest::addColumn<QStringList>("strategies");
    QTest::addColumn<QString>("optimizer");
    QTest::newRow("data, one, data") << QStringList{"data 2", "single 1", "data 3"} << "optimizer={type=\"sgd\", lr=0.05, momentum=0.9}";
    QTest::newRow("data, one, data: adamw") << QStringList{"data 2", "single 1", "data 2"} << "optimizer={type=\"adamw\", lr=0.002}";
    QTest::newRow("sharded 3, pipeline, one") << QStringList{"sharded3 2", "pipeline 2", "single 1"} << "optimizer={type=\"sgd\", lr=0.05, momentum=0.9}";
    QTest::newRow("sharded 3, pipeline, one: adamw") << QStringList{"sharded3 2", "pipeline 2", "single 1"} << "optimizer={type=\"adamw\", lr=0.002}";
    QTest::newRow("one, sharded 1, sharded 3") << QStringList{"single 1", "sharded1 2", "sharded3 3"} << "optimizer={type=\"adamw\", lr=0.002}";
    QTest::newRow("pipeline, grid, data") << QStringList{"pipeline 3", "pipeline2 4", "data 4"} << "optimizer={type=\"adamw\", lr=0.002}";
  }
  void goesOnWithOtherRanks() {
    QFETCH(QStringList, strategies);
    QFETCH(QString, optimizer);
    const Overrides base{"model.hidden=[24, 16]", optimizer.toStdString(), "train.ema_decay=0.9"};
    const auto recipeFor = [&](const QString& text) {
      const QString name = text.section(' ', 0, 0);
      Overrides more = base + onCpus(name.left(name.size() - (name.back().isDigit() ? 1 : 0)).toStdString(), text.section(' ', 1).toInt());
      if (name.back().isDigit()) more.push_back((name.startsWith("sharded") ? "parallel.stage=" : "parallel.stages=") + std::string(1, name.back().toLatin1()));
      return bench_.pictures(more, 8, 61);
    };
    const std::string tag = QTest::currentDataTag();
    const Numbers straight = bench_.train(bench_.pictures(base, 8, 61), tag + " straight");
    const fs::path run = bench_.path(tag);
    std::atomic<int> stop{0};
    const auto begun = trainyardEngine()->train(recipeFor(strategies[0]), run, stopAt(stop, "step", 20));
    QVERIFY2(begun, begun ? "" : toText(begun.error()).c_str());
    QCOMPARE(begun->steps, uint64_t{20});
    stop = 0;
    ResumeOptions options;
    options.recipe = recipeFile(recipeFor(strategies[1]));
    const auto second = trainyardEngine()->resume({run}, options, stopAt(stop, "step", 37));
    QVERIFY2(second, second ? "" : toText(second.error()).c_str());
    QCOMPARE(second->steps, uint64_t{37});
    options.recipe = recipeFile(recipeFor(strategies[2]));
    const auto third = trainyardEngine()->resume({run}, options, {});
    QVERIFY2(third, third ? "" : toText(third.error()).c_str());
    QCOMPARE(third->state, std::string("finished"));
    const std::string apart = difference(RanksBench::numbersOf(run), straight, 1e-5, 1e-4, 1e-4);
    QVERIFY2(apart.empty(), apart.c_str());
    QStringList told;
    for (const auto& event : eventsOf(run)) {
      if (event.type == "set") told << QString::fromStdString(event.fields["key"].get<std::string>());
    }
    QVERIFY2(told.contains("parallel.devices"), qPrintable(told.join(' ')));
    QVERIFY2(told.contains("parallel.strategy"), qPrintable(told.join(' ')));
  }
};

QTEST_APPLESS_MAIN(TestRanks)
#include "tst_ranks.moc"
