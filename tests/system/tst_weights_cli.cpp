// Starting from weights: what is taken over to the bit, what is made anew, what stays as it is, and which files are refused.
#include <QDir>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"
#include "tests/system/tensor_file.h"

using namespace trainyard;
using namespace trainyard::system;

class TestWeightsCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void startsFromAFile_data();
  void startsFromAFile();
  void keepsWhatIsFrozen_data();
  void keepsWhatIsFrozen();
  void headForOtherClassesIsMadeAnew();
  void tensorsThatDoNotFitAreNamed_data();
  void tensorsThatDoNotFitAreNamed();
  void hostileAndDamagedFiles_data();
  void hostileAndDamagedFiles();

 private:
  static QString fixture(const QString& name) { return QString(TEST_DATA_DIR) + "/../golden/weights/" + name; }
  // What the fixtures mlp*.pt hold: (2 · (place mod 16) − 15) / 64.
  static StoredTensor byPlace(const std::vector<int64_t>& shape);
  static StoredTensors start() { return {{"1.weight", byPlace({8, 64})}, {"1.bias", byPlace({8})}, {"3.weight", byPlace({10, 8})}, {"3.bias", byPlace({10})}}; }
  static Keys keys(const QString& weights) { return {{"model.hidden", "[8]"}, {"model.weights", quoted(weights)}, {"train.epochs", "1"}}; }
  static StoredTensors trained(const QString& run) { return readTensors(newestCheckpoint(run) + "/model.safetensors"); }
};

StoredTensor TestWeightsCli::byPlace(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(i % 16 * 2 - 15) / 64);
  return {"F32", shape, QByteArray(reinterpret_cast<const char*>(numbers.data()), qsizetype(4 * numbers.size()))};
}

void TestWeightsCli::startsFromAFile_data() {
  QTest::addColumn<QString>("file");
  QTest::newRow("pt") << fixture("mlp.pt");
  QTest::newRow("pt of before 1.6") << fixture("mlp_old.pt");
  QTest::newRow("safetensors, beside the recipe") << "start.safetensors";
}

// With a rate too small to change any number.
void TestWeightsCli::startsFromAFile() {
  QFETCH(QString, file);
  Sandbox sandbox;
  sandbox.write("start.safetensors", tensorFile(start()));
  Keys all = keys(file);
  all["optimizer.type"] = "\"sgd\"";
  all["optimizer.lr"] = "1e-30";
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY(trained(run) == start());
}

void TestWeightsCli::keepsWhatIsFrozen_data() {
  QTest::addColumn<QString>("freeze");
  QTest::addColumn<QByteArray>("rule");
  QTest::addColumn<QStringList>("kept");
  QTest::newRow("a layer") << "[\"1.*\"]" << QByteArray() << QStringList{"1.weight", "1.bias"};
  QTest::newRow("two patterns") << "[\"*.bias\", \"3.weight\"]" << QByteArray() << QStringList{"1.bias", "3.bias", "3.weight"};
  QTest::newRow("by a rule") << "" << QByteArray("[[parameters]]\nmatch = \"1.*\"\nfrozen = true\n") << QStringList{"1.weight", "1.bias"};
}

// The optimizer is one that also decays weights, and none of it reaches what is frozen.
void TestWeightsCli::keepsWhatIsFrozen() {
  QFETCH(QString, freeze);
  QFETCH(QByteArray, rule);
  QFETCH(QStringList, kept);
  Sandbox sandbox;
  Keys all = keys(fixture("mlp.pt"));
  all["model.freeze"] = freeze;
  all["optimizer.weight_decay"] = "0.1";
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all, rule), "--run-dir", run, "--set", "train.epochs=2"});
  QVERIFY2(ended.code == 0, ended.text());
  const StoredTensors before = start(), after = trained(run);
  QCOMPARE(after.size(), before.size());
  for (const auto& [name, tensor] : before) {
    QVERIFY2((after.at(name) == tensor) == kept.contains(QString::fromStdString(name)), name.c_str());
    QCOMPARE(after.at(name).shape, tensor.shape);
  }
}

