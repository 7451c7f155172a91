#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/catalogue/catalogue.h"
#include "core/optim/optimizer.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using optim::ParamSlot;

namespace {

recipe::Choice defaults(const std::string& id) {
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(catalogue::optimizers(), id)->params) choice.params[spec.key] = spec.fallback;
  return choice;
}

std::vector<ParamSlot> slots() {
  std::vector<ParamSlot> out(3);
  const char* names[] = {"conv", "norm", "fc"};
  const std::vector<std::vector<int64_t>> sizes{{4, 3, 3, 3}, {4}, {2, 4}};
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].name = names[i];
    out[i].param = (at::arange(at::ones(sizes[i]).numel(), at::kFloat) * 0.01).view(sizes[i]);
    if (sizes[i].size() == 4) out[i].param = out[i].param.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return out;
}

void setGradients(std::vector<ParamSlot>& slots, int step) {
  for (auto& slot : slots) slot.grad = at::cos(slot.param * 3 + step);
}

// As tests/golden/make_optimizers.py has them; the kernel in channels-last order, as the engine keeps it.
std::vector<ParamSlot> goldenSlots() {
  std::vector<ParamSlot> out;
  const std::vector<std::pair<std::string, std::vector<int64_t>>> shapes{{"conv", {2, 3, 2, 2}}, {"norm", {4}}, {"wide", {3, 5}}, {"tall", {6, 3}}};
  for (const auto& [name, sizes] : shapes) {
    ParamSlot slot;
    slot.name = name;
    slot.param = (at::arange(at::ones(sizes).numel(), at::kFloat) * 0.05 - 0.2).view(sizes);
    if (sizes.size() == 4) slot.param = slot.param.contiguous(at::MemoryFormat::ChannelsLast);
    out.push_back(std::move(slot));
  }
  return out;
}

double furthest(const std::vector<ParamSlot>& slots, const Json& expected) {
  double distance = 0;
  for (const auto& slot : slots) {
    const at::Tensor values = slot.param.contiguous().flatten();
    for (int64_t i = 0; i < values.numel(); ++i) {
      distance = std::max(distance, std::abs(values[i].item<double>() - expected.at(slot.name).at(static_cast<size_t>(i)).get<double>()));
    }
  }
  return distance;
}

}  // namespace

