#include <QTest>

#include "core/catalogue/catalogue.h"
#include "core/models/conv_blocks.h"
#include "core/models/dropout.h"
#include "core/models/layers.h"
#include "core/parallel/autocast.h"
#include "core/parallel/tape.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using models::RunContext;

namespace {

RunContext inTraining(uint64_t seed = 3, uint64_t step = 5) {
  RunContext context;
  context.training = true;
  context.seed = seed;
  context.step = step;
  return context;
}

// One of each family, with whatever is dropped at random by default, and DenseNet's dropout too.
recipe::Choice choiceOf(const char* arch) { return {arch, std::string_view(arch) == "densenet121" ? Json{{"dropout", 0.3}} : Json::object()}; }
constexpr const char* kFamilies[] = {"smallcnn",    "resnet18",     "resnet50",           "resnext50_32x4d", "vgg11_bn",
                                     "densenet121", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "convnext_tiny"};

void familyRows() {
  QTest::addColumn<QString>("arch");
  for (const char* arch : kFamilies) QTest::newRow(arch) << arch;
}

std::unique_ptr<models::Model> make(const recipe::Choice& choice) {
  auto made = models::make(choice, {3, 64, 48}, 10, 1);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  models::moveTo(**made, at::kCPU);
  return std::move(*made);
}

at::Tensor pictures(int64_t count) {
  return at::randn({count, 3, 64, 48}, at::detail::createCPUGenerator(1), at::TensorOptions(at::kFloat)).contiguous(at::MemoryFormat::ChannelsLast);
}

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void masksAreFunctionsOfWhereAndWhen() {
    const at::Tensor x = at::ones({64, 64});
    const at::Tensor first = models::dropout(x, 0.5, inTraining(), "classifier.2");
    RunContext again = inTraining();
    again.recomputing = true;
    QVERIFY(at::equal(models::dropout(x, 0.5, again, "classifier.2"), first));
    RunContext micro = inTraining(), rank = inTraining();
    micro.micro = 1;
    rank.rank = 1;
    for (const RunContext& other : {inTraining(4, 5), inTraining(3, 6), micro, rank})
      QVERIFY(!at::equal(models::dropout(x, 0.5, other, "classifier.2"), first));
    QVERIFY(!at::equal(models::dropout(x, 0.5, inTraining(), "classifier.5"), first));
  }

  void dropoutIsPyTorchs() {
    at::Tensor x = (at::rand({1000, 100}) + 1).requires_grad_(true);  // no zero of its own
    const at::Tensor y = models::dropout(x, 0.3, inTraining(), "here");
    const at::Tensor dropped = y.eq(0);
    COMPARE_NEAR(dropped.to(at::kFloat).mean().item<double>(), 0.3, 0, 5 * std::sqrt(0.3 * 0.7 / 1e5), "share dropped");
    QVERIFY(at::allclose(y, at::where(dropped, at::zeros({}), x / 0.7)));
    y.sum().backward();
    QVERIFY(at::allclose(x.grad(), at::where(dropped, at::zeros({}), at::full({}, 1 / 0.7))));
    QVERIFY(models::dropout(x, 1, inTraining(), "here").eq(0).all().item<bool>());
    QVERIFY(models::dropout(x, 0.3, RunContext{}, "here").is_same(x));
    QVERIFY(models::dropout(x, 0, inTraining(), "here").is_same(x));
    const at::Tensor half = models::dropout(at::ones({100}, at::kBFloat16), 0.3, inTraining(), "here");
    QCOMPARE(half.scalar_type(), at::kBFloat16);
  }

  void stochasticDepthDropsWholeSamples() {
    const at::Tensor x = at::rand({2000, 2, 3, 3}) + 1;
    const at::Tensor y = models::stochasticDepth(x, 0.2, inTraining(), "block");
    const at::Tensor kept_N = y.flatten(1).ne(0).all(1);
    QVERIFY(at::equal(y.flatten(1).eq(0).all(1), kept_N.logical_not()));
    COMPARE_NEAR(kept_N.to(at::kFloat).mean().item<double>(), 0.8, 0, 5 * std::sqrt(0.16 / 2000), "share kept");
    QVERIFY(at::allclose(y.index({kept_N}), x.index({kept_N}) / 0.8));
    QVERIFY(models::stochasticDepth(x, 0.2, RunContext{}, "block").is_same(x));
  }

  void activationsAreTheirFormulas() {
    using models::Activation;
    const at::Tensor x = at::linspace(-8, 8, 1001);
    const at::Tensor six = (x + 3).clamp(0, 6) / 6;
    const std::pair<Activation, at::Tensor> rows[] = {{Activation::None, x},
                                                      {Activation::ReLU, x.clamp_min(0)},
                                                      {Activation::ReLU6, x.clamp(0, 6)},
                                                      {Activation::HardSwish, x * six},
                                                      {Activation::SiLU, x / (1 + (-x).exp())}};
    for (const auto& [activation, expected] : rows) QVERIFY(at::allclose(models::activate(activation, x.clone()), expected, 1e-5, 1e-6));
  }

