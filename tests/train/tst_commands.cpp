#include <QTest>
#include <thread>

#include "core/train/commands.h"
#include "core/train/device.h"
#include "core/train/guard.h"

#include <ATen/ATen.h>

using namespace trainyard;
using namespace trainyard::train;

class TestCommands : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void requestsAreAnsweredInOrder() {
    Commands commands;
    Json first, second;
    std::jthread client([&] {
      first = commands.handle({{"command", "pause"}});
      second = commands.handle({{"command", "dance"}});
    });
    const auto pause = commands.take(std::chrono::seconds(10));
    QVERIFY(pause);
    QVERIFY(pause->request["command"] == Json("pause"));
    commands.answer(*pause, okAnswer({{"step", 7}}));
    const auto dance = commands.take(std::chrono::seconds(10));
    QVERIFY(dance);
    commands.answer(*dance, errorAnswer({ErrorCode::Usage, "no", "command", ""}));
    client.join();
    QCOMPARE(compactJson(first), std::string(R"({"ok":true,"step":7})"));
    QVERIFY(second["ok"] == Json(false));
    QVERIFY(second["error"]["code"] == Json("usage"));
    QVERIFY(!commands.take());
  }

  void aBusyRunQueues() {
    Commands commands;
    QVERIFY(commands.handle({{"command", "stop"}}, std::chrono::milliseconds(1))["queued"] == Json(true));
    QVERIFY(commands.take());
  }

  void anEndedRunRefuses() {
    Commands commands;
    commands.close({ErrorCode::Usage, "the run has ended", "", ""});
    QVERIFY(commands.handle({{"command", "stop"}})["error"]["what"] == Json("the run has ended"));
  }

  void deviceNames_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("code");
    QTest::newRow("no such GPU") << "cuda:3000" << static_cast<int>(ErrorCode::Device);
    for (const char* wrong : {"gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:99999999999", "CPU"}) QTest::newRow(wrong) << wrong << static_cast<int>(ErrorCode::Recipe);
  }
  void deviceNames() {
    QFETCH(QString, name);
    QFETCH(int, code);
    const auto device = resolveDevice(name.toStdString());
    QVERIFY(!device);
    QCOMPARE(static_cast<int>(device.error().code), code);
    QCOMPARE(device.error().where, std::string("parallel.devices"));
    QVERIFY(!device.error().hint.empty());
    QCOMPARE(resolveDevice("cpu")->text(), std::string("cpu"));
  }

  void exceptionsBecomeErrors() {
    const auto memory = guarded([]() -> Result<int> { throw std::bad_alloc(); });
    QCOMPARE(memory.error().code, ErrorCode::OutOfMemory);
    const auto torch = guarded([]() -> Result<int> {
      TORCH_CHECK(false, "shapes differ");
      return 1;
    });
    QCOMPARE(torch.error().code, ErrorCode::Failed);
    QCOMPARE(torch.error().what, std::string("shapes differ"));
    const auto big = guarded([]() -> Result<int> { return static_cast<int>(at::empty({int64_t{1} << 50}).numel()); });
    QCOMPARE(big.error().code, ErrorCode::OutOfMemory);
    QCOMPARE(*guarded([]() -> Result<int> { return 3; }), 3);
  }
};

QTEST_APPLESS_MAIN(TestCommands)
#include "tst_commands.moc"
