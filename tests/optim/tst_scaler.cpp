// The gradient scaler and the average of the weights against torch's (tests/golden/make_scaler.py).
#include <QTest>

#include "core/optim/ema.h"
#include "core/optim/grad_scaler.h"
#include "tests/golden/golden.h"

using namespace trainyard;

namespace {

Json read(const char* name) { return Json::parse(*readFile(fs::path(TEST_DATA_DIR) / name)); }

at::Tensor start() { return at::tensor({1.0F, -2.0F, 3.0F}); }

optim::ParamSlot slotOf(const at::Tensor& param) { return {.name = std::string("p"), .param = param}; }

std::unique_ptr<optim::Optimizer> sgd(const optim::ParamSlot& slot, double lr) {
  const recipe::Choice choice{"sgd", {{"lr", lr}, {"momentum", 0.0}, {"weight_decay", 0.0}, {"dampening", 0.0}, {"nesterov", false}}};
  auto made = optim::make(choice, {&slot, 1});
  if (!made) qFatal("%s", toText(made.error()).c_str());
  return std::move(*made);
}

double furthest(const at::Tensor& values, const Json& expected) {
  double distance = 0;
  for (int64_t i = 0; i < values.numel(); ++i)
    distance = std::max(distance, std::abs(values[i].item<double>() - expected.at(static_cast<size_t>(i)).get<double>()));
  return distance;
}

}  // namespace

class TestScaler : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void scalesAndSkipsEqualTorchs_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(read("scaler.json").size()); ++i) QTest::addRow("%d", i) << i;
  }
  void scalesAndSkipsEqualTorchs() {
    QFETCH(int, index);
    const Json golden = read("scaler.json").at(static_cast<size_t>(index)), given = golden.at("options");
    optim::ScalerOptions options;
    options.init_scale = given.value("init_scale", options.init_scale);
    options.growth_factor = given.value("growth_factor", options.growth_factor);
    options.backoff_factor = given.value("backoff_factor", options.backoff_factor);
    options.growth_interval = given.value("growth_interval", options.growth_interval);
    optim::GradScaler scaler(options, at::kCPU);
    optim::ParamSlot slot = slotOf(start());
    const auto optimizer = sgd(slot, 0.05);
    const auto planted = golden.at("planted").get<std::vector<int>>();
    Json scales = Json::array(), skipped = Json::array();
    for (int step = 0; step < 500; ++step) {
      slot.grad = at::sin(slot.param + step) * scaler.scaled(at::ones({}));
      const auto plant = std::find(planted.begin(), planted.end(), step);
      if (plant != planted.end()) slot.grad[1].fill_((plant - planted.begin()) % 2 == 0 ? INFINITY : NAN);
      const double before = scaler.scale();
      if (scaler.unscale({&slot, 1}))
        skipped.push_back(step);
      else
        optimizer->step({&slot, 1}, {0.05, 0}, nullptr);
      scaler.update();
      if (scaler.scale() != before) scales.push_back({step, scaler.scale()});
    }
    QVERIFY2(scales == golden.at("scales"), scales.dump().c_str());
    QVERIFY2(skipped == golden.at("skipped"), skipped.dump().c_str());
    QVERIFY(furthest(slot.param, golden.at("last")) < 1e-6);
  }

  void theScalersStateTravels() {
    optim::GradScaler first({4, 2, 0.5, 3}, at::kCPU), second({4, 2, 0.5, 3}, at::kCPU);
    optim::ParamSlot slot = slotOf(start());
    const auto step = [&slot](optim::GradScaler& scaler) {
      slot.grad = at::ones({3});
      scaler.unscale({&slot, 1});
      scaler.update();
      return scaler.scale();
    };
    step(first);
    step(first);
    std::vector<models::NamedTensor> from, to;
    first.collect(from);
    second.collect(to);
    for (size_t i = 0; i < from.size(); ++i) to[i].tensor.copy_(from[i].tensor);
    QCOMPARE(step(second), 8.0);  // the third without infinities
  }

  void averagesEqualTorchs() {
    for (const auto& golden : read("ema.json")) {
      optim::ParamSlot slot = slotOf(start());
      const auto optimizer = sgd(slot, 0.1);
      optim::Ema ema({{"p", slot.param}}, golden.at("decay").get<double>());
      for (int step = 0; step < 30; ++step) {
        slot.grad = at::sin(slot.param + step);
        optimizer->step({&slot, 1}, {0.1, 0}, nullptr);
        ema.update();
        const std::string done = std::to_string(step + 1);
        if (golden.at("values").contains(done)) QVERIFY2(furthest(ema.averaged().front().tensor, golden.at("values").at(done)) < 1e-6, done.c_str());
      }
    }
  }

  // Another average, filled from the first, goes on as that one.
  void theAveragesStateTravels() {
    const at::Tensor param = start();
    optim::Ema first({{"p", param}}, 0.9), second({{"p", param}}, 0.9);
    const auto move = [&param] { param.add_(1); };
    for (int step = 0; step < 3; ++step, move()) first.update();
    std::vector<models::NamedTensor> from, to;
    Json scalars = Json::object(), ignored = Json::object();
    first.collect(from, scalars);
    second.collect(to, ignored);
    QCOMPARE(from.front().name, std::string("ema.p"));
    to.front().tensor.copy_(from.front().tensor);
    second.restoreScalars(scalars);
    first.update();
    second.update();
    QVERIFY(at::equal(first.averaged().front().tensor, second.averaged().front().tensor));
    QVERIFY(!at::equal(first.averaged().front().tensor, param));
  }
};

QTEST_APPLESS_MAIN(TestScaler)
#include "tst_scaler.moc"
