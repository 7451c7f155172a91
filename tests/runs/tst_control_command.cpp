#include <QTest>

#include "core/runs/control.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestControlCommand : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void understands_data();
  void understands();
  void refuses_data();
  void refuses();
};

namespace {

std::vector<std::string> wordsOf(const QStringList& list) {
  std::vector<std::string> words;
  for (const QString& word : list) words.push_back(word.toStdString());
  return words;
}

}  // namespace

void TestControlCommand::understands_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<QByteArray>("request");
  for (const char* name : {"pause", "release", "resume", "stop", "checkpoint", "evaluate"}) {
    QTest::newRow(name) << QStringList{name} << QByteArray(R"({"command":")") + name + "\"}";
  }
  const QByteArray set = R"({"command":"set","values":{"lr":0.001}})";
  QTest::newRow("set") << QStringList{"set", "lr", "0.001"} << set;
  QTest::newRow("set with =") << QStringList{"set", "lr=0.001"} << set;
  QTest::newRow("set with = apart") << QStringList{"set", "lr", "=", "0.001"} << set;
  QTest::newRow("set with = at the key") << QStringList{"set", "lr=", "0.001"} << set;
  QTest::newRow("one word") << QStringList{" set lr = 1e-3 "} << set;
  QTest::newRow("two values") << QStringList{"set", "lr=0.5", "momentum=0"} << QByteArray(R"({"command":"set","values":{"lr":0.5,"momentum":0.0}})");
  QTest::newRow("negative") << QStringList{"set", "lr", "-1"} << QByteArray(R"({"command":"set","values":{"lr":-1.0}})");
}

void TestControlCommand::understands() {
  QFETCH(QStringList, words);
  QFETCH(QByteArray, request);
  const auto parsed = parseCommand(wordsOf(words));
  QVERIFY_OK(parsed);
  QCOMPARE(compactJson(*parsed), request.toStdString());
}

void TestControlCommand::refuses_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<QString>("part");
  QTest::newRow("nothing") << QStringList{} << "the commands are pause, release, resume, stop, checkpoint, evaluate, set";
  QTest::newRow("blank") << QStringList{" "} << "no command was given";
  QTest::newRow("misspelt") << QStringList{"puase"} << "did you mean \"pause\"?";
  QTest::newRow("unknown") << QStringList{"accelerate"} << "the commands are pause";
  QTest::newRow("too much") << QStringList{"stop", "now"} << "\"now\" follows";
  QTest::newRow("set without key") << QStringList{"set"} << "set needs a key and a value";
  QTest::newRow("set without value") << QStringList{"set", "lr"} << "\"lr\" has no value";
  QTest::newRow("set with empty value") << QStringList{"set", "lr="} << "\"lr\" has no value";
  QTest::newRow("second without value") << QStringList{"set", "lr=1", "momentum"} << "\"momentum\" has no value";
  QTest::newRow("not a number") << QStringList{"set", "lr", "fast"} << "lr: \"fast\" is not a number";
  QTest::newRow("comma") << QStringList{"set", "lr", "0,001"} << "with a point";
  QTest::newRow("something after the number") << QStringList{"set", "lr", "0.1x"} << "\"0.1x\" is not a number";
  QTest::newRow("nan") << QStringList{"set", "lr", "nan"} << "is not a number";
  QTest::newRow("inf") << QStringList{"set", "lr", "inf"} << "is not a number";
  QTest::newRow("too large") << QStringList{"set", "lr", "1e999"} << "is not a number";
  QTest::newRow("twice") << QStringList{"set", "lr=1", "lr=2"} << "given twice";
}

void TestControlCommand::refuses() {
  QFETCH(QStringList, words);
  QFETCH(QString, part);
  const auto parsed = parseCommand(wordsOf(words));
  QVERIFY(!parsed);
  QCOMPARE(parsed.error().code, ErrorCode::Usage);
  QVERIFY2(QString::fromStdString(toText(parsed.error())).contains(part), toText(parsed.error()).c_str());
}

QTEST_APPLESS_MAIN(TestControlCommand)
#include "tst_control_command.moc"
