#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;
constexpr size_t kSteps = 50;

Overrides layout(const std::string& name) {
  if (name == "1 in 2 parts") return {"train.accumulate=2"};
  if (name == "data x 2") return onCpus("data", 2);
  if (name == "data x 4") return onCpus("data", 4);
  if (name == "pipeline x 2") return onCpus("pipeline", 2) + Overrides{"parallel.micro_batches=4"};
  return onCpus("sharded", 2) + Overrides{"parallel.stage=3"};
}

}  // namespace

// Large networks over 50 steps: one device and several agree. (Small ones, and more layouts: tst_ranks_equal.)
class TestRanksNetworks : public QObject {
  Q_OBJECT
  RanksBench bench_;
  std::map<std::string, Numbers> alone_;

  recipe::Recipe recipeOf(const std::string& network, const Overrides& more) {
    const Overrides usual = Overrides{"model.arch=\"" + network + "\"", "checkpoint.every_epochs=9"} + more;
    if (network == "vit_tiny") return bench_.pictures(Overrides{"optimizer.lr=0.005"} + usual, 16, 9);
    // A ReLU whose input is nearly 0 opens or closes by rounding alone, and the network goes another way from there: at a usual rate one device that
    // cuts its batches in two is 1e-3 off after 50 steps. At this rate such a gap stays small, while a gradient that is twice as large shows.
    return bench_.pictures(Overrides{"model.norm=\"group\"", "model.stem=\"cifar\"", "optimizer.lr=5e-7"} + usual, 8, 9);
  }
  Numbers train(const std::string& network, const Overrides& more) {
    Numbers numbers = bench_.train(recipeOf(network, more), "run");
    numbers.losses.resize(kSteps);
    numbers.evaluations.pop_back();  // after 54 steps
    return numbers;
  }

 private Q_SLOTS:
  void agree_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("devices");
    for (const char* network : {"resnet18", "vit_tiny"}) {
      for (const char* devices : {"1 in 2 parts", "data x 2", "data x 4", "pipeline x 2", "sharded 3 x 2"}) QTest::addRow("%s, %s", network, devices) << network << devices;
    }
  }
  void agree() {
    QFETCH(QString, network);
    QFETCH(QString, devices);
    const std::string id = network.toStdString();
    if (alone_.count(id) == 0) {
      alone_[id] = train(id, {});
      QVERIFY2(!difference(train(id, {id == "resnet18" ? "optimizer.lr=1e-6" : "optimizer.lr=0.01"}), alone_[id]).empty(), "twice the rate makes no difference");
    }
    const std::string apart = difference(train(id, layout(devices.toStdString())), alone_[id]);
    QVERIFY2(apart.empty(), apart.c_str());
  }
};

QTEST_APPLESS_MAIN(TestRanksNetworks)
#include "tst_ranks_networks.moc"