  // With activation checkpointing every block runs twice: same masks, statistics counted once, gradients equal to the bit.
  void blocksRunTwiceGiveTheSameGradients_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<bool>("bf16");
    for (const char* arch : kFamilies) QTest::newRow(arch) << arch << false;
    for (const char* arch : {"densenet121", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "convnext_tiny"}) {
      QTest::newRow((std::string(arch) + " bf16").c_str()) << arch << true;
    }
  }
  void blocksRunTwiceGiveTheSameGradients() {
    QFETCH(QString, arch);
    QFETCH(bool, bf16);
    const auto choice = choiceOf(arch.toLatin1().constData());
    const auto once = make(choice), twice = make(choice);
    const at::Tensor images_NCHW = pictures(4);
    const auto run = [&](const models::Model& model, parallel::Keep keep) {
      RunContext context = inTraining();
      parallel::Tape tape;
      at::Tensor logits_NK;
      {
        parallel::AutocastGuard autocast(at::kCPU, bf16 ? std::optional(at::kBFloat16) : std::nullopt);
        logits_NK = tape.forward(model.blocks(), {images_NCHW}, keep, context).front();
      }
      tape.backwardFrom(at::cross_entropy_loss(logits_NK.to(at::kFloat), at::arange(4)));
    };
    run(*once, parallel::Keep::Graph);
    run(*twice, parallel::Keep::InputOnly);
    const auto a = once->parameters(), b = twice->parameters();
    for (size_t k = 0; k < a.size(); ++k) QVERIFY2(at::equal(a[k].tensor.grad(), b[k].tensor.grad()), a[k].name.c_str());
    const auto c = once->buffers(), d = twice->buffers();
    for (size_t k = 0; k < c.size(); ++k) QVERIFY2(at::equal(c[k].tensor, d[k].tensor), c[k].name.c_str());
  }

  void everyPlaceDropsOnItsOwn_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"vgg11_bn", "densenet121", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "convnext_tiny"}) QTest::newRow(arch) << arch;
  }
  void everyPlaceDropsOnItsOwn() {
    QFETCH(QString, arch);
    at::NoGradGuard no_grad;
    const auto model = make(choiceOf(arch.toLatin1().constData()));
    const at::Tensor images_NCHW = pictures(4);
    RunContext one = inTraining(), same = inTraining(), other = inTraining(3, 6);
    const at::Tensor logits_NK = models::forward(*model, images_NCHW, one);
    QVERIFY(at::equal(models::forward(*model, images_NCHW, same), logits_NK));
    QVERIFY(!at::equal(models::forward(*model, images_NCHW, other), logits_NK));
  }

  void channelsLastIsKept_data() { familyRows(); }
  void channelsLastIsKept() {
    QFETCH(QString, arch);
    at::NoGradGuard no_grad;
    const auto model = make(choiceOf(arch.toLatin1().constData()));
    for (const bool training : {false, true}) {
      RunContext context = inTraining();
      context.training = training;
      models::Values values{pictures(2)};
      for (const auto& block : model->blocks()) {
        values = block.forward(values, context);
        if (values.front().dim() == 4) QVERIFY2(values.front().is_contiguous(at::MemoryFormat::ChannelsLast), block.name.c_str());
      }
    }
  }

  void bf16StaysNearFloat32_data() { familyRows(); }
  void bf16StaysNearFloat32() {
    QFETCH(QString, arch);
    at::NoGradGuard no_grad;
    const auto model = make(choiceOf(arch.toLatin1().constData()));
    RunContext context;
    const at::Tensor exact_NK = models::forward(*model, pictures(4), context);
    parallel::AutocastGuard autocast(at::kCPU, at::kBFloat16);
    const at::Tensor near_NK = models::forward(*model, pictures(4), context).to(at::kFloat);
    QCOMPARE_LE((near_NK - exact_NK).abs().max().item<double>(), 0.05 * exact_NK.abs().max().item<double>());
  }

  void groupNormLooksAtEachPictureAlone() {
    at::NoGradGuard no_grad;
    const auto group = make({"resnet18", {{"norm", "group"}}}), batch = make({"resnet18", Json::object()});
    QVERIFY(group->buffers().empty());
    const at::Tensor images_NCHW = pictures(4);
    const auto first = [&](const models::Model& model, int64_t count) {
      RunContext context = inTraining();
      return models::forward(model, images_NCHW.narrow(0, 0, count), context)[0];
    };
    QVERIFY(at::allclose(first(*group, 4), first(*group, 2), 1e-4, 1e-5));
    QVERIFY(!at::allclose(first(*batch, 4), first(*batch, 2), 1e-4, 1e-5));
  }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
