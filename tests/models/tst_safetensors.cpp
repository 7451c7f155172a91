#include <QTemporaryDir>
#include <QTest>

#include "core/models/safetensors.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using models::NamedTensor;
using models::SafetensorsFile;

class TestSafetensors : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path write(const std::string& bytes) const {
    const fs::path file = fs::path(dir_.path().toStdString()) / "weights ñ.safetensors";
    [&] { QVERIFY(replaceFile(file, bytes)); }();
    return file;
  }
  static std::string withHeader(const std::string& header, const std::string& data = {}) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(header.size() >> (8 * i)));
    return bytes + header + data;
  }

 private Q_SLOTS:
  void readsWhatTheReferenceLibraryWrites() {
    const Json expected = golden::read("dtypes.json");
    const auto file = SafetensorsFile::open(fs::path(TEST_DATA_DIR) / "../golden/training/dtypes.safetensors");
    QVERIFY2(file, file ? "" : toText(file.error()).c_str());
    QCOMPARE(file->tensors().size(), expected.size());
    for (const auto& [name, entry] : expected.items()) {
      const at::Tensor* tensor = file->find(name);
      QVERIFY2(tensor != nullptr, name.c_str());
      QCOMPARE(compactJson(Json(tensor->sizes().vec())), compactJson(entry["shape"]));
      const at::Tensor flat = tensor->flatten().to(at::kDouble);
      Json values = entry["values"];
      while (!values.empty() && values.is_array() && values[0].is_array()) {
        Json flattened = Json::array();
        for (const auto& row : values) flattened.insert(flattened.end(), row.begin(), row.end());
        values = flattened;
      }
      if (!values.is_array()) values = Json::array({values});
      QCOMPARE(static_cast<size_t>(flat.numel()), values.size());
      for (int64_t i = 0; i < flat.numel(); ++i) {
        const Json& value = values[static_cast<size_t>(i)];
        const double right = value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : numberFrom(value);
        COMPARE_NEAR(flat[i].item<double>(), right, 1e-7, 0, name);
      }
    }
  }

  void roundTripKeepsLogicalOrder() {
    const at::Tensor weight = at::arange(2 * 3 * 4 * 5, at::kFloat).view({2, 3, 4, 5});
    const std::vector<NamedTensor> out{{"a", weight.contiguous(at::MemoryFormat::ChannelsLast)}, {"b", at::scalar_tensor(7, at::kLong)}, {"c", at::empty({0, 3})}};
    const auto file = SafetensorsFile::open(write(models::toSafetensors(out)));
    QVERIFY2(file, file ? "" : toText(file.error()).c_str());
    QVERIFY(at::equal(*file->find("a"), weight));
    QCOMPARE(file->find("b")->item<int64_t>(), int64_t{7});
    at::Tensor target = at::zeros_like(weight).contiguous(at::MemoryFormat::ChannelsLast);
    const std::vector<NamedTensor> targets{{"a", target}, {"b", at::zeros({}, at::kLong)}, {"c", at::empty({0, 3})}};
    QVERIFY(models::loadInto(targets, *file, "x"));
    QVERIFY(at::equal(target, weight));
    QVERIFY(target.is_contiguous(at::MemoryFormat::ChannelsLast));
  }

  void metadataGoesWithTheWeights() {
    std::string bytes;
    const models::Metadata about{{"arch", "mlp"}, {"classes", compactJson(Json({"a", "数据"}))}};
    QVERIFY(models::writeSafetensors(std::vector<NamedTensor>{{"a", at::ones({4})}}, [&bytes](std::string_view part) -> Result<void> {
      bytes += part;
      return {};
    }, about));
    const auto file = SafetensorsFile::open(write(bytes));
    QVERIFY2(file, file ? "" : toText(file.error()).c_str());
    QVERIFY(file->metadata() == about);
    QCOMPARE(file->tensors().size(), size_t{1});
  }

  void damagedFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    const std::string good = models::toSafetensors(std::vector<NamedTensor>{{"a", at::ones({4})}});
    const auto row = [](const char* name, const std::string& bytes) { QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())); };
    row("empty", "");
    row("cut in the data", good.substr(0, good.size() - 1));
    row("cut in the header", good.substr(0, 20));
    row("a pickle", "PK\x03\x04 not tensors at all, but long enough to be read");
    row("header is no object", withHeader("[1, 2]"));
    row("header is no JSON", withHeader("{\"a\": "));
    row("offsets outside", withHeader(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", std::string(15, 'x')));
    row("offsets turned round", withHeader(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[8,0]}})", std::string(16, 'x')));
    row("size does not fit the shape", withHeader(R"({"a":{"dtype":"F32","shape":[5],"data_offsets":[0,16]}})", std::string(16, 'x')));
    row("shape overflows", withHeader(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}})"));
    row("negative size", withHeader(R"({"a":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}})", std::string(16, 'x')));
    row("unknown type", withHeader(R"({"a":{"dtype":"F99","shape":[4],"data_offsets":[0,16]}})", std::string(16, 'x')));
    row("huge header", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}");
  }
  void damagedFilesAreRefused() {
    QFETCH(QByteArray, bytes);
    const auto file = SafetensorsFile::open(write(bytes.toStdString()));
    QVERIFY(!file);
    QCOMPARE(file.error().code, ErrorCode::Data);
    QVERIFY(file.error().where.find("weights ñ.safetensors") != std::string::npos);
  }

  void foreignWeightsNameTensorAndShape() {
    const auto file = SafetensorsFile::open(write(models::toSafetensors(std::vector<NamedTensor>{{"fc.weight", at::ones({10, 512})}, {"fc.bias", at::ones({10})}})));
    QVERIFY(file);
    at::Tensor weight = at::zeros({5, 512});
    const std::vector<NamedTensor> wrong_shape{{"fc.weight", weight}, {"fc.bias", at::zeros({5})}};
    const auto shape = models::loadInto(wrong_shape, *file, "w.safetensors");
    QVERIFY(!shape);
    QCOMPARE(shape.error().what, std::string("tensor \"fc.weight\" has shape [10, 512] in the file; the model needs [5, 512]"));
    QCOMPARE(shape.error().where, std::string("w.safetensors"));
    const std::vector<NamedTensor> missing{{"head.weight", at::zeros({10, 512})}};
    QVERIFY(models::loadInto(missing, *file, "w").error().what.find("\"head.weight\"") != std::string::npos);
    at::Tensor untouched = at::zeros({10, 512});
    const std::vector<NamedTensor> fewer{{"fc.weight", untouched}};
    QVERIFY(models::loadInto(fewer, *file, "w").error().what.find("no tensor \"fc.bias\" of shape [10]") != std::string::npos);
    QCOMPARE(untouched.sum().item<float>(), 0.0F);
  }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
