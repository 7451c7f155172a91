#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;

Overrides layout(const std::string& name) {
  if (name == "data x 2") return onCpus("data", 2);
  if (name == "data x 4") return onCpus("data", 4);
  if (name == "pipeline x 2") return onCpus("pipeline", 2) + Overrides{"parallel.micro_batches=4"};
  return onCpus("sharded", 2) + Overrides{name == "sharded 1 x 2" ? "parallel.stage=1" : "parallel.stage=3"};
}

}  // namespace

// Large networks over 54 steps: one device and several agree. (Small ones, and more layouts: tst_ranks_equal.)
class TestRanksNetworks : public QObject {
  Q_OBJECT
  RanksBench bench_;
  std::map<std::string, Numbers> alone_;

  recipe::Recipe recipeOf(const std::string& network, const Overrides& more) {
    const Overrides usual = Overrides{"model.arch=\"" + network + "\"", "optimizer.lr=0.01", "checkpoint.every_epochs=9"} + more;
    if (network == "vit_tiny") return bench_.pictures(usual, 16, 9);
    return bench_.pictures(Overrides{"model.norm=\"group\"", "model.stem=\"cifar\""} + usual, 8, 9);
  }

 private Q_SLOTS:
  void agree_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("devices");
    for (const char* network : {"resnet18", "vit_tiny"}) {
      for (const char* devices : {"data x 2", "data x 4", "pipeline x 2", "sharded 1 x 2", "sharded 3 x 2"}) QTest::addRow("%s, %s", network, devices) << network << devices;
    }
  }
  void agree() {
    QFETCH(QString, network);
    QFETCH(QString, devices);
    const std::string id = network.toStdString();
    if (alone_.count(id) == 0) alone_[id] = bench_.train(recipeOf(id, {}), "alone");
    QCOMPARE(alone_[id].losses.size(), size_t(54));
    QVERIFY2(alone_[id].losses.back() < 0.8 * alone_[id].losses.front(), "it learns nothing, so little is compared");
    const std::string apart = difference(bench_.train(recipeOf(id, layout(devices.toStdString())), "several"), alone_[id]);
    QVERIFY2(apart.empty(), apart.c_str());
  }
};

QTEST_APPLESS_MAIN(TestRanksNetworks)
#include "tst_ranks_networks.moc"
