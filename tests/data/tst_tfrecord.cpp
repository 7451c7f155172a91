#include <QTemporaryDir>

#include "core/data/crc32c.h"
#include "tests/data/archives.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

const fs::path kGolden = fs::path(TEST_DATA_DIR) / "../golden/archives";

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

std::string field(int number, const std::string& content) { return varint(static_cast<uint64_t>(number) << 3 | 2) + varint(content.size()) + content; }
std::string feature(const std::string& key, int kind, const std::string& list) { return field(1, field(1, key) + field(2, field(kind, list))); }
std::string bytesFeature(const std::string& key, const std::string& value) { return feature(key, 1, field(1, value)); }
std::string numberFeature(const std::string& key, int64_t value) { return feature(key, 3, field(1, varint(static_cast<uint64_t>(value)))); }

std::string framed(const std::string& record) {
  const std::string length = littleEndian(record.size(), 8);
  return length + littleEndian(maskedCrc32c(length), 4) + record + littleEndian(maskedCrc32c(record), 4);
}

std::string record(const std::string& picture, int64_t label) {
  return framed(field(1, bytesFeature("image/encoded", picture) + numberFeature("image/class/label", label)));
}

}  // namespace

class TestTfRecord : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;

  fs::path file(const std::string& bytes, const std::string& name = "x.tfrecord") {
    const fs::path path = pathOf(temporary_.path()) / std::to_string(count_++) / name;
    write(path, bytes);
    return path;
  }
  static std::string dot(int level) { return png(2, 2, cv::Vec3b(static_cast<uchar>(level), 0, 0)); }

 private Q_SLOTS:
  void checksums() {
    QCOMPARE(crc32c("123456789"), 0xe3069283U);
    QCOMPARE(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720
    QCOMPARE(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
    for (size_t size = 0; size < 70; ++size) QCOMPARE(crc32c(counting(size, 3)), crc32cByTables(counting(size, 3)));
  }

  // Written by an independent program, packed and unpacked numbers, the label before and after the picture.
  void golden() {
    QCOMPARE(guessFormat(kGolden), std::string("tfrecord"));
    const auto dataset = open(dataOf("tfrecord", kGolden));
    TRAINYARD_VERIFY(dataset);
    QCOMPARE(contentsOf(**dataset), (QStringList{"train-00000-of-00002 0=0 train 10 20 30", "train-00000-of-00002 1=1 train 40 50 60",
                                                 "train-00001-of-00002 0=1 train 70 80 90", "validation-00000-of-00001 0=0 validation 1 2 3"}));
    QCOMPARE(classesOf(**dataset), (QStringList{"roses", "tulips"}));  // labels 1 and 2
    QCOMPARE((*dataset)->fileBytes(3)->size() > 5000, true);
    const auto source = (*dataset)->source(0);
    TRAINYARD_VERIFY(source);
    QCOMPARE((*source)->height(), 2);
  }

  void classNames() {
    const fs::path path = file(record(dot(1), 0) + record(dot(2), 2));
    const auto numbers = open(dataOf("tfrecord", path));
    TRAINYARD_VERIFY(numbers);
    QCOMPARE(classesOf(**numbers), (QStringList{"0", "1", "2"}));
    QCOMPARE(contentsOf(**numbers), (QStringList{"x.tfrecord 0=0 1 0 0", "x.tfrecord 1=2 2 0 0"}));
    write(path.parent_path() / "classes.txt", "a\nb\nc\n");
    QCOMPARE(classesOf(**open(dataOf("tfrecord", path))), (QStringList{"a", "b", "c"}));
    const fs::path from_one = file(record(dot(1), 1) + record(dot(2), 3));
    const auto shifted = open(dataOf("tfrecord", from_one));
    TRAINYARD_VERIFY(shifted);
    QCOMPARE(classesOf(**shifted), (QStringList{"1", "2", "3"}));
    QCOMPARE((*shifted)->label(1), 2);
    write(from_one.parent_path() / "classes.txt", "a\nb\nc\n");
    QCOMPARE(classesOf(**open(dataOf("tfrecord", from_one))), (QStringList{"a", "b", "c"}));
    QCOMPARE((*open(dataOf("tfrecord", from_one)))->label(1), 2);
    write(from_one.parent_path() / "classes.txt", "background\na\nb\nc\n");
    QCOMPARE(classesOf(**open(dataOf("tfrecord", from_one))), (QStringList{"background", "a", "b", "c"}));
    QCOMPARE((*open(dataOf("tfrecord", from_one)))->label(1), 3);
  }

  void keys() {
    const std::string good = framed(field(1, bytesFeature("jpeg", dot(1)) + numberFeature("class", 0) + bytesFeature("mask", std::string(9000, 'm'))));
    recipe::Data data = dataOf("tfrecord", file(good + good));
    compareError(open(data).error(), ErrorCode::Data, {"x.tfrecord", "record 0", "no picture under \"image/encoded\"", "image_key"});
    data.format.params["image_key"] = "jpeg";
    compareError(open(data).error(), ErrorCode::Data, {"no label under \"image/class/label\""});
    data.format.params["label_key"] = "class";
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    QCOMPARE((*dataset)->fileBytes(1).value_or(""), dot(1));
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* name, const std::string& bytes, const QStringList& said) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << said;
    };
    const std::string good = record(dot(1), 0);
    const QString at = "byte " + QString::number(good.size());
    const auto label = [](const std::string& feature) { return framed(field(1, bytesFeature("image/encoded", dot(1)) + feature)); };
    const std::string key = "image/class/label";
    row("empty", "", {"no record"});
    row("text", std::string(2000, 'x'), {"not a TFRecord file"});
    row("gzip", std::string("\x1f\x8b\x08", 3) + std::string(100, 'x'), {"compressed", "unpack it"});
    row("cut in a head", good + good.substr(0, 9), {"record 1", "cut short", at});
    row("cut in a record", good + good.substr(0, good.size() - 5), {"record 1", "cut short", at});
    row("a wrong length", good + std::string(good).replace(0, 1, "\1"), {"record 1", "checksum of its length", at});
    const std::string vast = littleEndian(UINT64_MAX - 3, 8);
    row("longer than the file", good + vast + littleEndian(maskedCrc32c(vast), 4) + good, {"record 1", "18,446,744,073,709,551,612 bytes"});
    row("no message", good + framed("nonsense"), {"record 1", "tf.Example"});
    row("no features", good + framed(""), {"record 1", "no picture"});
    row("a message cut short", good + framed(field(1, bytesFeature("image/encoded", dot(1))).substr(0, 60)), {"record 1", "tf.Example"});
    row("no label", label(""), {"record 0", "no label"});
    row("a negative label", label(numberFeature(key, -1)), {"record 0", "label -1"});
    row("an absurd label", label(numberFeature(key, 1000000)), {"record 0", "label 1000000"});
    row("two labels", label(feature(key, 3, field(1, varint(1) + varint(2)))), {"record 0", "one whole number"});
    row("a text for a label", label(bytesFeature(key, "cat")), {"record 0", "one whole number"});
    row("a number for a picture", framed(field(1, numberFeature("image/encoded", 1) + numberFeature(key, 1))), {"record 0", "as bytes"});
    const auto named = [&](const char* text) { return label(numberFeature(key, 1) + bytesFeature("image/class/text", text)); };
    row("two names of a class", named("cat") + named("dog"), {"record 1", "\"dog\"", "\"cat\""});
  }

  void refused() {
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, said);
    const auto dataset = open(dataOf("tfrecord", file(bytes.toStdString(), "bad.tfrecord")));
    QVERIFY(!dataset);
    compareError(dataset.error(), ErrorCode::Data, said << "tfrecord");
  }

  void aFlippedBitIsNamedWhenItIsRead() {
    std::string bytes = record(dot(1), 0) + record(dot(2), 0);
    const size_t second = record(dot(1), 0).size();
    bytes[second + 60] = static_cast<char>(bytes[second + 60] ^ 32);
    const auto dataset = open(dataOf("tfrecord", file(bytes, "bad.tfrecord")));
    TRAINYARD_VERIFY(dataset);
    TRAINYARD_VERIFY((*dataset)->picture(0));
    compareError((*dataset)->picture(1).error(), ErrorCode::Data, {"bad.tfrecord", "checksum", "byte " + QString::number(second + 12)});
  }

  void everyCutAndEveryFlip() {
    const std::string whole = record(dot(1), 0) + record(dot(2), 1);
    const size_t border = record(dot(1), 0).size();
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto dataset = open(dataOf("tfrecord", file(whole.substr(0, size))));
      QVERIFY2(dataset.has_value() == (size == border), qPrintable(QString::number(size)));
    }
    for (size_t at = 0; at < border; ++at) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
      const auto dataset = open(dataOf("tfrecord", file(flipped)));
      QVERIFY2(!dataset || !(*dataset)->fileBytes(0), qPrintable(QString::number(at)));
    }
  }

  void shardsThatDisagree() {
    const auto named = [&](const char* text) {
      return framed(field(1, bytesFeature("image/encoded", dot(1)) + numberFeature("image/class/label", 1) + bytesFeature("image/class/text", text)));
    };
    const fs::path root = file(named("cat"), "a.tfrecord").parent_path();
    write(root / "b.tfrecord", named("dog"));
    compareError(open(dataOf("tfrecord", root)).error(), ErrorCode::Data, {"b.tfrecord", "\"dog\"", "\"cat\""});
    compareError(open(dataOf("tfrecord", file("", "a.txt").parent_path())).error(), ErrorCode::Data, {"no TFRecord files"});
  }
};

QTEST_APPLESS_MAIN(TestTfRecord)
#include "tst_tfrecord.moc"
