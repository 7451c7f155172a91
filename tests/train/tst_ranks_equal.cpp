#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;

const std::map<std::string, Overrides>& layouts() {
  static const std::map<std::string, Overrides> kLayouts = {
      {"data x 2", onCpus("data", 2)},
      {"data x 3", onCpus("data", 3)},
      {"data x 4", onCpus("data", 4)},
      {"pipeline x 2", onCpus("pipeline", 2) + Overrides{"parallel.micro_batches=4"}},
      {"pipeline x 2, gpipe", onCpus("pipeline", 2) + Overrides{"parallel.micro_batches=4", "parallel.schedule=\"gpipe\""}},
      {"pipeline 2 x data 2", onCpus("pipeline", 4) + Overrides{"parallel.stages=2", "parallel.micro_batches=4"}},
      {"sharded 1 x 2", onCpus("sharded", 2) + Overrides{"parallel.stage=1"}},
      {"sharded 3 x 2", onCpus("sharded", 2) + Overrides{"parallel.stage=3"}},
  };
  return kLayouts;
}

}  // namespace

// The same recipe on one and on several devices gives the same numbers.
class TestRanksEqual : public QObject {
  Q_OBJECT
  RanksBench bench_;
  std::map<std::string, Numbers> alone_;

  recipe::Recipe recipeOf(const std::string& network, const Overrides& more) {
    const std::string group_norm =
        "model.layers=[{type=\"conv2d\", out=8, padding=1}, {type=\"group_norm\", groups=4}, {type=\"relu\"}, {type=\"conv2d\", out=8}, {type=\"group_norm\", groups=2}, {type=\"relu\"}, "
        "{type=\"flatten\"}, {type=\"linear\"}]";
    if (network == "gpt") return bench_.text(more);
    if (network == "vit_tiny") return bench_.pictures(Overrides{"model.arch=\"vit_tiny\"", "train.epochs=1"} + more, 16, 23);
    if (network == "convolutions") return bench_.pictures(Overrides{"model.arch=\"layers\"", group_norm, "optimizer.lr=0.01"} + more, 8, 99);
    return bench_.pictures(Overrides{"model.hidden=[24, 16]"} + more, 8, 99);
  }

 private Q_SLOTS:
  void oneAndSeveral_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("layout");
    for (const char* network : {"mlp", "convolutions", "vit_tiny", "gpt"}) {
      for (const auto& [layout, overrides] : layouts()) {
        const bool large = std::string(network) == "vit_tiny" && (layout.ends_with("2, gpipe") || layout == "data x 2" || layout == "data x 4" || layout == "sharded 1 x 2");
        if (!large) QTest::addRow("%s, %s", network, layout.c_str()) << network << QString::fromStdString(layout);
      }
    }
  }
  void oneAndSeveral() {
    QFETCH(QString, network);
    QFETCH(QString, layout);
    const std::string id = network.toStdString();
    if (alone_.count(id) == 0) alone_[id] = bench_.train(recipeOf(id, {}), "alone " + id);
    const size_t steps = alone_[id].losses.size();
    QVERIFY2(steps >= (id == "vit_tiny" ? 6 : 45), std::to_string(steps).c_str());
    const Numbers got = bench_.train(recipeOf(id, layouts().at(layout.toStdString())), QTest::currentDataTag());
    const std::string apart = difference(got, alone_[id]);
    QVERIFY2(apart.empty(), apart.c_str());
  }
};

QTEST_APPLESS_MAIN(TestRanksEqual)
#include "tst_ranks_equal.moc"
