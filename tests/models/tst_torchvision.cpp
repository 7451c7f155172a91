#include <QCryptographicHash>
#include <QTest>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/models/safetensors.h"
#include "tests/golden/golden.h"

using namespace trainyard;

namespace {

at::Tensor draw(uint64_t seed, at::IntArrayRef sizes) { return at::empty(sizes, at::kFloat).uniform_(-1, 1, at::detail::createCPUGenerator(seed)); }

// The rules of make_models.py.
void fill(const models::Model& model) {
  at::NoGradGuard no_grad;
  uint64_t k = 0;
  for (const auto& [name, tensor] : model.state()) {
    const uint64_t seed = k++;
    if (!tensor.is_floating_point()) continue;
    at::Tensor values = draw(seed, tensor.sizes());
    if (tensor.dim() == 2 || tensor.dim() == 4)
      values *= std::sqrt(6.0 / static_cast<double>(tensor[0].numel()));
    else if (name.ends_with("running_var"))
      values.mul_(0.5).add_(1);
    else if (name.ends_with("weight"))
      values.mul_(0.1).add_(0.8);
    else
      values *= 0.1;
    tensor.copy_(values);
  }
}

// "resnet18", "resnet18:cifar", "resnet50:group"; nothing is dropped at random.
recipe::Choice choiceOf(const std::string& row) {
  const std::string arch = row.substr(0, row.find(':'));
  Json params = Json::object();
  for (const auto& spec : catalogue::find(catalogue::architectures(), arch)->params) {
    if (spec.key == "dropout" || spec.key == "stochastic_depth") params[spec.key] = 0.0;
  }
  if (row.ends_with(":cifar")) params["stem"] = "cifar";
  if (row.ends_with(":group")) params["norm"] = "group";
  return {arch, params};
}

// Torchvision's ViT takes square pictures alone.
models::InputShape shapeOf(const std::string& row) { return {3, 64, row.starts_with("vit") ? 64 : 48}; }

std::unique_ptr<models::Model> build(const std::string& row) {
  auto made = models::make(choiceOf(row), shapeOf(row), 10, 1);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  return std::move(*made);
}

void toDouble(const models::Model& model) {
  for (const auto& [name, tensor] : model.state()) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(at::kDouble));
  }
}

// Largest difference, in units of the largest expected value.
double distance(const at::Tensor& actual, const at::Tensor& expected) {
  return ((actual.detach().to(at::kDouble) - expected.to(at::kDouble)).abs().max() / expected.to(at::kDouble).abs().max()).item<double>();
}

double normOf(const at::Tensor& tensor) { return at::norm(tensor.detach().to(at::kDouble)).item<double>(); }

}  // namespace

// Every architecture against torchvision's: tests/golden/make_models.py and make_transformers.py.
class TestTorchvision : public QObject {
  Q_OBJECT

  Json facts_ = Json::object();
  std::vector<models::NamedTensor> values_;