class TestOptimizers : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  static const Json& golden() {
    static const Json kGolden = Json::parse(*readFile(fs::path(TEST_DATA_DIR) / "golden.json"));
    return kGolden;
  }

  static void rows() {
    QTest::addColumn<QString>("id");
    for (const auto& entry : catalogue::optimizers()) QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
  }

 private Q_SLOTS:
  void makersMatchTheCatalogue() {
    std::set<std::string> listed;
    for (const auto& entry : catalogue::optimizers()) listed.insert(entry.id);
    const auto made = optim::madeIds();
    QCOMPARE(std::set<std::string>(made.begin(), made.end()), listed);
  }

  void twentyStepsEqualTorch_data() {
    QTest::addColumn<int>("index");
    const Json cases = golden().at("cases");
    std::set<std::string> covered;
    for (size_t i = 0; i < cases.size(); ++i) {
      covered.insert(cases[i].at("type").get<std::string>());
      QTest::newRow(qPrintable(QString::fromStdString(cases[i].at("type").get<std::string>() + " " + cases[i].at("params").dump()))) << static_cast<int>(i);
    }
    QCOMPARE(covered.size(), catalogue::optimizers().size());
  }
  void twentyStepsEqualTorch() {
    QFETCH(int, index);
    const Json golden_case = golden().at("cases").at(static_cast<size_t>(index));
    recipe::Choice choice = defaults(golden_case.at("type"));
    for (const auto& [key, value] : golden_case.at("params").items()) choice.params[key] = value;
    auto params = goldenSlots();
    const schedule::Hyper hyper = schedule::hyperOf(choice);
    auto optimizer = optim::make(choice, params);
    QVERIFY(optimizer);
    // Muon orthogonalises in bfloat16, whose kernels round differently from one processor to another: within a hundredth of the way gone.
    const double allowed = choice.id == "muon" ? hyper.lr * 0.01 : 1e-6;
    const int steps = golden().at("steps");
    for (int step = 0; step < steps; ++step) {
      setGradients(params, step);
      (*optimizer)->step(params, hyper, nullptr);
      if (step != 0 && step != steps - 1) continue;
      const double distance = furthest(params, golden_case.at(step == 0 ? "first" : "last"));
      QVERIFY2(distance <= allowed, qPrintable(QString("%1 after step %2").arg(distance).arg(step + 1)));
    }
  }

  // Groups by name pattern: factors, weight decays and a frozen matrix.
  void groupsEqualTorchs_data() {
    QTest::addColumn<int>("index");
    const Json cases = golden().at("groups");
    for (size_t i = 0; i < cases.size(); ++i) QTest::newRow(cases[i].at("type").get<std::string>().c_str()) << static_cast<int>(i);
  }
  void groupsEqualTorchs() {
    QFETCH(int, index);
    const Json golden_case = golden().at("groups").at(static_cast<size_t>(index));
    recipe::Choice choice = defaults(golden_case.at("type"));
    for (const auto& [key, value] : golden_case.at("params").items()) choice.params[key] = value;
    choice.params["weight_decay_on"] = "all";
    const auto all = goldenSlots();
    std::vector<models::NamedTensor> parameters;
    for (const auto& slot : all) parameters.push_back({slot.name, slot.param});
    // The last rule that matches counts, the first would touch everything.
    const std::vector<recipe::ParameterRule> rules{{"*", 7, 3.0, true}, {"c?nv", 1, {}, false}, {"nor*", 0.5, 0.0, false}, {"w*e", 0.1, 0.2, false}};
    auto grouping = optim::groupsOf(choice, rules, {}, parameters);
    QVERIFY(grouping);
    QCOMPARE(grouping->slots.size(), size_t{3});
    QCOMPARE(grouping->groups.size(), size_t{3});
    auto optimizer = optim::make(choice, grouping->slots, grouping->groups);
    QVERIFY(optimizer);
    const schedule::Hyper hyper = schedule::hyperOf(choice);
    for (int step = 0; step < golden().at("steps").get<int>(); ++step) {
      setGradients(grouping->slots, step);
      (*optimizer)->step(grouping->slots, hyper, nullptr);
    }
    const double allowed = choice.id == "muon" ? hyper.lr * 0.01 : 1e-6;
    const double distance = furthest(all, golden_case.at("last"));
    QVERIFY2(distance <= allowed, qPrintable(QString::number(distance)));
  }

  void weightDecayOnWeightsSparesBiasesAndNorms() {
    recipe::Choice choice = defaults("adamw");
    QVERIFY(choice.params.at("weight_decay_on") == "weights");
    const std::vector<models::NamedTensor> parameters{{"conv.weight", at::ones({2, 1, 3, 3})}, {"bn.weight", at::ones({2})}, {"fc.weight", at::ones({2, 2})}, {"fc.bias", at::ones({2})}};
    const std::vector<recipe::ParameterRule> rules{{"fc.bias", 1, 0.5, false}};  // a rule's own decay counts
    const auto decays = [&](const recipe::Choice& optimizer) {
      const auto grouping = optim::groupsOf(optimizer, rules, {}, parameters);
      std::vector<double> out;
      for (const auto& slot : grouping->slots) out.push_back(grouping->groups[static_cast<size_t>(slot.group)].weight_decay);
      return out;
    };
    QCOMPARE(decays(choice), (std::vector<double>{0.01, 0, 0.01, 0.5}));
    choice.params["weight_decay_on"] = "all";
    QCOMPARE(decays(choice), (std::vector<double>{0.01, 0.01, 0.01, 0.5}));
  }

  void frozenParametersAskForNoGradient() {
    std::vector<models::NamedTensor> parameters;
    for (const char* name : {"conv1.weight", "layer1.0.weight", "fc.weight", "fc.bias"}) parameters.push_back({name, at::ones({2, 2}).requires_grad_()});
    const std::vector<std::string> freeze{"conv1.*", "layer1.*"};
    const std::vector<recipe::ParameterRule> rules{{"layer1.*", 0.1, {}, false}, {"*.bias", 1, {}, true}};
    const auto grouping = optim::groupsOf(defaults("sgd"), rules, freeze, parameters);
    QVERIFY(grouping);
    QCOMPARE(grouping->slots.size(), size_t{1});
    QCOMPARE(grouping->slots[0].name, std::string("fc.weight"));
    for (const auto& [name, tensor] : parameters) QCOMPARE(tensor.requires_grad(), name == "fc.weight");
  }

  void patternsThatFitNothingAreNamed() {
    const std::vector<models::NamedTensor> parameters{{"conv1.weight", at::ones({2})}, {"fc.bias", at::ones({2})}};
    const std::vector<std::string> freeze{"layr1.*"}, everything{"*"};
    const std::vector<recipe::ParameterRule> rules{{"head.*", 1, {}, false}};
    const auto frozen = optim::groupsOf(defaults("sgd"), {}, freeze, parameters), ruled = optim::groupsOf(defaults("sgd"), rules, {}, parameters);
    QVERIFY(!frozen && !ruled);
    QVERIFY(frozen.error().where == "model.freeze" && frozen.error().what.find("layr1.*") != std::string::npos);
    QVERIFY(ruled.error().where == "parameters[0].match" && ruled.error().hint.find("conv1.weight") != std::string::npos);
    QVERIFY(!optim::groupsOf(defaults("sgd"), {}, everything, parameters));
  }

  void clippingByValue() {
    auto params = slots();
    for (auto& slot : params) slot.grad = slot.param * 10 - 0.15;
    optim::clipGradientValue(params, 0.1);
    for (const auto& slot : params) QVERIFY(at::equal(slot.grad, (slot.param * 10 - 0.15).clamp(-0.1, 0.1)));
  }

  void stepsWithInfinitiesAreLeftOut_data() { rows(); }
  void stepsWithInfinitiesAreLeftOut() {
    QFETCH(QString, id);
    auto straight = goldenSlots(), skipping = goldenSlots();
    const recipe::Choice choice = defaults(id.toStdString());
    auto a = optim::make(choice, straight), b = optim::make(choice, skipping);
    const at::Tensor infinite = at::ones({}), finite = at::zeros({});
    for (int step = 0; step < 3; ++step) {
      for (auto& slot : skipping) slot.grad = at::full_like(slot.param, INFINITY);
      (*b)->step(skipping, schedule::hyperOf(choice), &infinite);
      setGradients(straight, step);
      (*a)->step(straight, schedule::hyperOf(choice), &finite);
      setGradients(skipping, step);
      (*b)->step(skipping, schedule::hyperOf(choice), &finite);
    }
    for (size_t i = 0; i < straight.size(); ++i) QVERIFY2(at::equal(straight[i].param, skipping[i].param), straight[i].name.c_str());
  }

  void theScheduleMovesTheMomentum_data() { rows(); }
  void theScheduleMovesTheMomentum() {
    QFETCH(QString, id);
    recipe::Choice choice = defaults(id.toStdString());
    const schedule::Hyper own = schedule::hyperOf(choice);
    if (own.momentum == 0) return;  // has none to move
    auto params = goldenSlots(), moved = goldenSlots();
    auto a = optim::make(choice, params), b = optim::make(choice, moved);
    for (int step = 0; step < 3; ++step) {
      setGradients(params, step);
      (*a)->step(params, own, nullptr);
      setGradients(moved, step);
      (*b)->step(moved, {own.lr, 0.5}, nullptr);
    }
    QVERIFY(!at::equal(params[2].param, moved[2].param));
  }

  void stateSizeIsTheCatalogues_data() { rows(); }
  void stateSizeIsTheCatalogues() {
    QFETCH(QString, id);
    auto params = slots();
    auto optimizer = optim::make(defaults(id.toStdString()), params);
    QVERIFY(optimizer);
    std::vector<models::NamedTensor> state;
    Json scalars;
    (*optimizer)->collect(state, scalars);
    double bytes = 0, values = 0;
    for (const auto& named : state) bytes += named.tensor.dim() == 0 ? 0 : static_cast<double>(named.tensor.nbytes());
    for (const auto& slot : params) values += static_cast<double>(slot.param.numel());
    const double listed = catalogue::find(catalogue::optimizers(), id.toStdString())->state_bytes_per_parameter;
    // One has rows and columns, the other AdamW's two averages for what is no matrix: 8 of the values here are in one.
    if (id == "adafactor")
      QVERIFY(bytes <= listed * values);
    else if (id == "muon")
      QCOMPARE(bytes, 4.0 * 8 + 8.0 * (values - 8));
    else
      QCOMPARE(bytes / values, listed);
  }

  void savedStateContinuesToTheBit_data() { rows(); }
  void savedStateContinuesToTheBit() {
    QFETCH(QString, id);
    auto straight = slots(), stopped = slots();
    auto a = optim::make(defaults(id.toStdString()), straight), b = optim::make(defaults(id.toStdString()), stopped);
    const schedule::Hyper hyper{0.05, 0.9};
    for (int step = 0; step < 6; ++step) {
      setGradients(straight, step);
      (*a)->step(straight, hyper, nullptr);
    }
    for (int step = 0; step < 3; ++step) {
      setGradients(stopped, step);
      (*b)->step(stopped, hyper, nullptr);
    }
    std::vector<models::NamedTensor> state;
    Json scalars = Json::object();
    (*b)->collect(state, scalars);
    const fs::path file = fs::path(dir_.path().toStdString()) / "optimizer.safetensors";
    QVERIFY(replaceFile(file, models::toSafetensors(state)));
    auto c = optim::make(defaults(id.toStdString()), stopped);
    const auto tensors = models::SafetensorsFile::open(file);
    QVERIFY(tensors);
    QVERIFY((*c)->restore({*tensors, scalars, "x"}));
    for (int step = 3; step < 6; ++step) {
      setGradients(stopped, step);
      (*c)->step(stopped, hyper, nullptr);
    }
    for (size_t i = 0; i < straight.size(); ++i) QVERIFY2(at::equal(straight[i].param, stopped[i].param), straight[i].name.c_str());
  }

  void stridesThatDifferAreRefused() {
    auto params = slots();
    auto optimizer = optim::make(defaults("sgd"), params);
    setGradients(params, 0);
    params[0].grad = params[0].grad.contiguous();
    QVERIFY_EXCEPTION_THROWN((*optimizer)->step(params, {0.1, 0.9}, nullptr), c10::Error);
  }

  void slotsWithoutGradientStay() {
    auto params = slots();
    auto optimizer = optim::make(defaults("adamw"), params);
    setGradients(params, 0);
    params[1].grad = at::Tensor();
    const at::Tensor before = params[1].param.clone();
    (*optimizer)->step(params, {0.1, 0}, nullptr);
    QVERIFY(at::equal(params[1].param, before));
  }

  void clippingScalesToTheNorm() {
    auto params = slots();
    for (auto& slot : params) slot.grad = at::ones_like(slot.param);
    // 108 + 4 + 8 ones: the norm is sqrt(120)
    COMPARE_NEAR(optim::clipGradientNorm(params, 2.0).item<double>(), std::sqrt(120.0), 1e-6, 0, "norm before");
    COMPARE_NEAR(optim::gradientNorm(params).item<double>(), 2.0, 1e-5, 0, "norm after");
    COMPARE_NEAR(optim::clipGradientNorm(params, 5.0).item<double>(), 2.0, 1e-5, 0, "small gradients stay");
    COMPARE_NEAR(optim::gradientNorm(params).item<double>(), 2.0, 1e-5, 0, "norm after");
  }
};

QTEST_APPLESS_MAIN(TestOptimizers)
#include "tst_optimizers.moc"
