// Data as people have it, from the outside: what is wrong with it is named before the first step, and what is left is trained on.
#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>
#include <opencv2/core/mat.hpp>
#include <tuple>

#include "core/data/image_decode.h"
#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestData : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void brokenFilesAreNamedAndLeftOut();
  void turnedPicturesTrainAndPredictAlike();
  void emptyClass();
  void classesOfValidationKeepTheirIndex();
  void filesLeftOutByTheRecipe();
  void aMixOfKindsHasTheChannelsAskedFor();
  void weightsCarryTheClassNames();
  void changedDataIsSaidOnResuming();
  void severalLabelsAPicture();
  void numbersOfATable();
  void badRowsOfATable();
  void theTestPartIsSetAside();
  void mixedBatchesDoNotDependOnPasses();

 private:
  static std::string text(const runs::Event& event, const char* key) { return event.fields.value(key, std::string()); }
  static QByteArray golden(const QString& name) { return readBytes(QString(TEST_DATA_DIR "/../golden/pictures/") + name); }
  // `count` pictures in each of the folders; the folder decides the brightness.
  static void pictures(Sandbox& sandbox, const QStringList& folders, int count);
  static Keys keys(const QString& folder);
  static std::vector<int> perClass(const QString& run) { return readJson(run + "/plan.json").at("validation_per_class").get<std::vector<int>>(); }
  static int samples(const QString& run) {
    const Json counts = readJson(run + "/plan.json").at("samples");
    return counts.at("train").get<int>() + counts.at("validation").get<int>() + counts.at("test").get<int>();
  }
};

void TestData::pictures(Sandbox& sandbox, const QStringList& folders, int count) {
  for (int kind = 0; kind < folders.size(); ++kind) {
    for (int i = 0; i < count; ++i) {
      const auto png = data::encodePng(cv::Mat(12, 12, CV_8UC3, cv::Scalar(20 + 70 * kind, i, 200 - 60 * kind)));
      QVERIFY(png);
      sandbox.write(QString("%1/%2.png").arg(folders[kind]).arg(i), QByteArray::fromStdString(*png));
    }
  }
}

Keys TestData::keys(const QString& folder) {
  return {{"data.format", "\"image-folder\""}, {"data.path", quoted(folder)}, {"data.size", "12"}, {"train.batch_size", "4"}, {"data.channels", "\"rgb\""}};
}

void TestData::brokenFilesAreNamedAndLeftOut() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/dark", "pictures/light"}, 12);
  const QByteArray photo = golden("photo.jpg");
  sandbox.write("pictures/dark/cut.jpg", photo.left(photo.size() / 2));
  sandbox.write("pictures/light/nothing.jpg", "");
  sandbox.write("pictures/light/more.jpg", photo + "what some phones write behind the end");
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", keys(sandbox.path("pictures"))), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.err.contains("cut.jpg"), ended.text());
  QCOMPARE(samples(run), 25);
  std::vector<std::string> left_out;
  const Json record = readJson(run + "/data.json");
  for (const auto& entry : record.at("left_out")) left_out.push_back(entry.at("file").get<std::string>());
  QCOMPARE(left_out, (std::vector<std::string>{"dark/cut.jpg", "light/nothing.jpg"}));
  Watcher watcher(run);
  bool stepped = false, told = false;
  for (const auto& event : watcher.events()) {
    stepped |= event.type == "step";
    if (event.type != "notice" || text(event, "code") != "left_out") continue;
    QVERIFY2(!stepped, "it was said after the first step");
    told = true;
  }
  QVERIFY(told);
}

