// `trainyard data` as people and scripts meet it.
#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QTest>
#include <csignal>
#include <opencv2/core/mat.hpp>

#include "core/data/image_decode.h"
#include "tests/system/cli_runner.h"

using namespace trainyard;
using namespace trainyard::system;

class TestDataCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void scanAsJson();
  void scanForPeople();
  void scanOfARecipe();
  void whatCannotBeRead_data();
  void whatCannotBeRead();
  void interruptedAndContinued();
  void previewIsWhatTrainingGets();
  void previewOfChosenSamples();
  void previewRefuses();

 private:
  // `count` pictures of 40×48 in each of the classes.
  static void pictures(Sandbox& sandbox, const QStringList& classes, int count);
  static QString photoRecipe(Sandbox& sandbox, const Keys& keys = {});
};

namespace {

QByteArray picture(int kind, int number) {
  cv::Mat pixels(40, 48, CV_8UC3);
  for (int y = 0; y < pixels.rows; ++y) {
    for (int x = 0; x < pixels.cols; ++x) {
      const int wave = (x * (number % 5 + 1) + y * (number / 5 + 1)) * 4;
      pixels.at<cv::Vec3b>(y, x) = {static_cast<uchar>(wave), static_cast<uchar>(80 * kind), static_cast<uchar>(number * 9)};
    }
  }
  return QByteArray::fromStdString(*data::encodePng(pixels));
}

const Json* findingOf(const Json& report, const char* code) {
  for (const auto& finding : report.at("findings")) {
    if (finding.at("code") == code) return &finding;
  }
  return nullptr;
}

}  // namespace

void TestDataCli::pictures(Sandbox& sandbox, const QStringList& classes, int count) {
  for (int kind = 0; kind < classes.size(); ++kind) {
    for (int i = 0; i < count; ++i) sandbox.write("pictures/" + classes[kind] + QString("/図 %1.png").arg(i), picture(kind, i));
  }
}

QString TestDataCli::photoRecipe(Sandbox& sandbox, const Keys& keys) {
  Keys all = {{"data.format", "\"image-folder\""}, {"data.path", quoted(sandbox.path("pictures"))}, {"data.size", "32"}, {"train.batch_size", "4"}};
  for (auto key = keys.begin(); key != keys.end(); ++key) all[key.key()] = key.value();
  return sandbox.recipe("recipe.toml", all,
                        "[[augment]]\nop = \"random_crop\"\nsize = 32\n[[augment]]\nop = \"random_horizontal_flip\"\n"
                        "[[augment]]\nop = \"normalize\"\nmean = [0.5, 0.4, 0.3]\nstd = [0.2, 0.25, 0.3]\n");
}

void TestDataCli::scanAsJson() {
  Sandbox sandbox;
  pictures(sandbox, {"été", "花"}, 12);
  sandbox.write("pictures/花/nothing.png", "");
  sandbox.write("pictures/花/cut.png", picture(1, 3).chopped(30));
  sandbox.write("pictures/花/copy.png", picture(1, 3));
  const Ended ended = sandbox.run({"data", "scan", "pictures", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json report = ended.json();
  QVERIFY2(report.is_object(), ended.text());
  QVERIFY(report.at("format") == "image-folder" && report.at("samples") == 27 && report.at("unreadable") == 2);
  QVERIFY(report.at("classes") == Json::parse(R"([{"name": "été", "index": 0, "samples": 12}, {"name": "花", "index": 1, "samples": 15}])"));
  QVERIFY2(findingOf(report, "empty") && findingOf(report, "empty")->at("file") == "花/nothing.png", ended.text());
  QVERIFY2(findingOf(report, "truncated") && findingOf(report, "truncated")->at("file") == "花/cut.png", ended.text());
  QVERIFY2(findingOf(report, "duplicate") || findingOf(report, "leak"), ended.text());
  QVERIFY(findingOf(report, "empty")->at("severity") == "bad");
  const Json second = sandbox.run({"data", "scan", "pictures", "--json"}).json();
  QVERIFY(second.at("from_cache").get<int>() >= 26);
  QVERIFY(second.at("findings") == report.at("findings"));
  QVERIFY(sandbox.run({"data", "scan", "pictures", "--json", "--no-cache"}).json().at("from_cache") == 0);
}

void TestDataCli::scanForPeople() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 12);
  for (int i = 0; i < 8; ++i) sandbox.write(QString("pictures/b/empty %1.png").arg(i), "");
  Ended ended = sandbox.run({"data", "scan", "pictures"});
  QVERIFY2(ended.code == 0, ended.text());
  for (const char* part : {"Pictures", "32, 24 of them readable", "Classes: 2", "empty 4.png", "… and 3 more"})
    QVERIFY2(ended.out.contains(part), ended.text());
  QVERIFY2(!ended.out.contains("empty 5.png") && !ended.out.contains('\x1b') && !ended.err.contains('\x1b'), ended.text());
  ended = sandbox.run({"data", "scan", "pictures", "--all"});
  QVERIFY2(ended.code == 0 && ended.out.contains("empty 7.png"), ended.text());
}

void TestDataCli::scanOfARecipe() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 12);
  const QString recipe = photoRecipe(sandbox, {{"data.validation", "0.25"}});
  const Ended ended = sandbox.run({"data", "scan", recipe, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.json().at("parts").at("validation") == 6, ended.text());
  const Ended digits = sandbox.run({"data", "scan", digitsFolder(), "--json"});
  QVERIFY2(digits.code == 0, digits.text());
  QVERIFY(digits.json().at("format") == "idx" && digits.json().at("samples") == 1797 && digits.json().at("classes").size() == 10);
}

