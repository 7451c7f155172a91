// Modules that were scripted in Python: torch's numbers, and which files are refused.
#include <QTest>

#include "tests/golden/golden.h"

using namespace trainyard;

class TestTorchScript : public QObject {
  Q_OBJECT

  static Result<std::unique_ptr<models::Model>> load(const std::string& file, models::InputShape shape = {3, 16, 16}) {
    const std::string path = file.empty() ? file : std::string(TEST_DATA_DIR) + "/../golden/weights/" + file;
    return models::make({"torchscript", {{"file", path}}}, shape, 10, 1);
  }

 private Q_SLOTS:
  void trainsAsInPython() {
    const Json expected = golden::readFrom("layers.json").at("script");
    const auto made = load("script.pt");
    QVERIFY2(made, made ? "" : toText(made.error()).c_str());
    const models::Model& model = **made;
    QVERIFY(model.convolutional());
    QCOMPARE(model.parameters().size(), expected["gradients"].size());
    at::Generator generator = at::detail::createCPUGenerator(1);
    const at::Tensor images_NCHW = at::randn({4, 3, 16, 16}, generator, at::TensorOptions(at::kFloat));
    const at::Tensor labels_N = at::randint(0, 10, {4}, generator, at::TensorOptions(at::kLong));
    models::moveTo(model, at::kCPU);
    models::RunContext context;
    {
      const at::NoGradGuard no_grad;
      const at::Tensor logits = models::forward(model, images_NCHW, context).flatten();
      for (int64_t i = 0; i < logits.numel(); ++i) COMPARE_NEAR(logits[i].item<double>(), expected["logits"][static_cast<size_t>(i)].get<double>(), 1e-5, 1e-5, "logit");
    }
    context.training = true;
    const at::Tensor loss = at::cross_entropy_loss(models::forward(model, images_NCHW, context), labels_N);
    COMPARE_NEAR(loss.item<double>(), expected["loss"].get<double>(), 1e-5, 0, "loss");
    loss.backward();
    for (const auto& [name, tensor] : model.parameters()) {
      COMPARE_NEAR(tensor.grad().to(at::kDouble).abs().sum().item<double>(), expected["gradients"].at(name).get<double>(), 1e-4, 2e-6, name);
    }
    for (const auto& [name, tensor] : model.buffers()) COMPARE_NEAR(tensor.to(at::kDouble).abs().sum().item<double>(), expected["buffers"].at(name).get<double>(), 1e-4, 1e-6, name);
    // A second pass of the same activations leaves the running statistics alone.
    context.recomputing = true;
    models::forward(model, images_NCHW, context);
    for (const auto& [name, tensor] : model.buffers()) COMPARE_NEAR(tensor.to(at::kDouble).abs().sum().item<double>(), expected["buffers"].at(name).get<double>(), 1e-4, 1e-6, name);
  }

  void whatCannotBeTrainedIsRefused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    QTest::newRow("traced in evaluation mode") << "script_traced.pt" << "traced in evaluation mode";
    QTest::newRow("frozen") << "script_frozen.pt" << "no parameters";
    QTest::newRow("other classes") << "script_seven.pt" << "gives 7 numbers; 10 are needed";
    QTest::newRow("no module") << "weights.json" << "cannot be read as a TorchScript module";
    QTest::newRow("not there") << "nothing.pt" << "no such file";
    QTest::newRow("not named") << "" << "no module is named";
  }
  void whatCannotBeTrainedIsRefused() {
    QFETCH(QString, file);
    QFETCH(QString, words);
    const auto made = load(file.toStdString());
    QVERIFY(!made);
    QVERIFY2(QString::fromStdString(made.error().what).contains(words), toText(made.error()).c_str());
    QVERIFY(!made.error().where.empty() && !made.error().hint.empty());
  }

  void picturesOfAnotherKindAreNamed() {
    const auto made = load("script.pt", {1, 16, 16});
    QVERIFY(!made);
    QVERIFY2(made.error().what.find("1 × 16 × 16") != std::string::npos, toText(made.error()).c_str());
  }
};

QTEST_APPLESS_MAIN(TestTorchScript)
#include "tst_torchscript.moc"
