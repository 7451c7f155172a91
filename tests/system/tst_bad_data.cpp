// Data that cannot be trained on: the file is named, exit code 3, nothing created. And data that can, in spite of a broken picture.
#include <QDir>
#include <QTest>
#include <opencv2/core/mat.hpp>

#include "core/data/image_decode.h"
#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestBadData : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void folders_data();
  void folders();
  void idxFiles_data();
  void idxFiles();
  void cifarFiles_data();
  void cifarFiles();
  void brokenPictureIsReplacedAndNamed();
  void namesInEveryScript();
  void dataThatWentAway();

 private:
  static void refused(const Sandbox& sandbox, const Ended& ended, const QByteArray& named);
  // A folder of `count` pictures of each of the classes; the class decides the brightness.
  static void pictures(Sandbox& sandbox, const QString& folder, const QStringList& classes, int count);
  static Keys folderKeys(const QString& folder);
};

namespace {

QByteArray bigEndian(uint32_t number) {
  QByteArray bytes(4, '\0');
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(number >> (24 - 8 * i));
  return bytes;
}

QByteArray idxImages(uint32_t magic, uint32_t count, int bytes) {
  return bigEndian(magic) + bigEndian(count) + bigEndian(4) + bigEndian(4) + QByteArray(bytes, 'x');
}

QByteArray idxLabels(uint32_t magic, uint32_t count, int bytes) {
  QByteArray labels;
  for (int i = 0; i < bytes; ++i) labels += static_cast<char>(i % 2);
  return bigEndian(magic) + bigEndian(count) + labels;
}

}  // namespace

void TestBadData::refused(const Sandbox& sandbox, const Ended& ended, const QByteArray& named) {
  QVERIFY2(ended.code == 3 && ended.error("code") == "data", ended.text());
  QVERIFY2(ended.out.contains(named), ended.text());
  QVERIFY2(!ended.error("what").empty() && !ended.error("where").empty() && !ended.error("hint").empty(), ended.text());
  QVERIFY2(QDir(sandbox.runs()).isEmpty(), "a run folder was left behind");
}

void TestBadData::pictures(Sandbox& sandbox, const QString& folder, const QStringList& classes, int count) {
  for (int kind = 0; kind < classes.size(); ++kind) {
    for (int i = 0; i < count; ++i) {
      const auto png = data::encodePng(cv::Mat(12, 12, CV_8UC3, cv::Scalar(20 + 100 * kind, i, 200 - 90 * kind)));
      QVERIFY(png);
      sandbox.write(folder + "/" + classes[kind] + QString("/図 %1.png").arg(i), QByteArray::fromStdString(*png));
    }
  }
}

Keys TestBadData::folderKeys(const QString& folder) {
  return {{"data.format", "\"image-folder\""}, {"data.path", quoted(folder)}, {"data.size", "12"}, {"train.batch_size", "4"}};
}

void TestBadData::folders_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QStringList>("files");  // below the folder; text files
  QTest::addColumn<QByteArray>("named");
  for (const char* format : {"image-folder", "idx", "cifar10", "cifar100"}) {
    QTest::addRow("%s: missing folder", format) << format << QStringList{} << QByteArray("pictures");
    QTest::addRow("%s: empty folder", format) << format << QStringList{""} << QByteArray("pictures");
  }
  QTest::newRow("no class folders") << "image-folder" << QStringList{"a.txt"} << QByteArray("pictures");
  QTest::newRow("class without pictures") << "image-folder" << QStringList{"cats/notes.txt", "dogs/notes.txt"} << QByteArray("cats");
  QTest::newRow("a file for a folder") << "image-folder" << QStringList{"."} << QByteArray("pictures");
}

void TestBadData::folders() {
  QFETCH(QString, format);
  QFETCH(QStringList, files);
  QFETCH(QByteArray, named);
  Sandbox sandbox;
  const QString folder = sandbox.path("pictures");
  for (const QString& file : files) {
    if (file.isEmpty())
      QDir().mkpath(folder);
    else if (file == ".")
      sandbox.write("pictures", "a file");
    else
      sandbox.write("pictures/" + file, "text");
  }
  const QString recipe = sandbox.recipe("recipe.toml", {{"data.format", quoted(format)}, {"data.path", quoted(folder)}, {"data.size", "16"}});
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), named);
}

void TestBadData::idxFiles_data() {
  QTest::addColumn<QByteArray>("images");
  QTest::addColumn<QByteArray>("labels");
  QTest::addColumn<QByteArray>("named");
  const QByteArray good_images = idxImages(0x803, 20, 20 * 16), good_labels = idxLabels(0x801, 20, 20);
  QTest::newRow("pictures cut short") << idxImages(0x803, 20, 20 * 16 - 1) << good_labels << QByteArray("train-images-idx3-ubyte");
  QTest::newRow("labels cut short") << good_images << idxLabels(0x801, 20, 15) << QByteArray("train-labels-idx1-ubyte");
  QTest::newRow("pictures, wrong magic") << idxImages(0x802, 20, 20 * 16) << good_labels << QByteArray("train-images-idx3-ubyte");
  QTest::newRow("labels, wrong magic") << good_images << idxLabels(0x803, 20, 20) << QByteArray("train-labels-idx1-ubyte");
  QTest::newRow("counts disagree") << good_images << idxLabels(0x801, 19, 19) << QByteArray("19");
  QTest::newRow("pictures, header cut short") << good_images.left(10) << good_labels << QByteArray("train-images-idx3-ubyte");
  QTest::newRow("labels, empty file") << good_images << QByteArray() << QByteArray("train-labels-idx1-ubyte");
  QTest::newRow("a count beyond all memory") << idxImages(0x803, 0xffffffffu, 16) << idxLabels(0x801, 0xffffffffu, 16) << QByteArray("train-");
}