void TestData::turnedPicturesTrainAndPredictAlike() {
  Sandbox sandbox;
  for (const QString& folder : {QString("upright"), QString("turned")}) {
    pictures(sandbox, {folder + "/dark", folder + "/light"}, 5);
    sandbox.write(folder + "/light/photo.png", golden(folder == "turned" ? "turned6.png" : "turned1.png"));
  }
  QByteArray trained[2];
  Json predicted[2];
  for (int i = 0; i < 2; ++i) {
    const QString folder = i == 0 ? "upright" : "turned", run = sandbox.path(folder + " run");
    const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", keys(sandbox.path(folder))), "--run-dir", run, "--json"});
    QVERIFY2(ended.code == 0, ended.text());
    trained[i] = weights(run);
    const Ended answer = sandbox.run({"predict", sandbox.path("upright run"), sandbox.path(folder + "/light/photo.png"), "--json"});
    QVERIFY2(answer.code == 0, answer.text());
    predicted[i] = answer.json().at(0).at("top");
  }
  QVERIFY(!trained[0].isEmpty());
  QVERIFY(trained[0] == trained[1]);
  QVERIFY(predicted[0] == predicted[1]);
}

void TestData::emptyClass() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b", "pictures/d"}, 6);
  sandbox.write("pictures/c/notes.txt", "no pictures yet");
  const QString recipe = sandbox.recipe("recipe.toml", keys(sandbox.path("pictures")));
  const Ended refused = sandbox.run({"train", recipe, "--json"});
  QVERIFY2(refused.code == 3 && QByteArray::fromStdString(refused.error("where")).endsWith("/c"), refused.text());
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", recipe, "--run-dir", run, "--set", "data.exclude_classes=[\"c\"]", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(readJson(run + "/classes.json") == Json({"a", "b", "d"}));
  QCOMPARE(readJson(run + "/plan.json").at("classes").get<int>(), 3);
  const Ended evaluated = sandbox.run({"evaluate", run, "--json"});
  QCOMPARE(evaluated.json().at("confusion").size(), size_t{3});
}

void TestData::classesOfValidationKeepTheirIndex() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/train/a", "pictures/train/b", "pictures/train/c"}, 6);
  pictures(sandbox, {"pictures/val/a", "pictures/val/c"}, 3);
  const QString run = sandbox.path("run");
  Keys all = keys(sandbox.path("pictures"));
  all["data.validation"] = "\"auto\"";
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(readJson(run + "/classes.json") == Json({"a", "b", "c"}));
  QCOMPARE(perClass(run), (std::vector<int>{3, 0, 3}));
}

void TestData::filesLeftOutByTheRecipe() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b"}, 8);
  const QString run = sandbox.path("run");
  const Ended ended =
      sandbox.run({"train", sandbox.recipe("recipe.toml", keys(sandbox.path("pictures"))), "--run-dir", run, "--set", "data.exclude=[\"a/3.png\", \"b/0.png\"]", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(samples(run), 14);
  QVERIFY(QFile::exists(sandbox.path("pictures/a/3.png")));
}

void TestData::aMixOfKindsHasTheChannelsAskedFor() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b"}, 4);
  for (const char* name : {"bits.png", "grey.png", "rgba.png", "grey16.png", "palette_alpha.png", "cmyk.jpg", "rgb.webp"}) sandbox.write(QString("pictures/a/") + name, golden(name));
  for (const auto& [channels, expected] : {std::pair("\"rgb\"", 3), std::pair("\"grey\"", 1), std::pair("\"auto\"", 3)}) {
    Keys all = keys(sandbox.path("pictures"));
    all["data.channels"] = channels;
    const QString run = sandbox.path(QString("run ") + QString(channels).remove('"'));
    const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run, "--json"});
    QVERIFY2(ended.code == 0, ended.text());
    QCOMPARE(readJson(run + "/plan.json").at("input").at(0).get<int>(), expected);
    QVERIFY(readJson(run + "/data.json").at("left_out").empty());
  }
}

void TestData::weightsCarryTheClassNames() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/10", "pictures/9"}, 6);
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", keys(sandbox.path("pictures"))), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const QByteArray file = weights(run);
  QVERIFY(file.size() > 8);
  const QByteArray header = file.mid(8, static_cast<unsigned char>(file[0]) + 256 * static_cast<unsigned char>(file[1]));
  const Json metadata = Json::parse(header.toStdString(), nullptr, false).at("__metadata__");
  QCOMPARE(metadata.at("arch").get<std::string>(), std::string("mlp"));
  QCOMPARE(metadata.at("classes").get<std::string>(), compactJson(Json({"10", "9"})));  // by name, as torchvision
}

