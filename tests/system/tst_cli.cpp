// The program as a script or a person meets it before anything trains: help, usage, JSON, exit codes, schedule, hardware, the run list.
#include <QDir>
#include <QStandardPaths>
#include <QTest>

#include "tests/system/cli_runner.h"

using namespace trainyard;
using namespace trainyard::system;

class TestCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void helpNamesEveryVerb();
  void everyVerbHasHelp_data();
  void everyVerbHasHelp();
  void wrongUsage_data();
  void wrongUsage();
  void schedulePreviewsEveryStep();
  void scheduleCountsInUpdates();
  void hardwareTellsWhatIsThere();
  void runListWithoutRuns();
  void plainOutputHasNoEscapes();
  void aTerminalGetsProgress();
  void matrixProductsAreLibTorchs();

 private:
  static const QStringList kVerbs;
};

const QStringList TestCli::kVerbs = {"demo", "train", "resume", "control", "evaluate", "predict", "data", "schedule", "lr-find", "plan", "runs", "hardware"};

void TestCli::helpNamesEveryVerb() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"--help"});
  QCOMPARE(ended.code, 0);
  for (const QString& verb : kVerbs) QVERIFY2(ended.out.contains(verb.toUtf8()), qPrintable(verb));
  QVERIFY(ended.err.isEmpty());
}

void TestCli::everyVerbHasHelp_data() {
  QTest::addColumn<QStringList>("words");
  for (const QString& verb : kVerbs) QTest::newRow(qPrintable(verb)) << QStringList{verb};
  QTest::newRow("data scan") << QStringList{"data", "scan"};
  QTest::newRow("data preview") << QStringList{"data", "preview"};
  QTest::newRow("model show") << QStringList{"model", "show"};
  QTest::newRow("weights list") << QStringList{"weights", "list"};
  QTest::newRow("weights get") << QStringList{"weights", "get"};
  QTest::newRow("runs list") << QStringList{"runs", "list"};
  QTest::newRow("runs show") << QStringList{"runs", "show"};
}

void TestCli::everyVerbHasHelp() {
  QFETCH(QStringList, words);
  Sandbox sandbox;
  const Ended ended = sandbox.run(words + QStringList{"--help"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.out.contains(words.last().toUtf8()), ended.text());
  QVERIFY2(words.first() == "runs" || words == QStringList{"data"} || ended.out.contains("--json"), ended.text());
  QVERIFY(!QDir(sandbox.runs()).exists());
}

void TestCli::wrongUsage_data() {
  QTest::addColumn<QStringList>("words");
  QTest::newRow("no verb") << QStringList{};
  QTest::newRow("unknown verb") << QStringList{"trian"};
  QTest::newRow("unknown option") << QStringList{"train", "recipe.toml", "--epoch"};
  QTest::newRow("train without a recipe") << QStringList{"train"};
  QTest::newRow("resume without a run") << QStringList{"resume"};
  QTest::newRow("control without a command") << QStringList{"control", "latest"};
  QTest::newRow("predict without pictures") << QStringList{"predict", "latest"};
  QTest::newRow("runs without a verb") << QStringList{"runs"};
  QTest::newRow("run that is not there") << QStringList{"evaluate", "nosuchrun"};
  QTest::newRow("show of a run that is not there") << QStringList{"runs", "show", "nosuchrun"};
}

void TestCli::wrongUsage() {
  QFETCH(QStringList, words);
  Sandbox sandbox;
  const Ended plain = sandbox.run(words);
  QVERIFY2(plain.code == 2, plain.text());
  QVERIFY2(plain.out.isEmpty() && !plain.err.isEmpty(), plain.text());
  const Ended json = sandbox.run(words + QStringList{"--json"});
  QVERIFY2(json.code == 2, json.text());
  if (words.isEmpty()) return;  // there --json is an option of no verb
  QVERIFY2(json.error("code") == "usage", json.text());
  QVERIFY2(!json.error("what").empty(), json.text());
}

void TestCli::schedulePreviewsEveryStep() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("steps.toml", {{"train.epochs", "90"},
                                                       {"optimizer.type", "\"sgd\""},
                                                       {"optimizer.lr", "0.1"},
                                                       {"schedule.type", "\"step\""},
                                                       {"schedule.step_size", "30"},
                                                       {"schedule.gamma", "0.1"},
                                                       {"schedule.unit", "\"epoch\""}});
  const Ended ended = sandbox.run({"schedule", recipe, "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json document = ended.json();
  QVERIFY2(document.contains("lr") && document.at("lr").is_array(), ended.text());
  const auto rates = document.at("lr").get<std::vector<double>>();
  QCOMPARE(rates.size() % 90, size_t(0));
  const size_t epoch = rates.size() / 90;
  QCOMPARE(epoch, size_t(23));  // 1,438 of 1,797 digits in batches of 64
  for (size_t step = 0; step < rates.size(); ++step) {
    const double right = step < 30 * epoch ? 0.1 : step < 60 * epoch ? 0.01 : 0.001;
    QVERIFY2(std::abs(rates[step] / right - 1) < 1e-9, qPrintable(QString("step %1: %2").arg(step).arg(rates[step])));
  }
  QVERIFY(!QDir(sandbox.runs()).exists());
}

void TestCli::scheduleCountsInUpdates() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("updates.toml", {{"train.epochs", "1"},
                                                         {"optimizer.lr", "0.5"},
                                                         {"schedule.type", "\"step\""},
                                                         {"schedule.step_size", "4"},
                                                         {"schedule.gamma", "0.5"},
                                                         {"schedule.unit", "\"step\""},
                                                         {"schedule.warmup", "4"}});
  const Ended ended = sandbox.run({"schedule", recipe, "--json", "--set", "optimizer.lr=1.0"});
  QVERIFY2(ended.code == 0, ended.text());
  const auto rates = ended.json().at("lr").get<std::vector<double>>();
  QCOMPARE(rates.size(), size_t(23));
  const std::vector<double> right = {0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.25};
  for (size_t step = 0; step < right.size(); ++step) {
    QVERIFY2(std::abs(rates[step] / right[step] - 1) < 1e-9, qPrintable(QString("step %1: %2").arg(step).arg(rates[step])));
  }
}

void TestCli::hardwareTellsWhatIsThere() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"hardware", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json document = ended.json();
  QVERIFY2(document.is_object(), ended.text());
  QVERIFY(document.at("processor").at("threads").get<int>() >= 1);
  QVERIFY(document.at("memory").at("total_bytes").get<uint64_t>() > 64u * 1024 * 1024);
  QVERIFY(document.at("disks").is_array() && document.at("gpus").is_array());
  const Ended plain = sandbox.run({"hardware"});
  QVERIFY2(plain.code == 0 && plain.out.size() > 50, plain.text());
}

