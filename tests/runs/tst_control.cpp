#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstring>

#include "core/base/units.h"
#include "core/runs/control.h"
#include "core/runs/run_directory.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

namespace {

sockaddr_un addressOf(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

// A client that misbehaves as it likes.
class RawClient {
 public:
  explicit RawClient(const fs::path& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_un address = addressOf(path);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const timeval limit{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }
  RawClient(const RawClient&) = delete;
  ~RawClient() { ::close(socket_); }
  bool connected() const { return connected_; }
  bool send(const std::string& text) { return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) == ssize_t(text.size()); }
  void endWriting() { ::shutdown(socket_, SHUT_WR); }

  // The next line; "" when the server has closed the connection, "timeout" after 5 s.
  std::string line() {
    std::string text;
    char c = 0;
    for (;;) {
      const ssize_t count = ::recv(socket_, &c, 1, 0);
      if (count < 0) return errno == ECONNRESET ? "" : "timeout";
      if (count == 0 || c == '\n') return text;
      text += c;
    }
  }

 private:
  int socket_;
  bool connected_ = false;
};

Json echo(const Json& request) { return {{"ok", true}, {"heard", request.at("command")}}; }

}  // namespace

class TestControl : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void answers();
  void passesErrorsOn();
  void listensForThisUserOnly();
  void removesItsSocket();
  void replacesWhatAKilledEngineLeft();
  void leavesALivingOneAlone();
  void refusesAFileInTheWayAndALongPath();
  void survivesBadLines();
  void survivesLongLines();
  void answersRequestsInPiecesAndInRows();
  void survivesSilentClients();
  void survivesHandlersThatThrow();
  void servesManyOneAfterTheOther();
  void bindsAgainWhenItVanishes();
  void endsWhileClientsAreConnected();
  void clientGivesUp();
  void findsTheSocketOfARun();

 private:
  fs::path socket() const { return test::pathOf(dir_->filePath("control.sock")); }
  std::unique_ptr<QTemporaryDir> dir_;
};

void TestControl::answers() {
  const auto server = ControlServer::listen(socket(), [](const Json& request) { return Json{{"ok", true}, {"echo", request}}; });
  QVERIFY_OK(server);
  const Json request = {{"command", "set"}, {"values", {{"lr", 0.001}}}};
  const auto answer = sendControl(socket(), request);
  QVERIFY_OK(answer);
  QCOMPARE(*answer, (Json{{"ok", true}, {"echo", request}}));
}

void TestControl::passesErrorsOn() {
  const Error error{ErrorCode::OutOfMemory, "no room", "cuda:0", "use less"};
  Json answer = {{"ok", false}, {"error", toJson(error)}};
  const auto server = ControlServer::listen(socket(), [&](const Json&) { return answer; });
  QVERIFY_OK(server);
  const auto refused = sendControl(socket(), {{"command", "resume"}});
  QVERIFY(!refused);
  QCOMPARE(refused.error().code, ErrorCode::OutOfMemory);
  QCOMPARE(refused.error().what, std::string("no room"));
  QCOMPARE(refused.error().where, std::string("cuda:0"));
  QCOMPARE(refused.error().hint, std::string("use less"));
  for (const Json& bad : {Json{{"ok", false}}, Json{{"ok", false}, {"error", "no"}}, Json{{"ok", "yes"}}, Json{1, 2}, Json()}) {
    answer = bad;
    const auto result = sendControl(socket(), {{"command", "resume"}});
    QVERIFY2(!result, compactJson(bad).c_str());
    QCOMPARE(result.error().code, ErrorCode::Failed);
    QVERIFY(!result.error().what.empty());
  }
}

void TestControl::listensForThisUserOnly() {
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  struct stat info {};
  QCOMPARE(::lstat(socket().c_str(), &info), 0);
  QVERIFY(S_ISSOCK(info.st_mode));
  QCOMPARE(info.st_mode & 07777, mode_t(0600));
}

void TestControl::removesItsSocket() {
  {
    const auto server = ControlServer::listen(socket(), echo);
    QVERIFY_OK(server);
  }
  QVERIFY(!fs::exists(fs::symlink_status(socket())));
  {
    const auto server = ControlServer::listen(socket(), echo);
    QVERIFY_OK(server);
    fs::rename(socket(), socket().string() + ".mine");
    test::writeText(socket(), "another's");
  }
  QCOMPARE(test::textOf(socket()), std::string("another's"));
}