void TestData::changedDataIsSaidOnResuming() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b"}, 8);
  const QString run = sandbox.path("run"), recipe = sandbox.recipe("recipe.toml", keys(sandbox.path("pictures")));
  auto training = sandbox.start({"train", recipe, "--run-dir", run, "--set", "train.epochs=1000000"});
  Watcher watcher(run);
  QVERIFY(watcher.waitForStep(10));
  QVERIFY(send(run, {{"command", "stop"}}).is_object());
  QCOMPARE(training->wait().code, 0);
  QVERIFY(QFile::remove(sandbox.path("pictures/a/0.png")));
  training = sandbox.start({"resume", run});
  QVERIFY(watcher.waitForCount("resumed", 1));
  QVERIFY(send(run, {{"command", "stop"}}).is_object());
  QCOMPARE(training->wait().code, 0);
  bool said = false;
  for (const auto& event : watcher.events()) said |= event.type == "notice" && text(event, "code") == "data_changed" && text(event, "text").find("15") != std::string::npos;
  QVERIFY(said);
}

void TestData::severalLabelsAPicture() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b"}, 12);
  QByteArray csv = "file,tags\n";
  for (int i = 0; i < 12; ++i) csv += QString("pictures/a/%1.png,dark|all\npictures/b/%1.png,all\n").arg(i).toUtf8();
  Keys all = keys(sandbox.write("labels.csv", csv));
  all["data.format"] = "\"image-csv\"";
  all["data.separator"] = "\"|\"";
  all["train.epochs"] = "30";
  all["optimizer.lr"] = "0.01";
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(readJson(run + "/classes.json") == Json({"all", "dark"}));
  const Json metrics = ended.json().at("last").at("metrics");
  QVERIFY2(metrics.at("accuracy").get<double>() == 1 && metrics.at("exact_match").get<double>() == 1, ended.text());
  const Ended answer = sandbox.run({"predict", run, sandbox.path("pictures/b/3.png"), "--json"});
  QVERIFY2(answer.code == 0, answer.text());
  const Json answers = answer.json();
  for (const auto& guess : answers.at(0).at("top")) QCOMPARE(guess.at("probability").get<double>() > 0.5, guess.at("class") == "all");
  const QString table = sandbox.path("predictions.csv");
  const Ended evaluated = sandbox.run({"evaluate", run, "--predictions", table, "--json"});
  QVERIFY2(evaluated.code == 0, evaluated.text());
  const Json result = evaluated.json();
  QCOMPARE(result.at("metrics").at("f1_macro").get<double>(), 1.0);
  QVERIFY(result.at("per_class").at(1).at("class") == "dark");
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray lines = file.readAll();
  QVERIFY2(lines.startsWith("file,target,class 1,probability 1,class 2,probability 2,loss\n"), lines.constData());
  QCOMPARE(lines.count('\n'), result.at("samples").get<qsizetype>() + 1);
  QVERIFY(lines.contains(",all;dark,"));
}

void TestData::numbersOfATable() {
  Sandbox sandbox;
  QByteArray csv = "area,town,price\n";
  for (int i = 0; i < 200; ++i) csv += QString("%1,%2,%3\n").arg(i % 40).arg(i % 3 ? "Ulm" : "Bonn").arg(0.05 * (i % 40) + (i % 3 ? 0.5 : 0)).toUtf8();
  Keys all{{"data.format", "\"table\""}, {"data.path", quoted(sandbox.write("houses.csv", csv))}, {"train.epochs", "60"}, {"train.batch_size", "20"}, {"optimizer.lr", "0.01"}};
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(ended.json().at("best").at("metric").get<std::string>(), std::string("loss"));
  QVERIFY2(ended.json().at("last").at("metrics").at("rmse").get<double>() < 0.1, ended.text());
  QVERIFY(readJson(run + "/data.json").contains("encoder"));
  const Ended evaluated = sandbox.run({"evaluate", run, "--json"});
  QVERIFY2(evaluated.code == 0 && evaluated.json().at("metrics").contains("mae"), evaluated.text());
  QVERIFY2(evaluated.json().at("metrics").at("r2").get<double>() > 0.9, evaluated.text());
  const Ended refused = sandbox.run({"train", sandbox.recipe("cnn.toml", all), "--set", "model.arch=\"smallcnn\"", "--json"});
  QVERIFY2(refused.code == 2 && refused.error("where") == "model.arch", refused.text());
}

