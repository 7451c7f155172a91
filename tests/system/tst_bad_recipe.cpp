// Wrong recipes: what, where, what to do, exit code 2, and nothing created.
#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestBadRecipe : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void values_data();
  void values();
  void text_data();
  void text();
  void overrides_data();
  void overrides();
  void everyVerbChecks_data();
  void everyVerbChecks();
  void recipeThatIsNotThere();
  void deviceThatIsNotThere();
  void batchLargerThanTheData();
  void smoothedNumbers();
  void foreignWeights();
  void weightsThatAreNone_data();
  void weightsThatAreNone();

 private:
  // The error has all three parts, the exit code and the code's name; nothing was created.
  static void refused(const Sandbox& sandbox, const Ended& ended, int code, const char* name, const QString& where, const QString& said);
};

void TestBadRecipe::refused(const Sandbox& sandbox, const Ended& ended, int code, const char* name, const QString& where, const QString& said) {
  QVERIFY2(ended.code == code, ended.text());
  QVERIFY2(ended.error("code") == name, ended.text());
  QVERIFY2(!ended.error("what").empty() && !ended.error("where").empty(), ended.text());
  QVERIFY2(QString::fromStdString(ended.error("where")).contains(where), ended.text());
  const QString all = QString::fromStdString(ended.error("what") + " " + ended.error("hint"));
  QVERIFY2(all.contains(said, Qt::CaseInsensitive), ended.text());
  QVERIFY2(QDir(sandbox.runs()).isEmpty(), "a run folder was left behind");
}

void TestBadRecipe::values_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("said");  // in what or hint
  QTest::newRow("unknown key, near one") << "train.epoch"
                                         << "3"
                                         << "epochs";
  QTest::newRow("unknown key of a choice") << "optimizer.momentun"
                                           << "0.9"
                                           << "momentun";
  QTest::newRow("key of another choice") << "optimizer.nesterov"
                                         << "true"
                                         << "nesterov";
  QTest::newRow("unknown table") << "trian.epochs"
                                 << "3"
                                 << "train";
  QTest::newRow("wrong type, text") << "train.epochs"
                                    << "\"three\""
                                    << "three";
  QTest::newRow("wrong type, fraction") << "train.batch_size"
                                        << "2.5"
                                        << "2.5";
  QTest::newRow("wrong type, list") << "train.epochs"
                                    << "[3]"
                                    << "whole number";
  QTest::newRow("below the range") << "train.batch_size"
                                   << "0"
                                   << "1";
  QTest::newRow("above the range") << "train.label_smoothing"
                                   << "1.5"
                                   << "0.999";
  QTest::newRow("not above zero") << "optimizer.lr"
                                  << "0.0"
                                  << "0";
  QTest::newRow("not a number") << "optimizer.lr"
                                << "nan"
                                << "number";
  QTest::newRow("unknown architecture, near one") << "model.arch"
                                                  << "\"smalcnn\""
                                                  << "smallcnn";
  QTest::newRow("unknown optimizer") << "optimizer.type"
                                     << "\"adamv\""
                                     << "adam";
  QTest::newRow("unknown format") << "data.format"
                                  << "\"idz\""
                                  << "idx";
  QTest::newRow("share of validation too large") << "data.validation"
                                                 << "1.5"
                                                 << "0.9";
  QTest::newRow("not a device") << "parallel.devices"
                                << "[\"gpu\"]"
                                << "cuda:0";
  QTest::newRow("missing path") << "data.path"
                                << ""
                                << "path";
  QTest::newRow("missing architecture") << "model.arch"
                                        << ""
                                        << "arch";
}

void TestBadRecipe::values() {
  QFETCH(QString, key);
  QFETCH(QString, value);
  QFETCH(QString, said);
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{key, value}});
  const bool whole_table = key == "trian.epochs";
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), 2, "recipe", whole_table ? "trian" : key, said);
}

void TestBadRecipe::text_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("where");
  QTest::addColumn<QString>("said");
  QTest::newRow("no TOML") << QByteArray("[run]\nname = \"a\"\nseed = = 3\n") << "recipe.toml:3:"
                           << "";
  QTest::newRow("text without its end") << QByteArray("[run]\nname = \"a\n") << "recipe.toml:2:"
                                        << "";
  QTest::newRow("duplicate key") << QByteArray("[run]\nname = \"a\"\n\n[train]\nepochs = 3\nepochs = 4\n") << "recipe.toml:6"
                                 << "epochs";
  QTest::newRow("duplicate table") << QByteArray("[run]\nname = \"a\"\n[train]\nepochs = 3\n[train]\nlog_every = 1\n") << "recipe.toml:5"
                                   << "train";
  QTest::newRow("not UTF-8") << QByteArray("[run]\nname = \"\xff\xfe\"\n") << "recipe.toml:2"
                             << "";
  QTest::newRow("empty") << QByteArray("") << "recipe.toml"
                         << "";
  QTest::newRow("a table that is a value") << QByteArray("run = 3\n") << "recipe.toml:1"
                                           << "run";
}

void TestBadRecipe::text() {
  QFETCH(QByteArray, text);
  QFETCH(QString, where);
  QFETCH(QString, said);
  Sandbox sandbox;
  const QString recipe = sandbox.write("recipe.toml", text);
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), 2, "recipe", where, said);
}

