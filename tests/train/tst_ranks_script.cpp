// Scripted modules on several ranks of one process.
#include <torch/csrc/jit/api/module.h>

#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;

// One linear layer of 8 × 8 pictures, and what is done with its numbers.
fs::path script(const fs::path& file, const std::string& more) {
  torch::jit::Module module("Script");
  at::Generator generator = at::detail::createCPUGenerator(3);
  module.register_parameter("weight", (at::randn({10, 64}, generator, at::TensorOptions(at::kFloat)) / 8).requires_grad_(), false);
  module.register_parameter("bias", at::zeros({10}).requires_grad_(), false);
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define("def forward(self, x):\n  return " + more + "(torch.linear(torch.flatten(x, 1), self.weight, self.bias)" + (more == "torch.dropout" ? ", 0.5, self.training)\n" : ")\n"));
  module.save(file.string());
  return file;
}

}  // namespace

class TestRanksScript : public QObject {
  Q_OBJECT
  RanksBench bench_;

  recipe::Recipe recipeFor(const std::string& function, const Overrides& more) {
    const fs::path file = script(bench_.path(function + ".pt"), function);
    return bench_.pictures(Overrides{"model={arch=\"torchscript\", file=\"" + file.string() + "\"}", "train.epochs=2"} + more, 8, 61);
  }

 private Q_SLOTS:
  void withoutDropoutItEqualsOneDevice_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("ranks");
    QTest::newRow("data x 2") << "data" << 2;
    QTest::newRow("data x 3") << "data" << 3;
    QTest::newRow("sharded x 2") << "sharded" << 2;
  }
  void withoutDropoutItEqualsOneDevice() {
    QFETCH(QString, strategy);
    QFETCH(int, ranks);
    const Numbers alone = bench_.train(recipeFor("torch.tanh", {}), "alone");
    const std::string apart = difference(bench_.train(recipeFor("torch.tanh", onCpus(strategy.toStdString(), ranks)), "several"), alone);
    QVERIFY2(apart.empty(), apart.c_str());
    QVERIFY(alone.losses.size() == 12);
  }

  void dropoutIsRefused() {
    const Numbers alone = bench_.train(recipeFor("torch.dropout", {}), "dropout alone");
    const std::string apart = difference(bench_.train(recipeFor("torch.dropout", {}), "dropout again"), alone, 0, 0, 0);
    QVERIFY2(apart.empty(), apart.c_str());
    for (const char* strategy : {"data", "sharded"}) {
      const auto result = trainyardEngine()->train(recipeFor("torch.dropout", onCpus(strategy, 2)), bench_.path("refused"), {});
      QVERIFY(!result);
      QCOMPARE(result.error().code, ErrorCode::Recipe);
      QCOMPARE(result.error().where, std::string("parallel.devices"));
      QVERIFY2(result.error().what.find("dropout") != std::string::npos && !result.error().hint.empty(), toText(result.error()).c_str());
      QVERIFY(!fs::exists(bench_.path("refused")));
    }
  }

  void oneBlockMakesNoTwoStages() {
    const auto result = trainyardEngine()->train(recipeFor("torch.tanh", onCpus("pipeline", 2)), bench_.path("refused"), {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Recipe);
    QCOMPARE(result.error().where, std::string("parallel.stages"));
    QVERIFY2(result.error().what.find("2 stages are asked for, and the network has 1 block") != std::string::npos && result.error().what.back() == 'k', toText(result.error()).c_str());
    QVERIFY2(result.error().hint.find("\"data\"") != std::string::npos, result.error().hint.c_str());
    QVERIFY(!fs::exists(bench_.path("refused")));
  }
};

QTEST_APPLESS_MAIN(TestRanksScript)
#include "tst_ranks_script.moc"
