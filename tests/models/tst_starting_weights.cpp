#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/catalogue/weights.h"
#include "core/models/head.h"
#include "core/models/safetensors.h"
#include "core/models/starting_weights.h"
#include "core/models/torch_file.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using models::NamedTensor;

namespace {

fs::path fixture(const std::string& name) { return fs::path(TEST_DATA_DIR) / "../golden/weights" / name; }

std::unique_ptr<models::Model> modelOf(const std::string& arch, models::InputShape input, int64_t classes, uint64_t seed) {
  auto made = models::make(golden::archOf(arch), input, classes, seed);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  return std::move(*made);
}

at::Tensor tensorOf(const models::Model& model, const std::string& name) {
  for (const auto& named : model.state()) {
    if (named.name == name) return named.tensor;
  }
  qFatal("no tensor %s", name.c_str());
}

}  // namespace

class TestStartingWeights : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }
  // Without replaceFile's syncs: thousands of files.
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary | std::ios::trunc) << bytes;
    return path(name);
  }
  fs::path save(const std::string& name, const std::vector<NamedTensor>& tensors) const {
    [&] { QVERIFY(replaceFile(path(name), models::toSafetensors(tensors))); }();
    return path(name);
  }
  static Error errorOf(const Result<models::Started>& result) {
    if (result) qFatal("was loaded");
    return result.error();
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(dir_.isValid());
    qputenv("XDG_CACHE_HOME", dir_.path().toUtf8());
    QDir::setCurrent(dir_.path());  // where a hostile file would leave its marker
  }

  void readsWhatTorchSaves_data() {
    QTest::addColumn<QString>("file");
    const Json files = golden::readFrom("weights/weights.json");
    for (const auto& [name, tensors] : files.items()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void readsWhatTorchSaves() {
    QFETCH(QString, file);
    const Json expected = golden::readFrom("weights/weights.json").at(file.toStdString());
    const auto tensors = models::readWeights(fixture(file.toStdString()));
    QVERIFY2(tensors, tensors ? "" : toText(tensors.error()).c_str());
    QCOMPARE(tensors->size(), expected.size());
    for (const auto& [name, tensor] : *tensors) {
      QVERIFY2(expected.contains(name), name.c_str());
      QCOMPARE(compactJson(Json(tensor.sizes().vec())), compactJson(expected[name]["shape"]));
      const at::Tensor values = tensor.to(at::kDouble).contiguous().flatten();
      QCOMPARE(static_cast<size_t>(values.numel()), expected[name]["values"].size());
      for (int64_t i = 0; i < values.numel(); ++i) QCOMPARE(values[i].item<double>(), expected[name]["values"][static_cast<size_t>(i)].get<double>());
    }
  }

  void hostileAndDamagedFilesAreRefused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* file, const char* says) { QTest::newRow(file) << file << says; };
    row("hostile_system.pt", "posix.system");
    row("hostile_old.pt", "posix.system");
    row("hostile_eval.pt", "__builtin__.eval");
    row("hostile_eval4.pt", "builtins.eval");
    row("hostile_inst.pt", "instruction");
    row("hostile_obj.pt", "os.system");
    row("whole_module.pt", "torch.nn.modules.linear.Linear");
    row("hostile_beyond.pt", "reaches beyond its 4 numbers");
    row("hostile_overflow.pt", "reaches beyond its 4 numbers");
    row("hostile_huge_stride.pt", "reaches beyond its 4 numbers");
    row("hostile_short.pt", "8 are said to be there, in 16 bytes");
    row("circle.pt", "holds no tensors");
    row("script.pt", "TorchScript");
    row("tar.pth", "does not begin as a file of torch.save does");
  }
  void hostileAndDamagedFilesAreRefused() {
    QFETCH(QString, file);
    QFETCH(QString, says);
    const auto tensors = models::readWeights(fixture(file.toStdString()));
    QVERIFY(!tensors);
    QCOMPARE(tensors.error().code, ErrorCode::Data);
    QVERIFY2(tensors.error().what.find(says.toStdString()) != std::string::npos, toText(tensors.error()).c_str());
    QVERIFY(tensors.error().where.find(file.toStdString()) != std::string::npos);
    QVERIFY(!fs::exists(path("marker")));
  }

  // At every length: never a crash, never half the weights.
  void cutFilesAreRefused_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"zip.pt", "old.pt", "trained_old.pt"}) QTest::newRow(file) << file;
  }
  void cutFilesAreRefused() {
    QFETCH(QString, file);
    const auto whole = readFile(fixture(file.toStdString()));
    QVERIFY(whole);
    for (size_t length = 0; length + 1 < whole->size(); length += 7) {
      const auto tensors = models::readWeights(write("cut.pt", whole->substr(0, length)));
      QVERIFY2(!tensors, qPrintable(QString("%1 bytes").arg(length)));
      QCOMPARE(tensors.error().code, ErrorCode::Data);
    }
  }

  // Any single damaged byte of the list of tensors: an error, or other numbers; never a crash. (A zip's checksum finds it; the old format has none.)
  void damagedBytesDoNoHarm() {
    const auto whole = readFile(fixture("trained_old.pt"));
    QVERIFY(whole);
    for (size_t at = 0; at < whole->size(); ++at) {
      for (const char change : {'\x01', '\x80', '\xff'}) {
        std::string bytes = *whole;
        bytes[at] = static_cast<char>(bytes[at] ^ change);
        const auto tensors = models::readWeights(write("damaged.pt", bytes));
        if (!tensors) continue;
        for (const auto& named : *tensors) QVERIFY(named.tensor.numel() == 0 || named.tensor.sum().numel() == 1);
      }
    }
    QVERIFY(!fs::exists(path("marker")));
  }

  void wholeModelsGoRound() {
    const auto from = modelOf("resnet18", {3, 64, 64}, 10, 1), to = modelOf("resnet18", {3, 64, 64}, 10, 2);
    const auto started = models::loadStartingWeights(*to, save("resnet.safetensors", from->state()));
    QVERIFY2(started, started ? "" : toText(started.error()).c_str());
    QVERIFY(started->replaced_head.empty());
    for (const auto& [name, tensor] : from->state()) QVERIFY2(at::equal(tensorOf(*to, name), tensor), name.c_str());
    QVERIFY(to->parameters().front().tensor.requires_grad());
  }

  void numbersAreConvertedAndCountersMayBeMissing() {
    const auto from = modelOf("smallcnn", {3, 32, 32}, 10, 1), to = modelOf("smallcnn", {3, 32, 32}, 10, 2);
    std::vector<NamedTensor> halves;
    for (const auto& [name, tensor] : from->state()) {
      if (!name.ends_with("num_batches_tracked")) halves.push_back({name, tensor.detach().to(at::kHalf)});
    }
    QVERIFY(models::loadStartingWeights(*to, save("half.safetensors", halves)));
    const std::string first = from->parameters().front().name;
    QVERIFY(at::equal(tensorOf(*to, first), tensorOf(*from, first).detach().to(at::kHalf).to(at::kFloat)));
    QCOMPARE(tensorOf(*to, first).scalar_type(), at::kFloat);
  }

  void aHeadForOtherClassesStartsAfresh() {
    const auto from = modelOf("resnet18", {3, 64, 64}, 1000, 1), to = modelOf("resnet18", {3, 64, 64}, 5, 2), untouched = modelOf("resnet18", {3, 64, 64}, 5, 2);
    QCOMPARE(models::headOf(*to), (std::vector<std::string>{"fc.weight", "fc.bias"}));
    const auto started = models::loadStartingWeights(*to, save("imagenet.safetensors", from->state()));
    QVERIFY2(started, started ? "" : toText(started.error()).c_str());
    QCOMPARE(started->replaced_head, (std::vector<std::string>{"fc.weight", "fc.bias"}));
    QVERIFY(at::equal(tensorOf(*to, "layer4.1.conv2.weight"), tensorOf(*from, "layer4.1.conv2.weight")));
    QVERIFY(at::equal(tensorOf(*to, "fc.weight"), tensorOf(*untouched, "fc.weight")));
  }

  void anythingElseIsNamed() {
    const auto from = modelOf("smallcnn", {3, 32, 32}, 10, 1), to = modelOf("smallcnn", {3, 32, 32}, 10, 2), untouched = modelOf("smallcnn", {3, 32, 32}, 10, 2);
    std::vector<NamedTensor> state = from->state();
    const std::string name = state.front().name;
    auto missing = state;
    missing.erase(missing.begin());
    QVERIFY(errorOf(models::loadStartingWeights(*to, save("missing.safetensors", missing))).what.find("\"" + name + "\"") != std::string::npos);
    auto more = state;
    more.push_back({"extra.weight", at::ones({2, 3})});
    const Error unexpected = errorOf(models::loadStartingWeights(*to, save("more.safetensors", more)));
    QVERIFY2(unexpected.what.find("no tensor \"extra.weight\" of shape [2, 3]") != std::string::npos, toText(unexpected).c_str());
    auto shape = state;
    shape[1].tensor = at::ones({7});
    const Error other = errorOf(models::loadStartingWeights(*to, save("shape.safetensors", shape)));
    QVERIFY2(other.what.find("\"" + shape[1].name + "\" has shape [7] in the file; the model needs [32]") != std::string::npos, toText(other).c_str());
    // A head whose inputs differ too is no head for other classes.
    auto head = state;
    head[state.size() - 2].tensor = at::ones({5, 64});
    QVERIFY(!models::loadStartingWeights(*to, save("head.safetensors", head)));
    for (const auto& [parameter, tensor] : untouched->state()) QVERIFY2(at::equal(tensorOf(*to, parameter), tensor), parameter.c_str());
  }

  void colourWeightsForGreyPicturesAreExplained() {
    const auto from = modelOf("resnet18", {3, 64, 64}, 10, 1), to = modelOf("resnet18", {1, 64, 64}, 10, 2);
    const Error error = errorOf(models::loadStartingWeights(*to, save("colour.safetensors", from->state())));
    QCOMPARE(error.what, std::string("these weights are for pictures of 3 channels, and the recipe's have 1"));
    QVERIFY(error.hint.find("data.channels = \"rgb\"") != std::string::npos);
  }

  void publishedWeightsComeFromTheCache() {
    const auto to = modelOf("resnet18", {3, 64, 64}, 10, 2);
    const Error absent = errorOf(models::loadStartingWeights(*to, "resnet18"));
    QCOMPARE(absent.code, ErrorCode::Recipe);
    QVERIFY2(absent.hint.find("trainyard weights get resnet18") != std::string::npos, toText(absent).c_str());
    const fs::path cached = catalogue::cachedWeights(*catalogue::findWeights("resnet18"));
    QCOMPARE(cached, path("trainyard/weights/resnet18-f37072fd.pth"));
    const auto from = modelOf("resnet18", {3, 64, 64}, 1000, 1);
    QVERIFY(makeFolder(cached.parent_path()));
    QVERIFY(replaceFile(cached, models::toSafetensors(from->state())));
    const auto started = models::loadStartingWeights(*to, "resnet18");
    QVERIFY2(started, started ? "" : toText(started.error()).c_str());
    QCOMPARE(started->replaced_head.size(), size_t{2});
  }

  void absentFilesAreErrors() {
    const auto to = modelOf("mlp", {1, 28, 28}, 10, 2);
    for (const char* name : {"nowhere.pt", "nowhere.safetensors"}) QCOMPARE(errorOf(models::loadStartingWeights(*to, path(name))).code, ErrorCode::Data);
  }
};

QTEST_APPLESS_MAIN(TestStartingWeights)
#include "tst_starting_weights.moc"
