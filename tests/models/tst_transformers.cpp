#include <QTest>

#include "core/models/attention.h"
#include "core/parallel/autocast.h"
#include "core/parallel/tape.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using models::RunContext;

namespace {

constexpr models::InputShape kPictures{3, 48, 64};

RunContext inTraining(uint64_t step = 5) {
  RunContext context;
  context.training = true;
  context.seed = 3;
  context.step = step;
  return context;
}

// With weights that are nowhere zero: a new ViT's head is.
std::unique_ptr<models::Model> make(const std::string& arch, const Json& params) {
  auto made = models::make({arch, params}, kPictures, 10, 1);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  golden::fill(**made);
  return std::move(*made);
}

at::Tensor pictures(int64_t count) {
  return at::randn({count, kPictures.channels, kPictures.height, kPictures.width}, at::detail::createCPUGenerator(1), at::TensorOptions(at::kFloat));
}

void archRows() {
  QTest::addColumn<QString>("arch");
  for (const char* arch : {"vit_tiny", "swin_t"}) QTest::newRow(arch) << arch;
}

}  // namespace

// What the comparison with torchvision does not reach.
class TestTransformers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void attentionWithABiasIsTheFusedOneWithout() {
    const at::Tensor qkv = at::randn({2, 3, 9, 24}, at::detail::createCPUGenerator(1), at::TensorOptions(at::kDouble));
    const RunContext context;
    const at::Tensor fused = models::attention(qkv.flatten(0, 1), 4, {}, 0, context, "here").unflatten(0, {2, 3});
    QCOMPARE(fused.sizes().vec(), (std::vector<int64_t>{2, 3, 9, 8}));
    QVERIFY(at::allclose(models::attention(qkv, 4, at::zeros({3, 1, 9, 9}, at::kDouble), 0, context, "here"), fused));
    at::Tensor first = at::full({9, 9}, -1e9, at::kDouble);
    first.select(1, 0).zero_();  // every place sees the first alone
    const at::Tensor values = qkv.slice(-1, 16).slice(-2, 0, 1);
    QVERIFY(at::allclose(models::attention(qkv, 4, first, 0, context, "here"), values.expand({2, 3, 9, 8})));
  }

  void attentionsDropoutIsOfItsWeights() {
    at::Tensor qkv = at::randn({1, 64, 192}, at::detail::createCPUGenerator(1), at::TensorOptions(at::kFloat));
    qkv.slice(-1, 128).copy_(at::eye(64));  // then the output is the weights
    const at::Tensor weights = models::attention(qkv, 1, {}, 0.3, RunContext{}, "here");
    const at::Tensor dropped = models::attention(qkv, 1, {}, 0.3, inTraining(), "here");
    QVERIFY(at::allclose(weights.sum(-1), at::ones({1, 64})));
    COMPARE_NEAR(dropped.eq(0).to(at::kFloat).mean().item<double>(), 0.3, 0, 5 * std::sqrt(0.21 / 4096), "share dropped");
    QVERIFY(at::allclose(dropped, at::where(dropped.eq(0), at::zeros({}), weights / 0.7), 1e-4, 1e-7));
  }

  void everyOptionDropsInTrainingAlone_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<QString>("option");
    for (const char* option : {"dropout", "attention_dropout"}) QTest::newRow(option) << "vit_tiny" << option;
    for (const char* option : {"dropout", "attention_dropout", "stochastic_depth"}) QTest::addRow("swin %s", option) << "swin_t" << option;
  }
  void everyOptionDropsInTrainingAlone() {
    QFETCH(QString, arch);
    QFETCH(QString, option);
    at::NoGradGuard no_grad;
    Json none{{"dropout", 0.0}, {"attention_dropout", 0.0}};
    if (arch == "swin_t") none["stochastic_depth"] = 0.0;
    Json some = none;
    some[option.toStdString()] = 0.4;
    const auto plain = make(arch.toStdString(), none), dropping = make(arch.toStdString(), some);
    const at::Tensor images_NCHW = pictures(4);
    RunContext evaluation, one = inTraining(), same = inTraining(), other = inTraining(6);
    const at::Tensor expected_NK = models::forward(*plain, images_NCHW, evaluation);
    QVERIFY(at::equal(models::forward(*dropping, images_NCHW, evaluation), expected_NK));
    QVERIFY(at::equal(models::forward(*plain, images_NCHW, one), expected_NK));
    const at::Tensor logits_NK = models::forward(*dropping, images_NCHW, one);
    QVERIFY(!at::allclose(logits_NK, expected_NK, 1e-3, 1e-3));
    QVERIFY(at::equal(models::forward(*dropping, images_NCHW, same), logits_NK));
    QVERIFY(!at::equal(models::forward(*dropping, images_NCHW, other), logits_NK));
  }

  // As activation checkpointing does.
  void blocksRunTwiceGiveTheSameGradients_data() { archRows(); }
  void blocksRunTwiceGiveTheSameGradients() {
    QFETCH(QString, arch);
    const Json params{{"dropout", 0.1}, {"attention_dropout", 0.1}};
    const auto once = make(arch.toStdString(), params), twice = make(arch.toStdString(), params);
    const auto run = [](const models::Model& model, parallel::Keep keep) {
      RunContext context = inTraining();
      parallel::Tape tape;
      const at::Tensor logits_NK = tape.forward(model.blocks(), {pictures(4)}, keep, context).front();
      tape.backwardFrom(at::cross_entropy_loss(logits_NK, at::arange(4)));
    };
    run(*once, parallel::Keep::Graph);
    run(*twice, parallel::Keep::InputOnly);
    const auto a = once->parameters(), b = twice->parameters();
    for (size_t k = 0; k < a.size(); ++k) QVERIFY2(at::equal(a[k].tensor.grad(), b[k].tensor.grad()), a[k].name.c_str());
  }

  void bfloat16StaysNear_data() { archRows(); }
  void bfloat16StaysNear() {
    QFETCH(QString, arch);
    const auto model = make(arch.toStdString(), Json::object());
    const at::Tensor images_NCHW = pictures(2);
    RunContext context;
    const at::Tensor expected_NK = models::forward(*model, images_NCHW, context).detach();
    at::Tensor loss;
    {
      parallel::AutocastGuard autocast(at::kCPU, at::kBFloat16);
      const at::Tensor logits_NK = models::forward(*model, images_NCHW, context).to(at::kFloat);
      QVERIFY((logits_NK - expected_NK).abs().max().item<float>() <= 0.05f * expected_NK.abs().max().item<float>());
      loss = at::cross_entropy_loss(logits_NK, at::arange(2));
    }
    loss.backward();
    for (const auto& [name, tensor] : model->parameters()) QVERIFY2(at::isfinite(tensor.grad()).all().item<bool>(), name.c_str());
  }

  void placesFollowThePicturesSize() {
    const auto model = make("vit_tiny", Json::object());
    for (const auto& [name, tensor] : model->parameters()) {
      if (name == "encoder.pos_embedding") QCOMPARE(tensor.sizes().vec(), (std::vector<int64_t>{1, 3 * 4 + 1, 192}));
    }
  }

  void picturesThatDoNotFitAreRefused_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("hint");
    QTest::newRow("not of patches") << "vit_small" << 100 << 100 << "100 × 100 is not a multiple"
                                    << "96 or 112";
    QTest::newRow("one side") << "vit_small" << 40 << 64 << "64 × 40 is not a multiple"
                              << "multiple of 16";
    QTest::newRow("less than a patch") << "vit_small" << 8 << 64 << "at least 16 × 16"
                                       << "data.size to 16";
    QTest::newRow("less than Swin's patch") << "swin_t" << 3 << 64 << "at least 4 × 4"
                                            << "data.size to 4";
  }
  void picturesThatDoNotFitAreRefused() {
    QFETCH(QString, arch);
    QFETCH(int, height);
    QFETCH(int, width);
    QFETCH(QString, what);
    QFETCH(QString, hint);
    const auto made = models::make({arch.toStdString(), Json::object()}, {3, height, width}, 10, 0);
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::Recipe);
    QCOMPARE(made.error().where, std::string("data.size"));
    QVERIFY2(QString::fromStdString(made.error().what).contains(what), made.error().what.c_str());
    QVERIFY2(QString::fromStdString(made.error().hint).contains(hint), made.error().hint.c_str());
  }

  void swinTakesTheSmallestPictures() {
    at::NoGradGuard no_grad;
    const auto made = models::make({"swin_t", Json::object()}, {3, 4, 4}, 10, 0);
    QVERIFY(made);
    RunContext context;
    QVERIFY(at::isfinite(models::forward(**made, at::ones({2, 3, 4, 4}), context)).all().item<bool>());
  }
};

QTEST_APPLESS_MAIN(TestTransformers)
#include "tst_transformers.moc"