void TestData::badRowsOfATable() {
  Sandbox sandbox;
  QByteArray csv = "a,b,kind\n";
  for (int i = 0; i < 60; ++i) csv += QString("%1,%2,%3\n").arg(i).arg(i * 2).arg(i % 2).toUtf8();
  QByteArray text = csv, label = csv;
  text.replace("\n7,14,", "\n7,much,");
  label.replace("\n9,18,1", "\n9,18,2");
  Keys all{{"data.format", "\"table\""}, {"data.classes", "2"}, {"train.batch_size", "10"}};
  for (const auto& [name, bytes, line] : {std::tuple("text.csv", text, "text.csv:9"), std::tuple("label.csv", label, "label.csv:11")}) {
    all["data.path"] = quoted(sandbox.write(name, bytes));
    const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--json"});
    QVERIFY2(ended.code == 3 && QString::fromStdString(ended.error("where")).contains(line), ended.text());
    QVERIFY(QDir(sandbox.runs()).isEmpty());
  }
}

void TestData::theTestPartIsSetAside() {
  Sandbox sandbox;
  sandbox.environment().insert("XDG_DATA_HOME", sandbox.path("home"));
  pictures(sandbox, {"pictures/a", "pictures/b"}, 20);
  Keys all = keys(sandbox.path("pictures"));
  all["data.test"] = "0.2";
  const QString recipe = sandbox.recipe("recipe.toml", all), run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", recipe, "--run-dir", run, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QCOMPARE(readJson(run + "/plan.json").at("samples").at("test").get<int>(), 8);
  QCOMPARE(samples(run), 40);
  const Ended first = sandbox.run({"evaluate", run, "--test", "--json"});
  QVERIFY2(first.code == 0, first.text());
  QCOMPARE(first.json().at("samples").get<int>(), 8);
  QCOMPARE(first.json().at("test_openings").get<int>(), 1);
  const QString second_run = sandbox.path("second run");
  QVERIFY(sandbox.run({"train", recipe, "--run-dir", second_run, "--set", "run.seed=99"}).code == 0);
  const Ended second = sandbox.run({"evaluate", second_run, "--test", "--json"});
  QCOMPARE(second.json().at("test_openings").get<int>(), 2);
  QCOMPARE(second.json().at("samples").get<int>(), 8);
}

void TestData::mixedBatchesDoNotDependOnPasses() {
  Sandbox sandbox;
  pictures(sandbox, {"pictures/a", "pictures/b"}, 20);
  double losses[2] = {};
  for (int i = 0; i < 2; ++i) {
    Keys all = keys(sandbox.path("pictures"));
    all["train.batch_size"] = "12";
    all["train.accumulate"] = i == 0 ? "1" : "4";
    all["train.epochs"] = "1";
    const QString run = sandbox.path(QString("run %1").arg(i));
    const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all, "[[augment]]\nop = \"mixup\"\n[[augment]]\nop = \"cutmix\"\n"), "--run-dir", run, "--json"});
    QVERIFY2(ended.code == 0, ended.text());
    const auto logged = series(run, "step", "loss");
    losses[i] = logged.begin()->second;
  }
  QVERIFY(losses[0] > 0);
  QVERIFY(std::abs(losses[0] - losses[1]) < 1e-6);
}

QTEST_GUILESS_MAIN(TestData)
#include "tst_data.moc"
