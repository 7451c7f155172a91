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

}  // namespace

class TestOptimizers : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

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
    QCOMPARE(bytes / values, catalogue::find(catalogue::optimizers(), id.toStdString())->state_bytes_per_parameter);
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