void TestCli::runListWithoutRuns() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"runs", "list", "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.json().is_array() && ended.json().empty(), ended.text());
  QCOMPARE(sandbox.run({"runs", "list"}).code, 0);
}

void TestCli::plainOutputHasNoEscapes() {
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", sandbox.recipe("plain.toml", {{"train.epochs", "1"}})});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(!ended.out.contains('\x1b') && !ended.err.contains('\x1b'), ended.text());
  QVERIFY2(!ended.out.contains('\r') && !ended.err.contains('\r'), ended.text());
  QVERIFY2(ended.out.contains("loss") || ended.err.contains("loss"), ended.text());
}

void TestCli::aTerminalGetsProgress() {
  const QString script = QStandardPaths::findExecutable("script");
  if (script.isEmpty()) QSKIP("script(1), which gives a program a terminal, is not installed");
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("progress.toml", {{"train.epochs", "3"}});
  const QString command = "'" + qEnvironmentVariable("TRAINYARD_BIN") + "/trainyard' train '" + recipe + "'";
  for (const bool plain : {false, true}) {
    QProcess process;
    QProcessEnvironment environment = sandbox.environment();
    environment.insert("TERM", "xterm");
    if (plain) environment.insert("NO_COLOR", "1");
    process.setProcessEnvironment(environment);
    process.start(script, {"-qec", command, "/dev/null"});
    QVERIFY(process.waitForFinished(120000));
    const QByteArray seen = process.readAllStandardOutput();
    QVERIFY2(process.exitCode() == 0, seen);
    QVERIFY2(seen.contains("loss"), seen);
    if (plain) {
      QVERIFY2(!seen.contains("\x1b["), seen);
    } else {
      QVERIFY2(seen.count('\r') > seen.count("\r\n"), seen);  // a line drawn over itself
    }
  }
}

// OpenCV brings the system's reference BLAS into the process; LibTorch must keep to its own, which is ten times faster.
void TestCli::matrixProductsAreLibTorchs() {
  Sandbox sandbox;
  sandbox.environment().insert("LD_DEBUG", "bindings");
  const Ended ended = sandbox.run({"bench", "train", "--model", "mlp", "--steps", "1"});
  QVERIFY2(ended.code == 0, ended.text().right(2000));
  int seen = 0;
  for (const QByteArray& line : ended.err.split('\n')) {
    if (!line.contains("symbol `sgemm_'") || !line.contains("libtorch_cpu.so [0] to ")) continue;
    ++seen;
    QVERIFY2(line.contains("to ") && line.mid(line.indexOf(" to ")).contains("libtorch_cpu.so"), line);
  }
  QVERIFY(seen > 0);
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