void TestBadData::idxFiles() {
  QFETCH(QByteArray, images);
  QFETCH(QByteArray, labels);
  QFETCH(QByteArray, named);
  Sandbox sandbox;
  sandbox.write("idx/train-images-idx3-ubyte", images);
  sandbox.write("idx/train-labels-idx1-ubyte", labels);
  const QString recipe = sandbox.recipe("recipe.toml", {{"data.path", quoted(sandbox.path("idx"))}, {"train.batch_size", "4"}});
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), named);
}

void TestBadData::cifarFiles_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("bytes");
  QTest::newRow("cifar10 cut short") << "cifar10"
                                     << "data_batch_1.bin" << 5 * 3073 - 7;
  QTest::newRow("cifar10 empty") << "cifar10"
                                 << "data_batch_1.bin" << 0;
  QTest::newRow("cifar100 cut short") << "cifar100"
                                      << "train.bin" << 5 * 3074 - 7;
}

void TestBadData::cifarFiles() {
  QFETCH(QString, format);
  QFETCH(QString, file);
  QFETCH(int, bytes);
  Sandbox sandbox;
  sandbox.write("cifar/" + file, QByteArray(bytes, '\1'));
  const QString recipe =
      sandbox.recipe("recipe.toml", {{"data.format", quoted(format)}, {"data.path", quoted(sandbox.path("cifar"))}, {"train.batch_size", "2"}});
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), file.toUtf8());
}

void TestBadData::brokenPictureIsReplacedAndNamed() {
  Sandbox sandbox;
  pictures(sandbox, "pictures", {"dark", "light"}, 12);
  sandbox.write("pictures/dark/broken.png", "this is not a picture");
  Keys keys = folderKeys(sandbox.path("pictures"));
  keys["data.validation"] = "0.1";
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", keys), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  Watcher watcher(run);
  QByteArray notices;
  for (const auto& event : watcher.events()) {
    if (event.type == "notice") notices += QByteArray::fromStdString(runs::toLine(event)) + "\n";
  }
  QVERIFY2(notices.contains("broken.png"), notices);
  QVERIFY2(ended.err.contains("broken.png"), ended.text());
  for (const auto& [step, loss] : series(run, "step", "loss")) QVERIFY2(std::isfinite(loss), qPrintable(QString::number(step)));
}

void TestBadData::namesInEveryScript() {
  Sandbox sandbox;
  pictures(sandbox, "数据/été ñ", {"gâteau", "花", "x \"y\""}, 8);
  const QString run = sandbox.path("запуск 1");
  Keys keys = folderKeys(sandbox.path("数据/été ñ"));
  keys["run.name"] = "\"été 花\"";
  keys["optimizer.lr"] = "0.01";
  keys["train.epochs"] = "6";
  const Ended train = sandbox.run({"train", sandbox.recipe("réglages.toml", keys), "--run-dir", run, "--json"});
  QVERIFY2(train.code == 0, train.text());
  QCOMPARE(readJson(run + "/classes.json").get<std::vector<std::string>>(), (std::vector<std::string>{"gâteau", "x \"y\"", "花"}));
  const QString picture = sandbox.path("数据/été ñ/花/図 1.png");
  const Ended predict = sandbox.run({"predict", run, picture, "--json"});
  QVERIFY2(predict.code == 0, predict.text());
  QCOMPARE(predict.json().at(0).at("file").get<std::string>(), picture.toStdString());
  QCOMPARE(predict.json().at(0).at("top").at(0).at("class").get<std::string>(), std::string("花"));
  QCOMPARE(sandbox.run({"evaluate", run}).code, 0);
  QCOMPARE(sandbox.run({"runs", "show", run}).code, 0);
  const Ended home = sandbox.run({"train", sandbox.recipe("réglages.toml", keys), "--set", "train.epochs=1"});
  QVERIFY2(home.code == 0, home.text());
  QCOMPARE(QDir(sandbox.runs()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
}

void TestBadData::dataThatWentAway() {
  Sandbox sandbox;
  pictures(sandbox, "pictures", {"dark", "light"}, 8);
  const QString run = sandbox.path("run");
  QCOMPARE(sandbox.run({"train", sandbox.recipe("recipe.toml", folderKeys(sandbox.path("pictures"))), "--run-dir", run}).code, 0);
  QVERIFY(QDir(sandbox.path("pictures")).removeRecursively());
  const Ended ended = sandbox.run({"evaluate", run, "--json"});
  refused(sandbox, ended, "pictures");
}

QTEST_GUILESS_MAIN(TestBadData)
#include "tst_bad_data.moc"