void TestControl::replacesWhatAKilledEngineLeft() {
  const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = addressOf(socket());
  QCOMPARE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(dead);
  QVERIFY(fs::exists(fs::symlink_status(socket())));
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
}

void TestControl::leavesALivingOneAlone() {
  const auto first = ControlServer::listen(socket(), echo);
  QVERIFY_OK(first);
  const auto second = ControlServer::listen(socket(), echo);
  QVERIFY(!second);
  QVERIFY2(second.error().what.find("another process listens") != std::string::npos, second.error().what.c_str());
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
}

void TestControl::refusesAFileInTheWayAndALongPath() {
  test::writeText(socket(), "a file");
  const auto in_the_way = ControlServer::listen(socket(), echo);
  QVERIFY(!in_the_way);
  QVERIFY2(in_the_way.error().what.find("Address already in use") != std::string::npos, in_the_way.error().what.c_str());
  QCOMPARE(test::textOf(socket()), std::string("a file"));
  const fs::path long_path = test::pathOf(dir_->filePath(QString(100, 'l')));
  for (const auto& error : {ControlServer::listen(long_path, echo).error(), sendControl(long_path, {}).error()}) {
    QCOMPARE(error.code, ErrorCode::Failed);
    QVERIFY2(error.what.find("the system allows 107") != std::string::npos, error.what.c_str());
  }
}

void TestControl::survivesBadLines() {
  std::atomic<int> handled = 0;
  const auto server = ControlServer::listen(socket(), [&](const Json& request) {
    ++handled;
    return echo(request);
  });
  QVERIFY_OK(server);
  RawClient client(socket());
  for (const std::string& bad : {std::string("garbage"), std::string(""), std::string("[]"), std::string("{}"), std::string(R"({"command":3})"),
                                 std::string("\xff\xfe\x00\x01", 4), std::string(R"({"command":"pause")")}) {
    QVERIFY(client.send(bad + "\n"));
    const Json answer = Json::parse(client.line(), nullptr, false);
    QVERIFY2(answer.is_object(), bad.c_str());
    QCOMPARE(answer.at("ok"), Json(false));
    QCOMPARE(answer.at("error").at("code"), Json("usage"));
  }
  QCOMPARE(handled.load(), 0);
  QVERIFY(client.send("{\"command\":\"pause\"}\r\n"));
  QCOMPARE(client.line(), std::string(R"({"ok":true,"heard":"pause"})"));
}

void TestControl::survivesLongLines() {
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  {
    RawClient client(socket());
    QVERIFY(client.send("{\"command\":\"pause\",\"padding\":\"" + std::string(1'000'000, 'p') + "\"}\n"));
    QCOMPARE(client.line(), std::string(R"({"ok":true,"heard":"pause"})"));
  }
  RawClient client(socket());
  std::string sent(1 << 16, 'x');
  for (int i = 0; i < 17 && client.send(sent); ++i) {
  }
  const Json answer = Json::parse(client.line(), nullptr, false);
  QVERIFY(answer.is_object());
  QCOMPARE(answer.at("error").at("code"), Json("usage"));
  QVERIFY(answer.at("error").at("what").get<std::string>().find("longer than 1048576 bytes") != std::string::npos);
  QCOMPARE(client.line(), std::string());
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
}

void TestControl::answersRequestsInPiecesAndInRows() {
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  RawClient client(socket());
  QVERIFY(client.send("{\"comm"));
  QVERIFY_OK(sendControl(socket(), {{"command", "stop"}}));  // another client meanwhile
  QVERIFY(client.send("and\":\"pause\"}\n{\"command\":\"resume\"}\n{\"command\":\"stop\"}\n"));
  client.endWriting();
  QCOMPARE(client.line(), std::string(R"({"ok":true,"heard":"pause"})"));
  QCOMPARE(client.line(), std::string(R"({"ok":true,"heard":"resume"})"));
  QCOMPARE(client.line(), std::string(R"({"ok":true,"heard":"stop"})"));
  QCOMPARE(client.line(), std::string());
}

void TestControl::survivesSilentClients() {
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 150; ++i) {
    silent.push_back(std::make_unique<RawClient>(socket()));
    QVERIFY(silent.back()->connected());
    if (i % 2 == 0) QVERIFY(silent.back()->send("{\"command\":"));
  }
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
  QCOMPARE(silent.front()->line(), std::string());  // the oldest made room
  QVERIFY(silent.back()->send("\n"));
  QVERIFY(silent.back()->line().starts_with(R"({"ok":false)"));
}

