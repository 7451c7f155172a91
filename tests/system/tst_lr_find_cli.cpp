// `trainyard lr-find`: what it says, what it refuses, and that it leaves nothing behind.
#include <csignal>

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include "tests/system/cli_runner.h"
#include "tests/system/run_watcher.h"

using namespace trainyard;
using namespace trainyard::system;

class TestLrFindCli : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void proposesARateOfTheRange();
  void saysSoInWords();
  void saysWhereTheLossNeverFell();
  void refuses_data();
  void refuses();
  void anInterruptEndsIt();

 private:
  // Every file below the sandbox but the streams of its programs.
  static std::map<QString, QByteArray> files(const Sandbox& sandbox);
  static bool catches(int64_t process, int signal);
};

std::map<QString, QByteArray> TestLrFindCli::files(const Sandbox& sandbox) {
  std::map<QString, QByteArray> found;
  QDirIterator each(sandbox.path("."), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (each.hasNext()) {
    const QString file = each.next();
    if (!each.fileName().startsWith("program-")) found[file] = readBytes(file);
  }
  return found;
}

bool TestLrFindCli::catches(int64_t process, int signal) {
  for (const QByteArray& line : readBytes(QString("/proc/%1/status").arg(process)).split('\n')) {
    if (line.startsWith("SigCgt:")) return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1;
  }
  return false;
}

void TestLrFindCli::proposesARateOfTheRange() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{"optimizer.type", "\"sgd\""}});
  const auto before = files(sandbox);
  const Ended ended = sandbox.run({"lr-find", recipe, "--json", "--from", "1e-4", "--to", "20", "--steps", "60"});
  QVERIFY2(ended.code == 0, ended.text());
  const Json found = ended.json();
  QVERIFY2(found.is_object(), ended.text());
  const auto rates = found.at("lr").get<std::vector<double>>();
  QVERIFY(rates.size() > 20 && rates.size() <= 60);
  QCOMPARE(found.at("loss").size(), rates.size());
  QCOMPARE(found.at("smoothed").size(), rates.size());
  QCOMPARE(rates.front(), 1e-4);
  const double factor = std::pow(20 / 1e-4, 1.0 / 59);
  for (size_t i = 1; i < rates.size(); ++i) QVERIFY(std::abs(rates[i] / rates[i - 1] / factor - 1) < 1e-9);
  QCOMPARE(found.at("loss").at(0).get<double>(), found.at("smoothed").at(0).get<double>());
  const double proposed = found.at("suggestion").get<double>();
  QVERIFY2(proposed > 1e-3 && proposed < 20, ended.text());
  QVERIFY(std::find(rates.begin(), rates.end(), proposed) != rates.end());
  QVERIFY(files(sandbox) == before);
  QVERIFY(!QDir(sandbox.runs()).exists());
}

void TestLrFindCli::saysSoInWords() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{"optimizer.type", "\"sgd\""}});
  const Ended ended = sandbox.run({"lr-find", recipe, "--from", "1e-4", "--to", "20", "--steps", "60", "--set", "model.hidden=[16]"});
  QVERIFY2(ended.code == 0, ended.text());
  QVERIFY2(ended.out.contains("smoothed") && ended.out.contains("Suggested: optimizer.lr = "), ended.text());
  QVERIFY2(!ended.err.contains('\r') && !ended.err.contains('\x1b'), ended.text());
}

void TestLrFindCli::saysWhereTheLossNeverFell() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml", {{"train.batch_size", "1438"}, {"optimizer.type", "\"sgd\""}});
  const QStringList words{"lr-find", recipe, "--from", "1e3", "--to", "1e6", "--steps", "20"};
  const Ended json = sandbox.run(words + QStringList{"--json"});
  QVERIFY2(json.code == 0 && json.json().at("suggestion").is_null(), json.text());
  const Ended plain = sandbox.run(words);
  QVERIFY2(plain.code == 0 && plain.out.contains("--from"), plain.text());
}

void TestLrFindCli::refuses_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<QString>("where");
  QTest::newRow("from above to") << QStringList{"--from", "1", "--to", "0.1"} << "--from";
  QTest::newRow("from equal to to") << QStringList{"--from", "1", "--to", "1"} << "--from";
  QTest::newRow("from nothing") << QStringList{"--from", "0"} << "--from";
  QTest::newRow("to below nothing") << QStringList{"--to=-1"} << "--to";
  QTest::newRow("not a number") << QStringList{"--from", "small"} << "--from";
  QTest::newRow("too few updates") << QStringList{"--steps", "5"} << "--steps";
  QTest::newRow("without a value") << QStringList{"--steps"} << "--steps";
  QTest::newRow("unknown option") << QStringList{"--until", "3"} << "--until";
  QTest::newRow("unknown key of the recipe") << QStringList{"--set", "train.epoch=3"} << "train.epoch";
}

void TestLrFindCli::refuses() {
  QFETCH(QStringList, words);
  QFETCH(QString, where);
  Sandbox sandbox;
  const Ended ended = sandbox.run(QStringList{"lr-find", sandbox.recipe("recipe.toml"), "--json"} + words);
  QVERIFY2(ended.code == 2, ended.text());
  QVERIFY2(!ended.error("what").empty() && !ended.error("hint").empty(), ended.text());
  QVERIFY2(QString::fromStdString(ended.error("where")).contains(where), ended.text());
}

void TestLrFindCli::anInterruptEndsIt() {
  Sandbox sandbox;
  const QString recipe = sandbox.recipe("recipe.toml");
  const auto before = files(sandbox);
  auto program = sandbox.start({"lr-find", recipe, "--json", "--from", "1e-9", "--to", "1e-8", "--steps", "100000"});
  QVERIFY(waitUntil([&] { return catches(program->pid(), SIGINT) || !program->running(); }));
  program->signal(SIGINT);
  const Ended ended = program->wait(30000);
  QVERIFY2(ended.code == 130 && ended.error("code") == "interrupted", ended.text());
  QVERIFY(files(sandbox) == before);
}

QTEST_GUILESS_MAIN(TestLrFindCli)
#include "tst_lr_find_cli.moc"
