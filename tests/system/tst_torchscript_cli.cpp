// A module that was scripted in Python, as an architecture: trained, killed, taken up, asked.
#include <csignal>

#include <QTest>

#include "core/data/dataset.h"
#include "core/data/image_decode.h"
#include "tests/system/cli_runner.h"
#include "tests/system/predictions_table.h"
#include "tests/system/tensor_file.h"

using namespace trainyard;
using namespace trainyard::system;

class TestTorchScriptCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void showsItsLayers();
  void killedAndResumedEqualsUndisturbed();
  void predictsWhatEvaluationSays();
  void refuses_data();
  void refuses();

 private:
  static constexpr int kSteps = 23;  // of an epoch
  QString recipe(Sandbox& sandbox, const QString& module);

  Sandbox sandbox_;
  QString recipe_, run_;  // run_: stopped in order, and finished
};

// The module lies beside the recipe, and programs run in another folder.
QString TestTorchScriptCli::recipe(Sandbox& sandbox, const QString& module) {
  const QByteArray bytes = readBytes(QString(TEST_DATA_DIR) + "/../golden/weights/" + module);
  if (bytes.isEmpty()) qFatal("%s is not there", qPrintable(module));
  sandbox.write("recipes/net.pt", bytes);
  return sandbox.recipe("recipes/recipe.toml", {{"model.arch", "\"torchscript\""},
                                                {"model.file", "\"net.pt\""},
                                                {"data.size", "16"},
                                                {"data.channels", "\"rgb\""},
                                                {"optimizer.lr", "0.01"},
                                                {"checkpoint.keep", "1"},
                                                {"train.epochs", "1000000"}});
}

void TestTorchScriptCli::initTestCase() { recipe_ = recipe(sandbox_, "script.pt"); }

// Conv2d 3 → 8, batch norm, mean, Linear 8 → 10.
void TestTorchScriptCli::showsItsLayers() {
  const Ended ended = sandbox_.run({"model", "show", recipe_, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json shown = ended.json();
  QCOMPARE(shown.at("parameters").get<int>(), 3 * 8 * 9 + 8 + 2 * 8 + 8 * 10 + 10);
  QCOMPARE(shown.at("multiply_adds").get<int>(), 16 * 16 * 8 * 3 * 9 + 80);
  std::vector<std::string> names;
  for (const auto& layer : shown.at("layers")) {
    if (layer.at("parameters") > 0) names.push_back(layer.at("name"));
  }
  QCOMPARE(names, (std::vector<std::string>{"conv", "norm", "head"}));
}

void TestTorchScriptCli::killedAndResumedEqualsUndisturbed() {
  run_ = sandbox_.path("killed");
  Watcher watcher(run_);
  auto program = sandbox_.start({"train", recipe_, "--run-dir", run_});
  QVERIFY2(watcher.waitForCount("checkpoint", 2), program->errorsSoFar());
  program->signal(SIGKILL);
  QCOMPARE(program->wait().code, -1);
  program = sandbox_.start({"resume", run_});
  QVERIFY2(watcher.waitForCount("resumed", 1), program->errorsSoFar());
  QVERIFY2(watcher.waitForStep(watcher.last("resumed")->step.value_or(0) + 5), program->errorsSoFar());
  program->signal(SIGINT);
  const Ended stopped = program->wait();
  QVERIFY2(stopped.code == 130, stopped.text());
  QCOMPARE(stateOf(run_), std::string("stopped"));

  const QString epochs = QString::number(watcher.lastStep() / kSteps + 2), undisturbed = sandbox_.path("undisturbed");
  const Ended finished = sandbox_.run({"resume", run_, "--epochs", epochs, "--json"});
  QVERIFY2(finished.code == 0 && finished.json().at("state") == "finished", finished.text());
  const Ended whole = sandbox_.run({"train", recipe_, "--run-dir", undisturbed, "--set", "train.epochs=" + epochs});
  QVERIFY2(whole.code == 0, whole.text());
  const auto losses = series(undisturbed, "step", "loss");
  QCOMPARE(losses.size(), size_t(epochs.toInt() * kSteps));
  QVERIFY(series(run_, "step", "loss") == losses);
  QVERIFY(losses.rbegin()->second < losses.begin()->second);
  QVERIFY(weights(run_) == weights(undisturbed));
  QVERIFY(optimizerState(run_) == optimizerState(undisturbed));
  QVERIFY(readTensors(newestCheckpoint(run_) + "/model.safetensors").contains("norm.running_var"));
}

void TestTorchScriptCli::predictsWhatEvaluationSays() {
  QVERIFY2(!newestCheckpoint(run_).isEmpty(), "there is no run to ask");
  const QString table = sandbox_.path("predictions.csv");
  const Ended evaluated = sandbox_.run({"evaluate", run_, "--predictions", table, "--json"});
  QVERIFY2(evaluated.code == 0 && evaluated.json().at("samples") == 359, evaluated.text());
  recipe::Data where;
  where.format.id = "idx";
  where.path = digitsFolder().toStdString();
  where.validation = 0.2;
  const auto digits = data::open(where);
  QVERIFY(digits);
  const auto rows = readPredictions(table);
  QStringList words{"predict", run_, "--json"};
  std::vector<PredictionRow> asked;
  for (uint64_t index = 0; index < (*digits)->size() && asked.size() < 8; ++index) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const PredictionRow& each) { return each.file.toStdString() == (*digits)->name(index); });
    if (row == rows.end()) continue;
    const auto picture = (*digits)->picture(index);
    QVERIFY(picture);
    words += sandbox_.write(QString("%1.png").arg(index), QByteArray::fromStdString(*data::encodePng(*picture)));
    asked.push_back(*row);
  }
  QCOMPARE(asked.size(), size_t(8));
  const Ended predicted = sandbox_.run(words);
  QVERIFY2(predicted.code == 0, predicted.text());
  const Json answers = predicted.json();
  for (size_t i = 0; i < asked.size(); ++i) {
    const Json& likeliest = answers.at(i).at("top").at(0);
    QCOMPARE(likeliest.at("class").get<std::string>(), asked[i].top.at(0).first.toStdString());
    QVERIFY2(std::abs(likeliest.at("probability").get<double>() - asked[i].top.at(0).second) < 1e-5, asked[i].file);
  }
}

void TestTorchScriptCli::refuses_data() {
  QTest::addColumn<QString>("module");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("said");
  QTest::newRow("traced in evaluation mode") << "script_traced.pt" << 3 << "traced in evaluation mode";
  QTest::newRow("for other classes") << "script_seven.pt" << 2 << "gives 7 numbers; 10 are needed";
  QTest::newRow("weights alone") << "mlp.pt" << 3 << "cannot be read as a TorchScript module";
  QTest::newRow("hostile") << "hostile_system.pt" << 3 << "cannot be read as a TorchScript module";
}

void TestTorchScriptCli::refuses() {
  QFETCH(QString, module);
  QFETCH(int, code);
  QFETCH(QString, said);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", recipe(sandbox, module), "--json"});
  QVERIFY2(ended.code == code, ended.text());
  QVERIFY2(QString::fromStdString(ended.error("what")).contains(said) && ended.error("where").find("net.pt") != std::string::npos, ended.text());
  QVERIFY2(!ended.error("hint").empty(), ended.text());
  QVERIFY(!QFile::exists(sandbox.path("marker")) && !QFile::exists(sandbox.runs()));
}

QTEST_GUILESS_MAIN(TestTorchScriptCli)
#include "tst_torchscript_cli.moc"
