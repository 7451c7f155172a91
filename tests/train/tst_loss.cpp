// Losses against torch's (tests/golden/make_loss.py), and the choice of them.
#include <QTest>

#include "core/train/loss.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using train::LossOptions;
using train::LossWeight;
using train::Tensors;

namespace {

struct Case {
  data::Task task = data::Task::Classes;
  LossOptions loss;
  at::Tensor outputs;
  Tensors targets;
  Json golden;
};

// Draws as the script does.
Case caseAt(size_t index) {
  Case made;
  made.golden = Json::parse(*readFile(fs::path(TEST_DATA_DIR) / "loss.json")).at(index);
  const Json& golden = made.golden;
  const auto sizes = golden.at("sizes").get<std::vector<int64_t>>();
  const auto task = golden.at("task").get<std::string>();
  at::Generator generator = at::detail::createCPUGenerator(3);
  made.outputs = at::randn(sizes, generator, at::TensorOptions(at::kFloat));
  const auto integers = [&](int64_t below, std::vector<int64_t> shape) { return at::randint(below, shape, generator, at::TensorOptions(at::kLong)); };
  made.loss.choice = {golden.at("loss").get<std::string>(), {{"delta", golden.value("delta", 1.0)}}};
  made.loss.label_smoothing = golden.value("smoothing", 0.0);
  if (golden.contains("weights"))
    made.loss.class_weights = at::tensor(golden.at("weights").get<std::vector<double>>(), at::TensorOptions(at::kDouble)).to(at::kFloat);
  made.targets.mix = golden.value("mix", 1.0);
  if (task == "classes") {
    made.targets.targets = integers(sizes[1], {sizes[0]});
    if (made.targets.mix != 1) made.targets.targets_b = integers(sizes[1], {sizes[0]});
  } else if (task == "tokens") {
    made.task = data::Task::Tokens;
    made.targets.targets = integers(sizes[2], {sizes[0], sizes[1]});
    for (const auto& place : golden.value("ignored", Json::array())) made.targets.targets.view(-1)[place.get<int64_t>()] = train::kIgnored;
  } else if (task == "labels") {
    made.task = data::Task::Labels;
    made.targets.targets = integers(2, sizes).to(at::kFloat);
  } else {
    made.task = data::Task::Numbers;
    made.targets.targets = at::randn(sizes, generator, at::TensorOptions(at::kFloat));
  }
  return made;
}

Tensors rows(const Tensors& targets, int64_t begin, int64_t count) {
  Tensors part{{}, targets.targets.narrow(0, begin, count), {}, targets.mix};
  if (targets.targets_b.defined()) part.targets_b = targets.targets_b.narrow(0, begin, count);
  return part;
}

// Loss and gradient of the outputs, the batch cut at the given rows.
std::pair<double, at::Tensor> inParts(const Case& given, const std::vector<int64_t>& cuts) {
  const at::Tensor outputs = given.outputs.clone().requires_grad_();
  LossWeight weight;
  std::vector<std::pair<int64_t, int64_t>> parts;
  int64_t begin = 0;
  for (const int64_t end : cuts) {
    const LossWeight part = train::weightOf(given.task, given.loss, rows(given.targets, begin, end - begin));
    weight.own += part.own;
    weight.partners += part.partners;
    parts.emplace_back(begin, end - begin);
    begin = end;
  }
  double value = 0;
  for (const auto& [first, count] : parts) {
    const at::Tensor loss = train::trainingLoss(given.task, given.loss, outputs.narrow(0, first, count), rows(given.targets, first, count), weight);
    loss.backward();
    value += loss.item<double>();
  }
  return {value, outputs.grad()};
}

}  // namespace

class TestLoss : public QObject {
  Q_OBJECT

  static void compare(const Case& given, const std::pair<double, at::Tensor>& computed) {
    COMPARE_NEAR(computed.first, given.golden.at("value").get<double>(), 1e-6, 1e-7, "loss");
    const at::Tensor gradient = computed.second.flatten();
    for (int64_t i = 0; i < gradient.numel(); ++i) {
      COMPARE_NEAR(gradient[i].item<double>(), given.golden.at("gradient").at(static_cast<size_t>(i)).get<double>(), 1e-5, 1e-7,
                   "gradient " + std::to_string(i));
    }
  }

 private Q_SLOTS:
  void lossesEqualTorchs_data() {
    QTest::addColumn<int>("index");
    const Json cases = Json::parse(*readFile(fs::path(TEST_DATA_DIR) / "loss.json"));
    for (size_t i = 0; i < cases.size(); ++i) {
      QTest::addRow("%d %s %s", static_cast<int>(i), cases[i].at("task").get<std::string>().c_str(), cases[i].at("loss").get<std::string>().c_str())
          << static_cast<int>(i);
    }
  }
  void lossesEqualTorchs() {
    QFETCH(int, index);
    const Case given = caseAt(static_cast<size_t>(index));
    compare(given, inParts(given, {given.outputs.size(0)}));
  }

