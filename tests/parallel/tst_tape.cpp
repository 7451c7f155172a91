#include <QTest>

#include "core/parallel/autocast.h"
#include "core/parallel/tape.h"
#include "tests/golden/golden.h"

#include <ATen/Parallel.h>

using namespace trainyard;
using parallel::Keep;
using parallel::Tape;

class TestTape : public QObject {
  Q_OBJECT

  struct Pass {
    double loss = 0;
    std::vector<at::Tensor> grads, buffers;
  };

  static Pass pass(const std::string& arch, Keep keep, const parallel::BlockHooks& hooks = {}, bool bf16 = false) {
    const auto model = golden::model(arch);
    const auto [images_NCHW, labels_N] = golden::data(arch, 4);
    models::RunContext context;
    context.training = true;
    Tape tape;
    at::Tensor logits_NK;
    {
      parallel::AutocastGuard autocast(at::kCPU, bf16 ? std::optional(at::kBFloat16) : std::nullopt);
      logits_NK = tape.forward(model->blocks(), {images_NCHW}, keep, context, hooks).front();
    }
    const at::Tensor loss = at::cross_entropy_loss(logits_NK.to(at::kFloat), labels_N);
    tape.backwardFrom(loss);
    Pass result{loss.item<double>(), {}, {}};
    for (const auto& named : model->parameters()) result.grads.push_back(named.tensor.grad());
    for (const auto& named : model->buffers()) result.buffers.push_back(named.tensor);
    return result;
  }

  static void compare(const Pass& a, const Pass& b) {
    QCOMPARE(a.loss, b.loss);
    for (size_t i = 0; i < a.grads.size(); ++i) QVERIFY2(at::equal(a.grads[i], b.grads[i]), qPrintable(QString("gradient %1").arg(i)));
    for (size_t i = 0; i < a.buffers.size(); ++i) QVERIFY2(at::equal(a.buffers[i], b.buffers[i]), qPrintable(QString("buffer %1").arg(i)));
  }

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void recomputingEqualsKeeping_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<bool>("bf16");
    for (const char* arch : {"mlp", "smallcnn", "resnet18"}) {
      QTest::newRow(arch) << arch << false;
      QTest::newRow((std::string(arch) + " bf16").c_str()) << arch << true;
    }
  }
  void recomputingEqualsKeeping() {
    QFETCH(QString, arch);
    QFETCH(bool, bf16);
    compare(pass(arch.toStdString(), Keep::InputOnly, {}, bf16), pass(arch.toStdString(), Keep::Graph, {}, bf16));
  }

  void hooksSeeEveryBlockInOrder() {
    std::vector<std::string> seen;
    parallel::BlockHooks hooks;
    hooks.before_forward = [&](const models::Block& block) { seen.push_back("f " + block.name); };
    hooks.after_backward = [&](const models::Block& block) { seen.push_back("b " + block.name); };
    const Pass hooked = pass("smallcnn", Keep::Graph, hooks);
    const std::vector<std::string> expected{"f features.0", "f features.2", "f features.4", "f classifier", "b classifier", "b features.4", "b features.2", "b features.0"};
    QCOMPARE(seen, expected);
    compare(hooked, pass("smallcnn", Keep::Graph));
  }

  void stagesPassGradientsOn() {
    const auto model = golden::model("smallcnn");
    const auto [images_NCHW, labels_N] = golden::data("smallcnn", 4);
    models::RunContext context;
    context.training = true;
    Tape first, second;
    const auto blocks = model->blocks();
    const auto border = first.forward(blocks.subspan(0, 2), {images_NCHW}, Keep::Graph, context);
    const auto logits = second.forward(blocks.subspan(2), {border.front().detach().requires_grad_(true)}, Keep::Graph, context);
    const auto gradients = second.backwardFrom(at::cross_entropy_loss(logits.front(), labels_N));
    QVERIFY(gradients.front().defined());
    QVERIFY(!first.backward(gradients).front().defined());
    const Pass whole = pass("smallcnn", Keep::Graph);
    const auto parameters = model->parameters();
    for (size_t i = 0; i < parameters.size(); ++i) QVERIFY2(at::equal(parameters[i].tensor.grad(), whole.grads[i]), parameters[i].name.c_str());
  }
};

QTEST_APPLESS_MAIN(TestTape)
#include "tst_tape.moc"