  at::Tensor golden(const QString& row, const char* what) const {
    const std::string name = row.toStdString() + "/" + what;
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const auto& named) { return named.name == name; });
    if (found == values_.end()) qFatal("no %s of %s", what, qPrintable(row));
    return found->tensor;
  }

  void rows() const {
    QTest::addColumn<QString>("row");
    for (const auto& item : facts_.items()) QTest::newRow(item.key().c_str()) << QString::fromStdString(item.key());
  }

  void compareGradients(const models::Model& model, const at::Tensor& expected_P2) {
    const auto parameters = model.parameters();
    QCOMPARE(expected_P2.size(0), static_cast<int64_t>(parameters.size()));
    const double total = normOf(expected_P2.select(1, 0));
    for (size_t k = 0; k < parameters.size(); ++k) {
      const auto& [name, tensor] = parameters[k];
      const at::Tensor flat = tensor.grad().contiguous().flatten();
      const at::Tensor first = flat.narrow(0, 0, std::min<int64_t>(flat.numel(), 1 << 20));
      const auto row = static_cast<int64_t>(k);
      const double size = expected_P2[row][0].item<double>(), tolerance = 1e-5 * size + 1e-9 * total;
      COMPARE_NEAR(normOf(flat), size, 0, tolerance, "norm of the gradient of " + name);
      COMPARE_NEAR(at::dot(first, draw(k, first.sizes()).to(at::kDouble)).item<double>(), expected_P2[row][1].item<double>(), 0, tolerance,
                   "gradient of " + name);
    }
  }

  void compareBuffers(const models::Model& model, const at::Tensor& expected_B) {
    int64_t k = 0;
    for (const auto& [name, tensor] : model.buffers()) {
      if (tensor.is_floating_point())
        COMPARE_NEAR(normOf(tensor), expected_B[k++].item<double>(), 1e-5, 0, name);
      else if (name.ends_with("num_batches_tracked"))
        QCOMPARE(tensor.item<int64_t>(), int64_t{1});
    }
    QCOMPARE(k, expected_B.size(0));
  }

 private Q_SLOTS:
  void initTestCase() {
    const fs::path folder = fs::path(TEST_DATA_DIR) / "../golden/models";
    for (const std::string name : {"convolutional", "transformers"}) {
      const auto text = readFile(folder / (name + ".json"));
      QVERIFY(text);
      facts_.update(Json::parse(*text));
      const auto file = models::SafetensorsFile::open(folder / (name + ".safetensors"));
      QVERIFY(file);
      const auto tensors = file->tensors();
      values_.insert(values_.end(), tensors.begin(), tensors.end());
    }
  }

  void stateDictionariesAreTorchvisions_data() { rows(); }
  void stateDictionariesAreTorchvisions() {
    QFETCH(QString, row);
    const Json& expected = facts_.at(row.toStdString());
    const auto model = build(row.toStdString());
    QByteArray listing;
    for (const auto& [name, tensor] : model->state()) {
      QStringList sizes;
      for (const int64_t size : tensor.sizes()) sizes << QString::number(size);
      listing += QString("%1 %2\n").arg(QString::fromStdString(name), sizes.join(',')).toUtf8();
    }
    QCOMPARE(model->state().size(), expected.at("entries").get<size_t>());
    QCOMPARE(models::parameterCount(*model), expected.at("parameters").get<uint64_t>());
    QVERIFY2(
        QCryptographicHash::hash(listing, QCryptographicHash::Sha256).toHex() == QByteArray::fromStdString(expected.at("listing_sha256").get<std::string>()),
        listing.constData());
  }

  // Evaluation in float32 and channels_last, as it runs; a training pass in float64, where rounding does not decide on which side of a ReLU a value is.
  void passesEqualTorchvisions_data() { rows(); }
  void passesEqualTorchvisions() {
    QFETCH(QString, row);
    const auto model = build(row.toStdString());
    fill(*model);
    models::moveTo(*model, at::kCPU);
    const at::Tensor images_NCHW = draw(1, {4, 3, 64, shapeOf(row.toStdString()).width});
    models::RunContext context;
    {
      at::NoGradGuard no_grad;
      QCOMPARE_LE(distance(models::forward(*model, images_NCHW.contiguous(at::MemoryFormat::ChannelsLast), context), golden(row, "logits")), 1e-5);
    }
    toDouble(*model);
    context.training = true;
    const at::Tensor logits_NK = models::forward(*model, images_NCHW.to(at::kDouble), context);
    const at::Tensor loss = at::cross_entropy_loss(logits_NK, at::arange(4));
    loss.backward();
    QCOMPARE_LE(distance(logits_NK, golden(row, "train_logits")), 1e-6);
    COMPARE_NEAR(loss.item<double>(), facts_.at(row.toStdString()).at("loss").get<double>(), 1e-6, 0, "loss");
    compareGradients(*model, golden(row, "gradients"));
    compareBuffers(*model, golden(row, "buffers"));
  }

  void firstWeightsAreDrawnAsTorchvisions_data() {
    QTest::addColumn<QString>("row");
    for (const auto& named : values_) {
      if (named.name.ends_with("/initial")) QTest::newRow(named.name.c_str()) << QString::fromStdString(named.name.substr(0, named.name.find('/')));
    }
  }
  void firstWeightsAreDrawnAsTorchvisions() {
    QFETCH(QString, row);
    at::NoGradGuard no_grad;
    const at::Tensor expected_P3 = golden(row, "initial").to(at::kDouble);
    const auto model = models::make({row.toStdString(), Json::object()}, shapeOf(row.toStdString()), 10, 7);
    QVERIFY(model);
    int64_t k = 0;
    for (const auto& [name, tensor] : (*model)->parameters()) {
      const at::Tensor values = tensor.to(at::kDouble);
      const double mean = expected_P3[k][0].item<double>(), deviation = expected_P3[k][1].item<double>(), size = expected_P3[k][2].item<double>();
      ++k;
      if (deviation < 1e-6 * std::abs(mean) || deviation == 0) {
        QVERIFY2((values - mean).abs().max().item<double>() <= 1e-6 * std::abs(mean), name.c_str());
        continue;
      }
      // Both sides are draws: 8 standard errors of a difference.
      const double error = 8 * std::sqrt(2.0 / static_cast<double>(values.numel()));
      COMPARE_NEAR(values.mean().item<double>(), mean, 0, error * deviation, "mean of " + name);
      COMPARE_NEAR(values.std(false).item<double>(), deviation, error, 0, "deviation of " + name);
      COMPARE_NEAR(values.abs().mean().item<double>(), size, error, 0, "mean size of " + name);
    }
  }
};

QTEST_APPLESS_MAIN(TestTorchvision)
#include "tst_torchvision.moc"
