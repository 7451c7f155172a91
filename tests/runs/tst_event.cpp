#include <QTest>
#include <limits>

#include "core/runs/event.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestEvent : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void writesOneFlatLine();
  void writesNonFiniteNumbersAsText();
  void keepsItsOwnKeysFromFields();
  void replacesInvalidText();
  void readsWhatItWrote();
  void refusesOtherLines_data();
  void refusesOtherLines();
  void numberHasAFallback();
};

void TestEvent::writesOneFlatLine() {
  Event event = test::makeEvent("step", 20, {{"loss", 0.25}, {"lr", 0.001}});
  event.seq = 7;
  event.time = 1764524378.12349;
  event.epoch = 1;
  QCOMPARE(toLine(event), std::string(R"({"type":"step","seq":7,"time":1764524378.123,"step":20,"epoch":1,"loss":0.25,"lr":0.001})"));
  QCOMPARE(toLine(test::makeEvent("paused")), std::string(R"({"type":"paused","seq":0,"time":0.0})"));
}

void TestEvent::writesNonFiniteNumbersAsText() {
  const double inf = std::numeric_limits<double>::infinity();
  const Event event = test::makeEvent("eval", 1, {{"loss", std::nan("")}, {"metrics", {{"accuracy", inf}, {"recall", -inf}}}, {"list", {inf, 1}}});
  const std::string line = toLine(event);
  QCOMPARE(line, std::string(R"({"type":"eval","seq":0,"time":0.0,"step":1,"loss":"nan","metrics":{"accuracy":"inf","recall":"-inf"},"list":["inf",1]})"));
  const auto back = fromLine(line);
  QVERIFY_OK(back);
  QVERIFY(std::isnan(back->number("loss", 3)));
  QCOMPARE(numberFrom(back->fields.at("metrics").at("recall")), -inf);
}

void TestEvent::keepsItsOwnKeysFromFields() {
  Event event = test::makeEvent("step", 5, {{"seq", 99}, {"type", "other"}, {"loss", 1}});
  event.seq = 1;
  QCOMPARE(toLine(event), std::string(R"({"type":"step","seq":1,"time":0.0,"step":5,"loss":1})"));
  event.fields = nullptr;
  QCOMPARE(toLine(event), std::string(R"({"type":"step","seq":1,"time":0.0,"step":5})"));
}

void TestEvent::replacesInvalidText() {
  const std::string line = toLine(test::makeEvent("notice", {}, {{"text", "a\xff\nb"}}));
  QCOMPARE(line.find('\n'), std::string::npos);
  const auto back = fromLine(line);
  QVERIFY_OK(back);
  QCOMPARE(back->fields.at("text").get<std::string>(), std::string("a\xEF\xBF\xBD\nb"));
}

void TestEvent::readsWhatItWrote() {
  const auto event = fromLine(R"( {"loss": 0.5, "epoch": 3, "step": 40, "time": 12.5, "seq": 9, "type": "step", "skipped": 0} )");
  QVERIFY_OK(event);
  QCOMPARE(event->type, std::string("step"));
  QCOMPARE(event->seq, uint64_t(9));
  QCOMPARE(event->time, 12.5);
  QCOMPARE(event->step.value_or(-1), int64_t(40));
  QCOMPARE(event->epoch.value_or(-1), int64_t(3));
  QCOMPARE(event->fields, (Json{{"loss", 0.5}, {"skipped", 0}}));
  const auto bare = fromLine(R"({"type":"paused"})");
  QVERIFY_OK(bare);
  QVERIFY(!bare->step && !bare->epoch);
  QCOMPARE(bare->fields, Json::object());
}

void TestEvent::refusesOtherLines_data() {
  QTest::addColumn<QString>("line");
  QTest::newRow("empty") << "";
  QTest::newRow("torn") << R"({"type":"step","seq":1)";
  QTest::newRow("two objects") << R"({"type":"a"}{"type":"b"})";
  QTest::newRow("list") << R"(["step"])";
  QTest::newRow("no type") << R"({"seq":1})";
  QTest::newRow("empty type") << R"({"type":""})";
  QTest::newRow("type is a number") << R"({"type":3})";
  QTest::newRow("seq is a text") << R"({"type":"a","seq":"1"})";
  QTest::newRow("seq is negative") << R"({"type":"a","seq":-1})";
  QTest::newRow("step is a fraction") << R"({"type":"a","step":1.5})";
  QTest::newRow("step is too large") << R"({"type":"a","step":18446744073709551615})";
  QTest::newRow("time is a text") << R"({"type":"a","time":"noon"})";
  QTest::newRow("zeros") << QString(20, QChar(0));
}

void TestEvent::refusesOtherLines() {
  QFETCH(QString, line);
  const auto event = fromLine(line.toStdString());
  QVERIFY(!event);
  QCOMPARE(event.error().code, ErrorCode::Failed);
  QVERIFY(event.error().what.starts_with("not an event: "));
}

void TestEvent::numberHasAFallback() {
  const Event event = test::makeEvent("device", {}, {{"power_w", 80}, {"name", "x"}});
  QCOMPARE(event.number("power_w"), 80.0);
  QCOMPARE(event.number("name", 5), 5.0);
  QCOMPARE(event.number("missing", 6), 6.0);
  QVERIFY(std::isnan(event.number("missing")));
}

QTEST_APPLESS_MAIN(TestEvent)
#include "tst_event.moc"