void TestBadRecipe::overrides_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QByteArray>("said");
  QTest::newRow("no value") << "train.epochs" << QByteArray("train.epochs");
  QTest::newRow("not a number") << "train.epochs=abc" << QByteArray("abc");
  QTest::newRow("unknown key") << "train.epoch=3" << QByteArray("epochs");
  QTest::newRow("no table") << "epochs=3" << QByteArray("epochs");
}

void TestBadRecipe::overrides() {
  QFETCH(QString, assignment);
  QFETCH(QByteArray, said);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml"), "--json", "--set", assignment});
  QVERIFY2(ended.code == 2 && ended.out.contains(said), ended.text());
  QVERIFY(!ended.error("what").empty());
  QVERIFY(QDir(sandbox.runs()).isEmpty());
}

void TestBadRecipe::everyVerbChecks_data() {
  QTest::addColumn<QString>("verb");
  QTest::newRow("train") << "train";
  QTest::newRow("schedule") << "schedule";
}

void TestBadRecipe::everyVerbChecks() {
  QFETCH(QString, verb);
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{"train.epoch", "3"}});
  const Ended plain = sandbox.run({verb, recipe});
  QVERIFY2(plain.code == 2 && plain.out.isEmpty(), plain.text());
  QVERIFY2(plain.err.contains("recipe.toml:") && plain.err.contains("epochs"), plain.text());
  QVERIFY2(plain.err.count('\n') <= 3, plain.text());  // a message, not a dump
}

void TestBadRecipe::recipeThatIsNotThere() {
  Sandbox sandbox;
  refused(sandbox, sandbox.run({"train", sandbox.path("absent.toml"), "--json"}), 2, "recipe", "absent.toml", "recipe");
  refused(sandbox, sandbox.run({"train", sandbox.path("."), "--json"}), 2, "recipe", "", "folder");
}

void TestBadRecipe::deviceThatIsNotThere() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{"parallel.devices", "[\"cuda:63\"]"}});
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), 5, "device", "parallel.devices", "cuda:63");
}

void TestBadRecipe::batchLargerThanTheData() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", {{"train.batch_size", "2000"}}), "--json"});
  refused(sandbox, ended, 2, "recipe", "train.batch_size", "1438");
  QVERIFY2(ended.error("what").find("2000") != std::string::npos, ended.text());
}

void TestBadRecipe::smoothedNumbers() {
  Sandbox sandbox;
  QByteArray rows = "size,weight\n";
  for (int i = 0; i < 40; ++i) rows += QByteArray::number(i) + "," + QByteArray::number(2.5 * i) + "\n";
  const QString file = sandbox.write("table.csv", rows);
  const QString recipe = sandbox.write("recipe.toml", "[run]\nname = \"numbers\"\n[data]\nformat = \"table\"\npath = \"" + file.toUtf8() + "\"\ntarget = \"weight\"\n[model]\narch = \"mlp\"\n[train]\nbatch_size = 8\nlabel_smoothing = 0.1\n");
  refused(sandbox, sandbox.run({"train", recipe, "--json"}), 2, "recipe", "train.label_smoothing", "label smoothing belongs to cross-entropy; the loss here is \"mse\"");
}

void TestBadRecipe::foreignWeights() {
  Sandbox sandbox;
  const QString grey = sandbox.path("grey");
  QCOMPARE(sandbox.run({"train", sandbox.recipe("grey.toml", {{"model.arch", "\"smallcnn\""}, {"train.epochs", "1"}}), "--run-dir", grey}).code, 0);
  const QString weights = newestCheckpoint(grey) + "/model.safetensors";
  const Keys shapes = {{"model.arch", "\"smallcnn\""}, {"data.channels", "\"rgb\""}, {"model.weights", quoted(weights)}};
  const Ended colour = sandbox.run({"train", sandbox.recipe("colour.toml", shapes), "--json"});
  refused(sandbox, colour, 2, "recipe", "model.safetensors", "pictures of 1 channels, and the recipe's have 3");
  const Ended names = sandbox.run({"train", sandbox.recipe("names.toml", {{"model.weights", quoted(weights)}}), "--json"});
  refused(sandbox, names, 3, "data", "model.safetensors", "weight");
  const Keys fits = {{"model.arch", "\"smallcnn\""}, {"model.weights", quoted(weights)}, {"train.epochs", "1"}};
  const Ended warm = sandbox.run({"train", sandbox.recipe("fits.toml", fits), "--run-dir", sandbox.path("warm")});
  QVERIFY2(warm.code == 0, warm.text());
  QVERIFY(series(sandbox.path("warm"), "step", "loss").at(1) < 0.8 * series(grey, "step", "loss").at(1));
}

void TestBadRecipe::weightsThatAreNone_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("text") << QByteArray("weights\n");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("header beyond the file") << QByteArray("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10);
  QTest::newRow("pickle") << QByteArray("\x80\x02}q\x00.");
}

void TestBadRecipe::weightsThatAreNone() {
  QFETCH(QByteArray, bytes);
  Sandbox sandbox;
  const QString weights = sandbox.write("weights.safetensors", bytes);
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", {{"model.weights", quoted(weights)}}), "--json"});
  refused(sandbox, ended, 3, "data", "weights.safetensors", "");
}

QTEST_GUILESS_MAIN(TestBadRecipe)
#include "tst_bad_recipe.moc"
