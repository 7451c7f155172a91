#include <QTest>
#include <map>

#include "core/base/json.h"
#include "core/base/pattern.h"
#include "core/base/queue.h"
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <thread>

using namespace trainyard;

class TestUnits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void formats_data() {
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("right");
    const auto row = [](const std::string& shown, const char* right) { QTest::newRow(right) << QString::fromStdString(shown) << right; };
    row(formatBytes(512), "512 B");
    row(formatBytes(3328599654), "3.1 GiB");
    row(formatBytes(1024 * 1024 - 1), "1.0 MiB");
    row(formatDuration(0.84), "0.8 s");
    row(formatDuration(42.3), "42 s");
    row(formatDuration(185), "3 min 05 s");
    row(formatDuration(6720), "1 h 52 min");
    row(formatDuration(-1), "?");
    row(formatCount(999), "999");
    row(formatCount(18750), "18,750");
    row(formatCount(1234567), "1,234,567");
  }
  void formats() {
    QFETCH(QString, shown);
    QFETCH(QString, right);
    QCOMPARE(shown, right);
  }

  void nearestNames() {
    const std::vector<std::string> keys{"batch_size", "epochs", "accumulate"};
    QCOMPARE(nearestWord("batchsize", keys), std::string("batch_size"));
    QCOMPARE(nearestWord("epoch", keys), std::string("epochs"));
    QCOMPARE(nearestWord("colour", keys), std::string());
  }

  void namePatterns_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* pattern, const char* name, bool fits) { QTest::addRow("%s on %s", pattern, name) << pattern << name << fits; };
    row("fc.weight", "fc.weight", true);
    row("fc.weight", "fc.weight2", false);
    row("fc.*", "fc.weight", true);
    row("fc.*", "fc.", true);
    row("fc.*", "fcx.weight", false);
    row("layer?.*", "layer4.0.conv1.weight", true);
    row("layer?.*", "layer.0.conv1.weight", false);
    row("*.bias", "layer1.0.bn1.bias", true);
    row("*.bias", "layer1.0.bias.weight", false);
    row("*.bn?.*", "layer1.bn.0.bn1.bias", true);
    row("*a*b*c", "xxaxxabxxbxc", true);
    row("*a*b*c", "xxaxxcxxbx", false);
    row("*", "", true);
    row("", "", true);
    row("", "a", false);
    row("?", "", false);
  }
  void namePatterns() {
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    QFETCH(bool, fits);
    QCOMPARE(matchesPattern(pattern.toStdString(), name.toStdString()), fits);
  }

  void nonFiniteNumbersSurviveJson() {
    for (const double value : {1.5, HUGE_VAL, -HUGE_VAL}) QCOMPARE(numberFrom(Json::parse(compactJson(jsonNumber(value)))), value);
    QVERIFY(std::isnan(numberFrom(Json::parse(compactJson(jsonNumber(std::nan("")))), 1)));
    QCOMPARE(numberFrom(Json("other"), 7), 7.0);
    QCOMPARE(compactJson(Json("a\xff")), std::string("\"a\xef\xbf\xbd\""));
  }

  void randomIsAFunctionOfItsKey() {
    Random a({1, 2, 3}), b({1, 2, 3}), c({1, 3, 2});
    const uint64_t first = a.next();
    QCOMPARE(b.next(), first);
    QVERIFY(c.next() != first);
    std::map<uint64_t, int> counts;
    for (int i = 0; i < 30000; ++i) ++counts[a.below(3)];
    QCOMPARE(counts.size(), size_t{3});
    for (const auto& [value, count] : counts) QVERIFY(std::abs(count - 10000) < 400);
    for (int i = 0; i < 1000; ++i) {
      const double x = a.uniform(2, 5);
      QVERIFY(x >= 2 && x < 5);
    }
  }

  void queueIsBoundedOrderedAndCloses() {
    BoundedQueue<int> queue(2);
    std::jthread producer([&] {
      for (int i = 0; i < 100; ++i) queue.push(i);
      queue.close();
    });
    int expected = 0;
    while (const auto value = queue.pop()) QCOMPARE(*value, expected++);
    QCOMPARE(expected, 100);
    QVERIFY(!queue.push(1));
    QVERIFY(!queue.tryPop());
  }

  void errorsHaveExitCodesAndText() {
    const std::map<ErrorCode, int> codes{{ErrorCode::Failed, 1}, {ErrorCode::Usage, 2},  {ErrorCode::Recipe, 2},     {ErrorCode::Data, 3},
                                         {ErrorCode::OutOfMemory, 4}, {ErrorCode::Device, 5}, {ErrorCode::Interrupted, 130}};
    for (const auto& [code, exit] : codes) QCOMPARE(exitCode(code), exit);
    const Error error{ErrorCode::Data, "is cut short", "a.jpg", "take another copy"};
    QCOMPARE(toText(error), std::string("a.jpg: is cut short (take another copy)"));
    QCOMPARE(compactJson(toJson(error)), std::string(R"({"code":"data","what":"is cut short","where":"a.jpg","hint":"take another copy"})"));
  }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