void TestDataCli::whatCannotBeRead_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::newRow("missing folder") << QStringList{"nowhere"} << 3;
  QTest::newRow("missing recipe") << QStringList{"nowhere.toml"} << 2;
  QTest::newRow("empty folder") << QStringList{"empty"} << 3;
  QTest::newRow("unknown format") << QStringList{"empty", "--format", "image-foldr"} << 2;
  QTest::newRow("no path") << QStringList{} << 2;
}

void TestDataCli::whatCannotBeRead() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  Sandbox sandbox;
  QDir().mkpath(sandbox.path("empty"));
  const Ended ended = sandbox.run(QStringList{"data", "scan"} + words + QStringList{"--json"});
  QVERIFY2(ended.code == code, ended.text());
  QVERIFY2(!ended.error("what").empty(), ended.text());
}

// Large pictures, so that there is time to stop it.
void TestDataCli::interruptedAndContinued() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 2);
  cv::Mat large(1500, 2000, CV_8UC3);
  for (int i = 0; i < 60; ++i) {
    large.setTo(cv::Scalar(i, i, i));
    large(cv::Rect(i, 0, 800, 700)).setTo(cv::Scalar(200, i, 0));
    sandbox.write(QString("pictures/a/large %1.png").arg(i), QByteArray::fromStdString(*data::encodePng(large)));
  }
  auto program = sandbox.start({"data", "scan", "pictures", "--json"});
  const QDir threads(QString("/proc/%1/task").arg(program->pid()));
  QVERIFY(waitUntil([&] { return threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() > 1 || !program->running(); }));
  QElapsedTimer timer;
  timer.start();
  program->signal(SIGINT);
  const Ended stopped = program->wait(20000);
  const bool quick = timer.elapsed() < 1000;
  if (stopped.code == 0) QSKIP("the scan was quicker than the interruption");
  QVERIFY2(stopped.code == 130, stopped.text());
  QVERIFY2(quick, stopped.text());
  const Ended continued = sandbox.run({"data", "scan", "pictures", "--json"});
  QVERIFY2(continued.code == 0, continued.text());
  QVERIFY2(continued.json().at("from_cache") < 64, continued.text());
}

void TestDataCli::previewIsWhatTrainingGets() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 12);
  const QString recipe = photoRecipe(sandbox);
  const Ended ended = sandbox.run({"data", "preview", recipe, "--out", "seen", "--samples", "3", "--epoch", "2", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json seen = ended.json();
  QVERIFY(seen.at("shape") == Json::parse(R"({"height": 32, "width": 32, "channels": 3})"));
  QVERIFY(seen.at("samples").size() == 3);
  for (const auto& sample : seen.at("samples")) {
    const QImage shown(sandbox.path(QString::fromStdString(sample.at("file").get<std::string>())));
    const QImage original(sandbox.path(QString::fromStdString(sample.at("original").get<std::string>())));
    QCOMPARE(shown.size(), QSize(32, 32));
    QCOMPARE(original.size(), QSize(48, 40));
    // A window of the original, perhaps mirrored.
    bool found = false;
    for (int y = 0; y <= 8 && !found; ++y) {
      for (int x = 0; x <= 16 && !found; ++x) {
        const QImage window = original.copy(x, y, 32, 32);
        found = window == shown || window.mirrored(true, false) == shown;
      }
    }
    QVERIFY2(found, ended.text());
  }
  const QString name = QString("seen/sample-%1-epoch-2.png").arg(seen.at("samples").at(0).at("index").get<int>());
  QVERIFY2(QFile::exists(sandbox.path(name)), qPrintable(name));
  const QImage before(sandbox.path(name));
  QCOMPARE(sandbox.run({"data", "preview", recipe, "--out", "seen", "--samples", "3", "--epoch", "2"}).code, 0);
  QCOMPARE(QImage(sandbox.path(name)), before);
}

void TestDataCli::previewOfChosenSamples() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 12);
  const QString recipe = photoRecipe(sandbox);
  const Ended ended = sandbox.run({"data", "preview", recipe, "--out", "seen", "--index", "3", "--index", "20", "--evaluation", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json seen = ended.json();
  QVERIFY(seen.at("samples").size() == 2 && seen.at("samples").at(1).at("class") == "b" && seen.at("samples").at(1).at("index") == 20);
  const QImage shown(sandbox.path("seen/sample-3-epoch-0.png")), original(sandbox.path("seen/sample-3-original.png"));
  QVERIFY(original.copy(8, 4, 32, 32) == shown);
  const Ended plain = sandbox.run({"data", "preview", recipe, "--out", "seen"});
  QVERIFY2(plain.code == 0 && plain.out.count(".png") >= 8, plain.text());
}

void TestDataCli::previewRefuses() {
  Sandbox sandbox;
  pictures(sandbox, {"a", "b"}, 12);
  const QString recipe = photoRecipe(sandbox);
  QCOMPARE(sandbox.run({"data", "preview", recipe}).code, 2);
  const Ended beyond = sandbox.run({"data", "preview", recipe, "--out", "seen", "--index", "24", "--json"});
  QVERIFY2(beyond.code == 2 && beyond.error("what").find("24") != std::string::npos, beyond.text());
  QVERIFY(!QDir(sandbox.path("seen")).exists());
  const Ended wrong = sandbox.run({"data", "preview", recipe, "--out", "seen", "--set", "data.size=30", "--json"});
  QVERIFY2(wrong.code == 2 && wrong.error("code") == "recipe", wrong.text());
}

QTEST_GUILESS_MAIN(TestDataCli)
#include "tst_data_cli.moc"
