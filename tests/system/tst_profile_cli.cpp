// `train --profile`: a trace that Chrome's viewer can open, and the costliest operators.
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestProfileCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void recordsAsManyUpdatesAsAsked_data();
  void recordsAsManyUpdatesAsAsked();
  void printsTheCostliest();
  void libTorchMaySpeak();
  void refuses_data();
  void refuses();

 private:
  static int steps(const Json& trace);
  static Keys smallCnn() { return {{"model.arch", "\"smallcnn\""}, {"train.epochs", "1"}}; }  // 23 updates
};

// Updates, by what each does once and an evaluation never. Every event is one that the format has.
int TestProfileCli::steps(const Json& trace) {
  int found = 0;
  for (const auto& event : trace.at("traceEvents")) {
    if (!event.at("ph").is_string() || !event.at("name").is_string()) qFatal("%s", event.dump().c_str());
    if (event.at("ph") != "X") continue;
    if (!event.at("ts").is_number() || event.at("dur").get<double>() < 0 || !event.contains("pid") || !event.contains("tid"))
      qFatal("%s", event.dump().c_str());
    found += event.at("name") == "aten::_log_softmax_backward_data" ? 1 : 0;
  }
  return found;
}

void TestProfileCli::recordsAsManyUpdatesAsAsked_data() {
  QTest::addColumn<int>("asked");
  QTest::addColumn<int>("recorded");
  QTest::newRow("one") << 1 << 1;
  QTest::newRow("seven") << 7 << 7;
  QTest::newRow("more than there are") << 1000 << 23;
}

void TestProfileCli::recordsAsManyUpdatesAsAsked() {
  QFETCH(int, asked);
  QFETCH(int, recorded);
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", smallCnn()), "--run-dir", run, "--profile", QString::number(asked), "--json"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.json().is_object() && ended.json().at("state") == "finished", ended.text());
  QVERIFY2(!ended.err.contains("ERROR") && !ended.err.contains("profiler_start"), ended.text());  // LibTorch's profiler keeps quiet
  const Json trace = readJson(run + "/profile/trace.json");
  QVERIFY(trace.is_object() && trace.at("traceEvents").is_array());
  QCOMPARE(steps(trace), recorded);
  const Json operators = readJson(run + "/profile/operators.json");
  double before = INFINITY, shares = 0;
  int norms = 0;
  for (const auto& entry : operators) {
    QVERIFY(entry.at("self_ms").get<double>() <= before);
    before = entry.at("self_ms").get<double>();
    QVERIFY(entry.at("total_ms").get<double>() >= before);
    shares += entry.at("share").get<double>();
    if (entry.at("name") == "aten::native_batch_norm_backward") norms = entry.at("calls").get<int>();
  }
  QVERIFY(std::abs(shares - 1) < 1e-6);
  QCOMPARE(norms, 3 * recorded);
  QStringList said;
  Watcher watcher(run);
  for (const auto& event : watcher.events()) {
    if (event.type == "notice" && event.fields.at("code") == "profile") said += QString::fromStdString(event.fields.at("text"));
  }
  QCOMPARE(said.size(), 1);
  QVERIFY2(said.first().contains(QString(" %1 update").arg(recorded)), qPrintable(said.first()));
}

void TestProfileCli::printsTheCostliest() {
  Sandbox sandbox;
  const QString run = sandbox.path("run");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", smallCnn()), "--run-dir", run, "--profile", "5"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json operators = readJson(run + "/profile/operators.json");
  const QList<QByteArray> lines = ended.out.split('\n');
  const auto header = std::find_if(lines.begin(), lines.end(), [](const QByteArray& line) { return line.startsWith("operator") && line.contains("self ms"); });
  QVERIFY2(header != lines.end(), ended.text());
  for (int i = 0; i < 3; ++i) QVERIFY2(header[i + 1].startsWith(QByteArray::fromStdString(operators.at(size_t(i)).at("name")) + ' '), ended.text());
}

// It writes to the standard library's std::cerr, which has to be the program's own.
void TestProfileCli::libTorchMaySpeak() {
  Sandbox sandbox;
  sandbox.environment().insert("KINETO_LOG_LEVEL", "3");
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml", smallCnn()), "--profile", "1"});
  QVERIFY2(ended.code == 0 && ended.err.contains("profiler_start"), ended.text());
}

void TestProfileCli::refuses_data() {
  QTest::addColumn<QString>("steps");
  for (const char* steps : {"0", "-3", "many", "10001"}) QTest::newRow(steps) << steps;
}

void TestProfileCli::refuses() {
  QFETCH(QString, steps);
  Sandbox sandbox;
  const Ended ended = sandbox.run({"train", sandbox.recipe("recipe.toml"), "--json", "--profile=" + steps});
  QVERIFY2(ended.code == 2 && ended.error("code") == "usage" && ended.error("where") == "--profile", ended.text());
  QVERIFY(!QFile::exists(sandbox.runs()));
}

QTEST_GUILESS_MAIN(TestProfileCli)
#include "tst_profile_cli.moc"
