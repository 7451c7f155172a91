#include <QTest>
#include <algorithm>
#include <set>

#include "core/catalogue/catalogue.h"
#include "tests/golden/golden.h"

using namespace trainyard;

namespace {

Json defaultsOf(const catalogue::Descriptor& entry) {
  Json params = Json::object();
  for (const auto& spec : entry.params) params[spec.key] = spec.fallback;
  return params;
}

}  // namespace

class TestArchitectures : public QObject {
  Q_OBJECT

  static void addRow(const std::string& arch) { QTest::newRow(arch.c_str()) << QString::fromStdString(arch); }

  // All that make a network of pictures from their defaults.
  static void archRows() {
    QTest::addColumn<QString>("arch");
    for (const auto& entry : catalogue::architectures()) {
      const bool incomplete = std::any_of(entry.params.begin(), entry.params.end(), [](const auto& spec) { return spec.required; });
      if (!incomplete && entry.id != "gpt" && entry.id != "torchscript") addRow(entry.id);
    }
  }

  static void goldenRows() {
    QTest::addColumn<QString>("arch");
    const Json expected = golden::read("forward.json");
    for (const auto& item : expected.items()) addRow(item.key());
  }

 private Q_SLOTS:
  void makersMatchTheCatalogue() {
    std::set<std::string> listed;
    for (const auto& entry : catalogue::architectures()) listed.insert(entry.id);
    const auto made = models::madeIds();
    QCOMPARE(std::set<std::string>(made.begin(), made.end()), listed);
    const auto unknown = models::make({"none", {}}, {3, 32, 32}, 10, 0);
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().where, std::string("model.arch"));
  }

  void worksWithItsDefaults_data() { archRows(); }
  void worksWithItsDefaults() {
    QFETCH(QString, arch);
    const auto* entry = catalogue::find(catalogue::architectures(), arch.toStdString());
    for (const int64_t channels : {1, 3}) {
      auto model = models::make({entry->id, defaultsOf(*entry)}, {channels, 48, 64}, 7, 5);
      QVERIFY(model);
      models::RunContext context;
      context.training = true;
      const at::Tensor logits_NK = models::forward(**model, at::ones({2, channels, 48, 64}), context);
      QCOMPARE(logits_NK.sizes().vec(), (std::vector<int64_t>{2, 7}));
      QVERIFY(at::isfinite(logits_NK).all().item<bool>());
    }
  }

  void blocksHoldEveryTensorOnce_data() { archRows(); }
  void blocksHoldEveryTensorOnce() {
    QFETCH(QString, arch);
    const auto model = golden::model(arch.toStdString());
    std::vector<std::string> parameters, buffers, in_blocks, in_blocks_buffers;
    for (const auto& named : model->parameters()) parameters.push_back(named.name);
    for (const auto& named : model->buffers()) buffers.push_back(named.name);
    for (const auto& block : model->blocks()) {
      in_blocks.insert(in_blocks.end(), block.parameters.begin(), block.parameters.end());
      in_blocks_buffers.insert(in_blocks_buffers.end(), block.buffers.begin(), block.buffers.end());
    }
    QCOMPARE(in_blocks, parameters);
    QCOMPARE(in_blocks_buffers, buffers);
  }

  void initialWeightsAreAFunctionOfTheSeed() {
    const auto a = models::make(golden::archOf("resnet18"), {3, 64, 64}, 10, 1), b = models::make(golden::archOf("resnet18"), {3, 64, 64}, 10, 1);
    const auto c = models::make(golden::archOf("resnet18"), {3, 64, 64}, 10, 2);
    QVERIFY(at::equal((*a)->parameters()[0].tensor, (*b)->parameters()[0].tensor));
    QVERIFY(!at::equal((*a)->parameters()[0].tensor, (*c)->parameters()[0].tensor));
    // He initialisation by fan out: standard deviation sqrt(2 / (64·7·7)) = 0.0253
    COMPARE_NEAR((*a)->parameters()[0].tensor.std().item<double>(), 0.02525, 0.03, 0, "std of conv1");
  }

  void tooSmallPicturesAreRefused_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<int>("least");
    const std::pair<const char*, int> rows[] = {{"smallcnn", 4}, {"vgg11_bn", 32}, {"vgg16_bn", 32}, {"densenet121", 29}, {"convnext_tiny", 32}, {"convnext_small", 32}};
    for (const auto& [arch, least] : rows) QTest::newRow(arch) << arch << least;
  }
  void tooSmallPicturesAreRefused() {
    QFETCH(QString, arch);
    QFETCH(int, least);
    const auto size = QString::number(least).toStdString();
    for (const models::InputShape shape : {models::InputShape{3, least - 1, 100}, models::InputShape{3, 100, least - 1}}) {
      const auto model = models::make(golden::archOf(arch.toStdString()), shape, 10, 0);
      QVERIFY(!model);
      QCOMPARE(model.error().code, ErrorCode::Recipe);
      QCOMPARE(model.error().where, std::string("data.size"));
      QVERIFY2(model.error().what.find("at least " + size + " × " + size) != std::string::npos, model.error().what.c_str());
    }
    const auto smallest = models::make(golden::archOf(arch.toStdString()), {3, least, least}, 10, 0);
    QVERIFY(smallest);
    models::RunContext context;
    at::NoGradGuard no_grad;
    QCOMPARE(models::forward(**smallest, at::ones({1, 3, least, least}), context).sizes().vec(), (std::vector<int64_t>{1, 10}));
  }

  void stateDictionariesAreTorchvisions_data() { goldenRows(); }
  void stateDictionariesAreTorchvisions() {
    QFETCH(QString, arch);
    const Json expected = golden::read("state_dicts.json").at(arch.toStdString());
    Json actual = Json::array();
    for (const auto& [name, tensor] : golden::model(arch.toStdString())->state()) actual.push_back({name, tensor.sizes().vec()});
    QCOMPARE(QString::fromStdString(compactJson(actual)), QString::fromStdString(compactJson(expected)));
  }

  void passesEqualPyTorchs_data() { goldenRows(); }
  void passesEqualPyTorchs() {
    QFETCH(QString, arch);
    const std::string id = arch.toStdString();
    const Json expected = golden::read("forward.json").at(id);
    const auto model = golden::model(id);
    const auto [images_NCHW, labels_N] = golden::data(id, 4);
    QCOMPARE(compactJson(Json(std::vector<int64_t>(labels_N.data_ptr<int64_t>(), labels_N.data_ptr<int64_t>() + 4))), compactJson(expected.at("targets")));
    models::RunContext context;
    {
      at::NoGradGuard no_grad;
      const at::Tensor logits = models::forward(*model, images_NCHW, context).flatten();
      for (int64_t i = 0; i < logits.numel(); ++i) COMPARE_NEAR(logits[i].item<double>(), numberFrom(expected["eval_logits"][static_cast<size_t>(i)]), 1e-4, 2e-4, "logit");
    }
    context.training = true;
    const at::Tensor loss = at::cross_entropy_loss(models::forward(*model, images_NCHW, context), labels_N, {}, at::Reduction::Mean, -100, 0.1);
    COMPARE_NEAR(loss.item<double>(), numberFrom(expected["train_loss"]), 1e-5, 0, "train_loss");
    loss.backward();
    for (const auto& [name, tensor] : model->parameters()) {
      COMPARE_NEAR(tensor.grad().to(at::kDouble).abs().sum().item<double>(), numberFrom(expected["gradients"].at(name).at(1)), 2e-3, 1e-6, name);
    }
    for (const auto& [name, tensor] : model->buffers()) {
      COMPARE_NEAR(tensor.to(at::kDouble).abs().sum().item<double>(), numberFrom(expected["buffers_after"].at(name).at(1)), 1e-4, 1e-7, name);
    }
  }
};

QTEST_APPLESS_MAIN(TestArchitectures)
#include "tst_architectures.moc"