void TestWeightsCli::headForOtherClassesIsMadeAnew() {
  Sandbox sandbox;
  Keys all = keys(fixture("mlp_seven.pt"));
  all["model.freeze"] = "[\"1.*\"]";
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", all), "--run-dir", run});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.err.contains("another number of classes") && ended.err.contains("3.weight"), ended.text());
  int said = 0;
  Watcher watcher(run);
  for (const auto& event : watcher.events()) {
    if (event.type != "notice" || event.fields.at("code") != "head_replaced") continue;
    ++said;
    QCOMPARE(event.fields.at("values").at("parameters").get<std::vector<std::string>>(), (std::vector<std::string>{"3.weight", "3.bias"}));
    QCOMPARE(event.fields.at("values").at("classes").get<int>(), 10);
  }
  QCOMPARE(said, 1);
  const StoredTensors after = trained(run);
  QVERIFY(after.at("1.weight") == start().at("1.weight") && after.at("1.bias") == start().at("1.bias"));
  QCOMPARE(after.at("3.weight").shape, (std::vector<int64_t>{10, 8}));
  QVERIFY(after.at("3.weight").bytes.left(7 * 8 * 4) != byPlace({7, 8}).bytes);
}

void TestWeightsCli::tensorsThatDoNotFitAreNamed_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("said");
  auto missing = start(), more = start(), wide = start(), head = start();
  missing.erase("3.bias");
  more["extra.weight"] = byPlace({2, 3});
  wide["1.weight"] = byPlace({16, 64});
  head["3.weight"] = byPlace({7, 9});
  QTest::newRow("missing") << tensorFile(missing) << "\"3.bias\" of shape [10] is missing";
  QTest::newRow("one more") << tensorFile(more) << "no tensor \"extra.weight\" of shape [2, 3]";
  QTest::newRow("of another width") << tensorFile(wide) << "\"1.weight\" has shape [16, 64] in the file; the model needs [8, 64]";
  QTest::newRow("a head for other features") << tensorFile(head) << "\"3.weight\" has shape [7, 9] in the file; the model needs [10, 8]";
}

void TestWeightsCli::tensorsThatDoNotFitAreNamed() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, said);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", keys(sandbox.write("start.safetensors", bytes))), "--json"});
  QVERIFY2(ended.code == 3 && ended.error("code") == "data", ended.text());
  QVERIFY2(QString::fromStdString(ended.error("what")).contains(said), ended.text());
  QVERIFY2(ended.error("where").find("start.safetensors") != std::string::npos && !ended.error("hint").empty(), ended.text());
  QVERIFY(QDir(sandbox.runs()).isEmpty());
}

void TestWeightsCli::hostileAndDamagedFiles_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<double>("share");  // of the file that is there
  QTest::addColumn<QString>("said");
  QTest::newRow("os.system") << "hostile_system.pt" << 1.0 << "posix.system";
  QTest::newRow("os.system, old format") << "hostile_old.pt" << 1.0 << "posix.system";
  QTest::newRow("eval") << "hostile_eval4.pt" << 1.0 << "builtins.eval";
  QTest::newRow("by an instruction") << "hostile_obj.pt" << 1.0 << "os.system";
  QTest::newRow("a whole module") << "whole_module.pt" << 1.0 << "torch.nn.modules.linear.Linear";
  QTest::newRow("numbers beyond the file") << "hostile_beyond.pt" << 1.0 << "reaches beyond its 4 numbers";
  QTest::newRow("cut short") << "mlp.pt" << 0.6 << "";
  QTest::newRow("cut short, old format") << "mlp_old.pt" << 0.9 << "cut short";
}

void TestWeightsCli::hostileAndDamagedFiles() {
  QFETCH(QString, file);
  QFETCH(double, share);
  QFETCH(QString, said);
  Sandbox sandbox;
  const QByteArray whole = readBytes(fixture(file));
  QVERIFY(whole.size() > 100);
  const QString weights = sandbox.write(file, whole.left(qsizetype(share * double(whole.size())))), recipe = sandbox.recipe("recipe.toml", keys(weights));
  for (const QStringList& words : {QStringList{"train", recipe, "--json"}, QStringList{"lr-find", recipe, "--json"}}) {
    const Ended ended = sandbox.run(words);
    QVERIFY2(ended.code == 3 && ended.error("code") == "data", ended.text());
    QVERIFY2(!ended.error("what").empty() && QString::fromStdString(ended.error("what")).contains(said), ended.text());
    QVERIFY2(QString::fromStdString(ended.error("where")).contains(file) && !ended.error("hint").empty(), ended.text());
    QVERIFY(!QFile::exists(sandbox.path("marker")));  // what the hostile ones would leave in the folder of the process
    QVERIFY(QDir(sandbox.runs()).isEmpty());
  }
}

QTEST_GUILESS_MAIN(TestWeightsCli)
#include "tst_weights_cli.moc"
