// Where a network is cut, and in what order its stages work: no device, no thread.
#include <QTest>

#include <set>

#include "core/models/model.h"
#include "core/parallel/pipeline_order.h"
#include "core/parallel/stage_cut.h"
#include "core/train/pipeline_plan.h"

using namespace trainyard;
using namespace trainyard::parallel;

namespace {

std::vector<BlockCost> blocksOf(const std::vector<uint64_t>& costs) {
  std::vector<BlockCost> out;
  for (size_t i = 0; i < costs.size(); ++i) {
    std::string name = std::to_string(i);
    name.insert(name.begin(), 'b');
    out.push_back({name, costs[i], {name + ".weight"}, costs[i]});
  }
  return out;
}

uint64_t largest(const StageCut& cut, const std::vector<uint64_t>& costs) {
  uint64_t worst = 0;
  for (const auto& stage : cut.stages) {
    uint64_t sum = 0;
    for (size_t b = stage.first; b <= stage.last; ++b) sum += costs[b];
    worst = std::max(worst, sum);
  }
  return worst;
}

// Tries every cut.
uint64_t bestOf(const std::vector<uint64_t>& costs, size_t begin, size_t stages) {
  uint64_t sum = 0, best = UINT64_MAX;
  if (stages == 1) {
    for (size_t b = begin; b < costs.size(); ++b) sum += costs[b];
    return sum;
  }
  for (size_t end = begin + 1; end + stages - 1 <= costs.size(); ++end) {
    sum += costs[end - 1];
    best = std::min(best, std::max(sum, bestOf(costs, end, stages - 1)));
  }
  return best;
}

// Runs all stages with receives that wait and sends that do not: a forward takes one unit of time, a backward two. Gives the time of the whole; 0 where
// nobody can go on.
size_t timeOf(PipelineOrder order, size_t stages, size_t parts) {
  std::vector<std::vector<Turn>> turns;
  for (size_t s = 0; s < stages; ++s) turns.push_back(turnsOf(order, s, stages, parts));
  std::vector<size_t> next(stages, 0), free(stages, 0);
  const std::vector<size_t> never(parts, 0);
  std::vector<std::vector<size_t>> forward(stages, never), backward(stages, never);  // when each was done
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t s = 0; s < stages; ++s) {
      if (next[s] == turns[s].size()) continue;
      const Turn turn = turns[s][next[s]];
      size_t ready = 0;
      if (turn.forward && s > 0 && (ready = forward[s - 1][turn.part]) == 0) continue;
      if (!turn.forward && s + 1 < stages && (ready = backward[s + 1][turn.part]) == 0) continue;
      free[s] = std::max(free[s], ready) + (turn.forward ? 1 : 2);
      (turn.forward ? forward : backward)[s][turn.part] = free[s];
      ++next[s];
      moved = true;
    }
  }
  for (size_t s = 0; s < stages; ++s) {
    if (next[s] != turns[s].size()) return 0;
  }
  return *std::max_element(free.begin(), free.end());
}

std::unique_ptr<models::Model> gpt(int layers) {
  auto made = models::make({"gpt", {{"layers", layers}, {"width", 16}, {"heads", 2}, {"dropout", 0.0}, {"context", 8}}}, {1, 1, 8}, 400, 0);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  return std::move(*made);
}

}  // namespace