  // Also where the parts are of different weight.
  void cuttingTheBatchChangesNothing_data() { lossesEqualTorchs_data(); }
  void cuttingTheBatchChangesNothing() {
    QFETCH(int, index);
    const Case given = caseAt(static_cast<size_t>(index));
    compare(given, inParts(given, {1, given.outputs.size(0)}));
  }

  // Ten tokens of mean loss 2 and ninety of mean loss 1 are a hundred of 1.1.
  void tokensWeighAlike() {
    const auto outputsFor = [](double loss, int64_t count) {
      // Of two tokens, the right one 0 and the other such that log(1 + exp(x)) is the loss.
      const double other = std::log(std::expm1(loss));
      return at::tensor({0.0, other}, at::TensorOptions(at::kFloat)).expand({1, count, 2});
    };
    const auto zeros = [](int64_t count) { return Tensors{{}, at::zeros({1, count}, at::kLong), {}, 1}; };
    const LossWeight weight{100, 100};
    const double loss = train::trainingLoss(data::Task::Tokens, {}, outputsFor(2, 10), zeros(10), weight).item<double>() +
                        train::trainingLoss(data::Task::Tokens, {}, outputsFor(1, 90), zeros(90), weight).item<double>();
    COMPARE_NEAR(loss, 1.1, 1e-6, 0, "loss");
  }

  void nothingThatCountsIsNoLoss() {
    const Tensors targets{{}, at::full({1, 3}, train::kIgnored, at::kLong), {}, 1};
    const LossWeight weight = train::weightOf(data::Task::Tokens, {}, targets);
    QCOMPARE(weight.own, 0.0);
    QCOMPARE(train::trainingLoss(data::Task::Tokens, {}, at::randn({1, 3, 5}), targets, weight).item<double>(), 0.0);
  }

  // Without smoothing and weights of classes, a value a sample or place.
  void evaluationLosses() {
    const Case given = caseAt(0);
    const at::Tensor each = train::evaluationLosses(given.task, caseAt(3).loss, given.outputs, given.targets.targets);
    QCOMPARE(each.size(0), int64_t{6});
    COMPARE_NEAR(each.mean().item<double>(), given.golden.at("value").get<double>(), 1e-6, 0, "mean");
    const Case tokens = caseAt(12);
    const at::Tensor places = train::evaluationLosses(tokens.task, tokens.loss, tokens.outputs, tokens.targets.targets);
    QCOMPARE(places.sizes().vec(), (std::vector<int64_t>{3, 4}));
    QCOMPARE(places[2].abs().sum().item<double>(), 0.0);
  }

  void balancedWeights() { QCOMPARE(train::balancedWeights({10, 30, 0, 60}), (std::vector<double>{100.0 / 30, 100.0 / 90, 1, 100.0 / 180})); }

  void eachTaskHasItsLosses_data() {
    QTest::addColumn<int>("task");
    QTest::addColumn<QString>("choice");
    QTest::addColumn<QString>("expected");  // empty: refused
    const auto row = [](data::Task task, const char* choice, const char* expected) {
      QTest::addRow("%s %s", data::taskName(task).c_str(), choice) << static_cast<int>(task) << choice << expected;
    };
    row(data::Task::Classes, "auto", "cross_entropy");
    row(data::Task::Tokens, "auto", "cross_entropy");
    row(data::Task::Labels, "auto", "bce_with_logits");
    row(data::Task::Numbers, "auto", "mse");
    row(data::Task::Numbers, "l1", "l1");
    row(data::Task::Numbers, "huber", "huber");
    row(data::Task::Numbers, "cross_entropy", "");
    row(data::Task::Classes, "mse", "");
    row(data::Task::Classes, "bce_with_logits", "");
    row(data::Task::Labels, "cross_entropy", "");
    row(data::Task::Tokens, "huber", "");
  }
  void eachTaskHasItsLosses() {
    QFETCH(int, task);
    QFETCH(QString, choice);
    QFETCH(QString, expected);
    const auto loss = train::lossFor(static_cast<data::Task>(task), {choice.toStdString(), Json::object()});
    QCOMPARE(loss.has_value(), !expected.isEmpty());
    if (loss)
      QCOMPARE(*loss, expected.toStdString());
    else
      QVERIFY(loss.error().where == "loss.type" && !loss.error().hint.empty());
  }

  // fp32 whatever the network computed in.
  void halfPrecisionOutputs() {
    const Tensors targets{{}, at::tensor({int64_t{0}, int64_t{1}}), {}, 1};
    for (const auto type : {at::kBFloat16, at::kHalf}) {
      const at::Tensor loss = train::trainingLoss(data::Task::Classes, {}, at::ones({2, 2}).to(type), targets, {2, 2});
      QVERIFY(loss.scalar_type() == at::kFloat);
    }
  }
};

QTEST_APPLESS_MAIN(TestLoss)
#include "tst_loss.moc"