void TestControl::survivesHandlersThatThrow() {
  const auto server = ControlServer::listen(socket(), [](const Json& request) -> Json {
    if (request.at("command") == "set") return request.at("values").at("lr");
    return echo(request);
  });
  QVERIFY_OK(server);
  const auto thrown = sendControl(socket(), {{"command", "set"}});
  QVERIFY(!thrown);
  QCOMPARE(thrown.error().code, ErrorCode::Failed);
  QVERIFY2(thrown.error().what.find("values") != std::string::npos, thrown.error().what.c_str());
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
}

void TestControl::servesManyOneAfterTheOther() {
  int handled = 0;
  {
    const auto server = ControlServer::listen(socket(), [&](const Json& request) {
      ++handled;
      return echo(request);
    });
    QVERIFY_OK(server);
    for (int i = 0; i < 300; ++i) QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
  }
  QCOMPARE(handled, 300);
}

void TestControl::bindsAgainWhenItVanishes() {
  const fs::path folder = test::pathOf(dir_->filePath("sockets"));
  fs::create_directories(folder);
  const fs::path path = folder / "control.sock";
  const auto server = ControlServer::listen(path, echo);
  QVERIFY_OK(server);
  RawClient before(path);
  fs::remove(path);
  QVERIFY(!sendControl(path, {{"command", "pause"}}));
  QTRY_VERIFY_WITH_TIMEOUT(sendControl(path, {{"command", "pause"}}).has_value(), 2000);
  fs::remove_all(folder);
  QTRY_VERIFY_WITH_TIMEOUT(sendControl(path, {{"command", "pause"}}).has_value(), 2000);
  QCOMPARE(fs::status(path).permissions(), fs::perms(0600));
  QCOMPARE(fs::status(folder).permissions(), fs::perms(0700));
  QVERIFY(before.send("{\"command\":\"stop\"}\n"));  // who was connected stays connected
  QCOMPARE(before.line(), std::string(R"({"ok":true,"heard":"stop"})"));
}

void TestControl::endsWhileClientsAreConnected() {
  auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  RawClient silent(socket()), half(socket());
  QVERIFY(half.send("{\"command\""));
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
  server->reset();
  QCOMPARE(silent.line(), std::string());
  QCOMPARE(half.line(), std::string());
}

void TestControl::clientGivesUp() {
  const auto nobody = sendControl(socket(), {{"command", "pause"}});
  QVERIFY(!nobody);
  QCOMPARE(nobody.error().code, ErrorCode::Failed);
  QCOMPARE(nobody.error().where, socket().string());
  const auto server = ControlServer::listen(socket(), [](const Json& request) {
    if (request.at("command") == "stop") ::usleep(400'000);
    return echo(request);
  });
  QVERIFY_OK(server);
  const double before = steadySeconds();
  const auto late = sendControl(socket(), {{"command", "stop"}}, std::chrono::milliseconds(100));
  QVERIFY(!late);
  QVERIFY2(late.error().what.find("nothing came within 100 ms") != std::string::npos, late.error().what.c_str());
  QVERIFY(steadySeconds() - before >= 0.1);
  QVERIFY_OK(sendControl(socket(), {{"command", "pause"}}));
}

void TestControl::findsTheSocketOfARun() {
  const Layout run{test::pathOf(dir_->path())};
  const Json request = {{"command", "pause"}};
  QVERIFY(!control(run.dir, request));
  const auto server = ControlServer::listen(socket(), echo);
  QVERIFY_OK(server);
  QVERIFY_OK(writeState(run, {State::Running, 1, socket().string()}));
  const auto dead = control(run.dir, request);
  QVERIFY(!dead);
  QCOMPARE(dead.error().code, ErrorCode::Usage);
  QVERIFY(dead.error().what.find("unexpectedly") != std::string::npos);

  const auto lock = RunLock::take(run.dir);
  QVERIFY_OK(lock);
  QVERIFY_OK(control(run.dir, request));
  QVERIFY_OK(writeState(run, {State::Starting, 1}));
  const auto early = control(run.dir, request);
  QVERIFY(!early);
  QCOMPARE(early.error().code, ErrorCode::Failed);
  QVERIFY_OK(writeState(run, {State::Finished, 1}));
  const auto over = control(run.dir, request);
  QVERIFY(!over);
  QCOMPARE(over.error().code, ErrorCode::Usage);
  QVERIFY(over.error().what.find("it is finished") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