class TestPipelinePlan : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // As good as the best of all cuts.
  void theCutIsTheBest() {
    uint64_t state = 7;
    for (int round = 0; round < 40; ++round) {
      std::vector<uint64_t> costs;
      for (int b = 0; b < 3 + round % 8; ++b) costs.push_back(1 + (state = state * 6364136223846793005u + 1442695040888963407u) % 50);
      for (size_t stages = 1; stages <= std::min<size_t>(costs.size(), 4); ++stages) {
        const auto cut = cutByCost(blocksOf(costs), stages);
        QVERIFY(cut);
        QCOMPARE(cut->stages.size(), stages);
        QCOMPARE(largest(*cut, costs), bestOf(costs, 0, stages));
      }
    }
  }

  void stagesFollowEachOther() {
    const auto cut = cutByCost(blocksOf({5, 1, 1, 5, 4}), 3);
    QVERIFY(cut);
    size_t next = 0;
    double share = 0;
    for (const auto& stage : cut->stages) {
      QCOMPARE(stage.first, next);
      QVERIFY(stage.last >= stage.first);
      next = stage.last + 1;
      share += stage.share;
    }
    QCOMPARE(next, size_t{5});
    QVERIFY(std::abs(share - 1) < 1e-12);
    QVERIFY(std::abs(cut->stages[0].share - 6.0 / 16) < 1e-12 || std::abs(cut->stages[0].share - 5.0 / 16) < 1e-12);
  }

  void cutsByName() {
    const auto cut = cutAt(blocksOf({1, 1, 1, 1, 1}), {"b1", "b4"}, 3);
    QVERIFY(cut);
    QCOMPARE(cut->stages[0].last, size_t{0});
    QCOMPARE(cut->stages[1].first, size_t{1});
    QCOMPARE(cut->stages[1].last, size_t{3});
    QCOMPARE(cut->stages[2].first, size_t{4});
    QCOMPARE(cut->stages[1].parameters, uint64_t{3});
  }

  void cutsThatAreNone_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<int>("stages");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("unknown") << QStringList{"layer1"} << 2 << QStringList{"\"layer1\"", "b0", "b3"};
    QTest::newRow("nearly") << QStringList{"b33"} << 2 << QStringList{"\"b33\"", "\"b3\""};
    QTest::newRow("order") << QStringList{"b3", "b1"} << 3 << QStringList{"\"b1\"", "\"b3\""};
    QTest::newRow("twice") << QStringList{"b2", "b2"} << 3 << QStringList{"\"b2\""};
    QTest::newRow("the first block") << QStringList{"b0"} << 2 << QStringList{"\"b0\"", "first block"};
    QTest::newRow("too few") << QStringList{"b1"} << 3 << QStringList{"1 cuts", "3 stages", "name 2"};
    QTest::newRow("more stages than blocks") << QStringList{} << 5 << QStringList{"5 stages", "4 blocks"};
  }
  void cutsThatAreNone() {
    QFETCH(QStringList, names);
    QFETCH(int, stages);
    QFETCH(QStringList, said);
    std::vector<std::string> cuts;
    for (const auto& name : names) cuts.push_back(name.toStdString());
    const auto blocks = blocksOf({1, 1, 1, 1});
    const auto cut = cuts.empty() ? cutByCost(blocks, static_cast<size_t>(stages)) : cutAt(blocks, cuts, static_cast<size_t>(stages));
    QVERIFY(!cut);
    QVERIFY(cut.error().code == ErrorCode::Recipe);
    QCOMPARE(QString::fromStdString(cut.error().where), QString(cuts.empty() ? "parallel.stages" : "parallel.cuts"));
    const QString text = QString::fromStdString(toText(cut.error()));
    for (const auto& part : said) QVERIFY2(text.contains(part), qPrintable(text));
  }

  // The head of a text network is the embedding's table: costly, and no parameter of its block's own.
  void sharedTablesAreFound() {
    const auto model = gpt(3);
    const auto costs = blockCosts(*model, {1, 1, 8}, true);
    QCOMPARE(costs.size(), size_t{5});
    QCOMPARE(costs.back().cost, uint64_t{8 * 16 * 400});
    QVERIFY(std::find(costs.back().uses.begin(), costs.back().uses.end(), "wte.weight") != costs.back().uses.end());
    const auto cut = cutByCost(costs, 3);
    QVERIFY(cut);
    QCOMPARE(cut->shared.size(), size_t{1});
    QCOMPARE(QString::fromStdString(cut->shared[0].name), QString("wte.weight"));
    QVERIFY((cut->shared[0].stages == std::vector<size_t>{0, 2}));
    QVERIFY(cut->stages[2].parameters >= 400 * 16);
    QVERIFY(cutByCost(costs, 1)->shared.empty());
  }

  void recipesAreWorkedOut() {
    const auto costs = blocksOf({1, 1, 1, 1});
    const recipe::Choice automatic{"pipeline", {{"stages", "auto"}, {"cuts", Json::array()}, {"micro_batches", "auto"}, {"schedule", "1f1b"}}};
    const recipe::Choice named{"pipeline", {{"stages", 2}, {"cuts", {"b1"}}, {"micro_batches", 3}, {"schedule", "gpipe"}}};
    QVERIFY(train::stagesFor(automatic, 4) == size_t{4});
    QVERIFY(train::stagesFor(named, 4) == size_t{2});
    for (const size_t devices : {size_t{1}, size_t{3}}) {
      const auto stages = train::stagesFor(named, devices);
      QVERIFY(!stages);
      QCOMPARE(QString::fromStdString(stages.error().where), QString(devices == 1 ? "parallel.devices" : "parallel.stages"));
    }
    const auto even = train::pipelineOptions(automatic, costs, 2), own = train::pipelineOptions(named, costs, 2);
    QVERIFY(even && own);
    QCOMPARE(even->micro_batches, uint64_t{8});
    QCOMPARE(even->cut.stages[1].first, size_t{2});
    QVERIFY(even->order == PipelineOrder::OneForwardOneBackward);
    QCOMPARE(own->micro_batches, uint64_t{3});
    QCOMPARE(own->cut.stages[1].first, size_t{1});
    QVERIFY(own->order == PipelineOrder::GPipe);
    const Json shown = train::toJson(*own, costs);
    QVERIFY(shown.at("stages").at(1) == Json({{"first", "b1"}, {"last", "b3"}, {"blocks", 3}, {"share", 0.75}, {"parameters", 3}}));
    QVERIFY(std::abs(shown.at("idle").get<double>() - 0.25) < 1e-12);
    QVERIFY(shown.at("schedule") == "gpipe");
  }

  void everyArchitectureHasCosts_data() {
    QTest::addColumn<QString>("arch");
    for (const auto* arch : {"resnet18", "mlp", "vit_tiny"}) QTest::newRow(arch) << arch;
  }
  void everyArchitectureHasCosts() {
    QFETCH(QString, arch);
    const std::string id = arch.toStdString();
    const Json params = id == "mlp" ? Json{{"hidden", {32, 32}}} : id == "vit_tiny" ? Json{{"dropout", 0.0}, {"attention_dropout", 0.0}} : Json::object();
    const auto model = models::make({id, params}, {3, 32, 32}, 10, 0);
    QVERIFY(model);
    const auto costs = blockCosts(**model, {3, 32, 32}, false);
    QCOMPARE(costs.size(), (*model)->blocks().size());
    uint64_t parameters = 0;
    for (size_t b = 0; b < costs.size(); ++b) {
      QCOMPARE(QString::fromStdString(costs[b].name), QString::fromStdString((*model)->blocks()[b].name));
      QVERIFY(costs[b].cost >= 1);
      parameters += costs[b].parameters;
    }
    QCOMPARE(parameters, models::parameterCount(**model));
  }

  void ordersAreComplete_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("gpipe") << "gpipe";
    QTest::newRow("1f1b") << "1f1b";
  }
  void ordersAreComplete() {
    QFETCH(QString, id);
    const PipelineOrder order = pipelineOrder(id.toStdString());
    QCOMPARE(order == PipelineOrder::GPipe, id == "gpipe");
    for (size_t stages = 1; stages <= 6; ++stages) {
      for (size_t parts = 0; parts <= 12; ++parts) {
        for (size_t s = 0; s < stages; ++s) {
          std::set<size_t> forward, backward;
          size_t most = 0;
          for (const Turn& turn : turnsOf(order, s, stages, parts)) {
            QVERIFY((turn.forward ? forward : backward).insert(turn.part).second);
            if (!turn.forward) QVERIFY(forward.contains(turn.part));
            most = std::max(most, forward.size() - backward.size());
          }
          QCOMPARE(forward.size(), parts);
          QCOMPARE(backward.size(), parts);
          QCOMPARE(most, order == PipelineOrder::GPipe ? parts : std::min(parts, stages - s));
        }
      }
    }
  }

  // With receives that wait, nobody waits forever, and the idle share is the least there is.
  void nobodyWaitsForever_data() { ordersAreComplete_data(); }
  void nobodyWaitsForever() {
    QFETCH(QString, id);
    for (size_t stages = 1; stages <= 6; ++stages) {
      for (size_t parts = 1; parts <= 12; ++parts) {
        const size_t time = timeOf(pipelineOrder(id.toStdString()), stages, parts);
        QVERIFY(time > 0);
        const double idle = 1 - 3.0 * static_cast<double>(parts) / static_cast<double>(time);
        QVERIFY2(std::abs(idle - idleShare(stages, parts)) < 1e-12, qPrintable(QString("%1 stages, %2 parts: %3").arg(stages).arg(parts).arg(idle)));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestPipelinePlan)
#include "tst_pipeline_plan.moc"
