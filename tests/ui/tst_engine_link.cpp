// Starting, resuming and talking to engines, and following what they write.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QtTest>

#include "core/recipe/recipe.h"
#include "fake_engine.h"
#include "ui/engine_link/engine_link.h"
#include "ui/engine_link/process_watch.h"
#include "ui/engine_link/run_follower.h"

using namespace trainyard;
using namespace trainyard::ui;

class TestEngineLink : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void startsAndFollows();
  void twoStartsInOneSecond();
  void relativePathsBecomeAbsolute();
  void failureBeforeTheRun_data();
  void failureBeforeTheRun();
  void missingProgram();
  void controlAnswers();
  void controlWithoutAnEngine();
  void controlAfterTheAskerIsGone();
  void killedEngineIsSeenAndResumed();
  void followsATornLine();
  void longHistoryComesInSlices();
  void zombiesAreDead();

 private:
  Json recipe(const QString& name) { return recipe::parseToml(test::recipeToml(name).toStdString(), "test.toml")->document; }
  QString startAndWait(EngineLink& link, const QString& name);
  runs::RunState stateOf(const QString& dir) { return runs::readState(runs::Layout{dir.toStdString()})->state; }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestEngineLink::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  test::useFolder(folder_->path());
}

void TestEngineLink::cleanup() {
  EngineLink link;
  for (const QString& dir : link.liveRuns()) ::kill(static_cast<pid_t>(stateOf(dir).pid), SIGKILL);
  QTRY_VERIFY(link.liveRuns().isEmpty());
}

QString TestEngineLink::startAndWait(EngineLink& link, const QString& name) {
  QSignalSpy started(&link, &EngineLink::started);
  const auto dir = link.start(recipe(name));
  if (!dir) qFatal("%s", toText(dir.error()).c_str());
  if (started.isEmpty() && !started.wait(10000)) qFatal("did not start");
  return *dir;
}

void TestEngineLink::startsAndFollows() {
  qputenv("FAKE_STEPS", "60");
  EngineLink link;
  const QString dir = startAndWait(link, "flowers");
  QVERIFY(dir.startsWith(folder_->filePath("runs/")));
  QVERIFY(dir.endsWith("-flowers"));
  QVERIFY(link.startingRuns().isEmpty());
  RunFollower follower;
  QSignalSpy restarted(&follower, &RunFollower::restarted), states(&follower, &RunFollower::stateChanged);
  size_t events = 0;
  connect(&follower, &RunFollower::appended, this, [&](const std::vector<runs::Event>& batch) { events += batch.size(); });
  follower.open(dir);
  QCOMPARE(restarted.count(), 1);
  QTRY_COMPARE_WITH_TIMEOUT(follower.seen().state.state, runs::State::Finished, 10000);
  QTRY_COMPARE(follower.history().back().type, std::string("finished"));
  QCOMPARE(events, follower.history().size());
  QVERIFY(states.count() >= 2);
  QVERIFY(!follower.live());
  QVERIFY(link.liveRuns().isEmpty());
  QVERIFY2(!QFile::exists(folder_->filePath("data/trainyard/starting/") + QFileInfo(dir).fileName() + ".toml"), "the recipe written aside is gone");
}

void TestEngineLink::twoStartsInOneSecond() {
  EngineLink link;
  const auto first = link.start(recipe("twin")), second = link.start(recipe("twin"));
  QVERIFY(first && second);
  QVERIFY(*first != *second);
  QTRY_COMPARE_WITH_TIMEOUT(link.liveRuns().size(), 2, 10000);
}

void TestEngineLink::relativePathsBecomeAbsolute() {
  EngineLink link;
  Json document = recipe("flowers");
  document["data"]["path"] = "../digits";
  document["data"]["validation"] = "auto";
  const auto dir = link.start(document, "/recipes/here");
  QVERIFY(dir);
  QTRY_VERIFY_WITH_TIMEOUT(!link.liveRuns().isEmpty(), 10000);
  const auto text = readFile(runs::Layout{dir->toStdString()}.recipe());
  QVERIFY(text);
  QVERIFY(QString::fromStdString(*text).contains("\"/recipes/digits\""));
  QVERIFY(QString::fromStdString(*text).contains("\"auto\""));
}

void TestEngineLink::failureBeforeTheRun_data() {
  QTest::addColumn<QByteArray>("trouble");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("what");
  QTest::newRow("its own error") << QByteArray("start") << static_cast<int>(ErrorCode::Data) << QStringLiteral("The folder is empty.");
  QTest::newRow("no word on stdout") << QByteArray("crash") << static_cast<int>(ErrorCode::Failed) << QStringLiteral("cannot open libsomething.so");
}

void TestEngineLink::failureBeforeTheRun() {
  QFETCH(QByteArray, trouble);
  QFETCH(int, code);
  QFETCH(QString, what);
  qputenv("FAKE_TROUBLE", trouble);
  EngineLink link;
  QSignalSpy started(&link, &EngineLink::started);
  Error error;
  QString where;
  connect(&link, &EngineLink::startFailed, this, [&](const Error& e, const QString& dir) {
    error = e;
    where = dir;
  });
  const auto dir = link.start(recipe("flowers"));
  QVERIFY(dir);
  QTRY_COMPARE_WITH_TIMEOUT(where, *dir, 10000);
  QCOMPARE(static_cast<int>(error.code), code);
  QCOMPARE(QString::fromStdString(error.what), what);
  QVERIFY(started.isEmpty());
}

void TestEngineLink::missingProgram() {
  qputenv("TRAINYARD_ENGINE", "/nowhere/trainyard");
  EngineLink link;
  const auto dir = link.start(recipe("flowers"));
  QVERIFY(!dir);
  QCOMPARE(QString::fromStdString(dir.error().where), QStringLiteral("/nowhere/trainyard"));
  QVERIFY(!dir.error().hint.empty());
}

void TestEngineLink::controlAnswers() {
  qputenv("FAKE_STEPS", "100000");
  EngineLink link;
  const QString dir = startAndWait(link, "flowers");
  const auto ask = [&](const Json& request) {
    std::optional<Result<Json>> answer;
    link.control(dir, request, this, [&](const Result<Json>& given) { answer = given; });
    return QTest::qWaitFor([&] { return answer.has_value(); }, 10000) ? *answer : Result<Json>(fail(ErrorCode::Failed, "no answer"));
  };
  QVERIFY(ask({{"command", "pause"}}));
  QCOMPARE(stateOf(dir).state, runs::State::Paused);
  QVERIFY(ask({{"command", "resume"}}));
  QCOMPARE(stateOf(dir).state, runs::State::Running);
  const auto refused = ask({{"command", "set"}, {"values", {{"lr", 11}}}});
  QVERIFY(!refused);
  QCOMPARE(refused.error().what, std::string("The learning rate 11 is too high."));
  QVERIFY(ask({{"command", "stop"}}));
  QTRY_COMPARE_WITH_TIMEOUT(stateOf(dir).state, runs::State::Stopped, 10000);
}

void TestEngineLink::controlWithoutAnEngine() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 10);
  EngineLink link;
  bool refused = false;
  link.control(dir, {{"command", "pause"}}, this, [&](const Result<Json>& answer) { refused = !answer; });
  QTRY_VERIFY_WITH_TIMEOUT(refused, 10000);
}

void TestEngineLink::controlAfterTheAskerIsGone() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 10);
  EngineLink link;
  bool called = false, second = false;
  auto asker = std::make_unique<QObject>();
  link.control(dir, {{"command", "pause"}}, asker.get(), [&](const Result<Json>&) { called = true; });
  asker.reset();
  QTRY_VERIFY(QThreadPool::globalInstance()->activeThreadCount() == 0);
  link.control(dir, {{"command", "pause"}}, this, [&](const Result<Json>&) { second = true; });
  QTRY_VERIFY_WITH_TIMEOUT(second, 10000);
  QVERIFY(!called);
}

void TestEngineLink::killedEngineIsSeenAndResumed() {
  qputenv("FAKE_STEPS", "400");
  EngineLink link;
  const QString dir = startAndWait(link, "flowers");
  RunFollower follower;
  follower.open(dir);
  QTRY_VERIFY_WITH_TIMEOUT(!follower.history().empty() && follower.history().back().step.value_or(0) > 120, 20000);
  ::kill(static_cast<pid_t>(follower.seen().state.pid), SIGKILL);
  QTRY_VERIFY_WITH_TIMEOUT(follower.seen().unexpected_end, 5000);
  QVERIFY(!follower.live());
  QVERIFY(link.liveRuns().isEmpty());
  QSignalSpy started(&link, &EngineLink::started);
  QVERIFY(link.resume(dir));
  QVERIFY(started.wait(10000));
  follower.pollNow();
  const auto resumed = [&] {
    return std::find_if(follower.history().begin(), follower.history().end(), [](const runs::Event& e) { return e.type == "resumed"; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(resumed() != follower.history().end(), 10000);
  QCOMPARE(*resumed()->step, 100);
  const auto late = std::find_if(follower.history().begin(), resumed(), [](const runs::Event& e) { return e.type == "step" && *e.step > 100; });
  QVERIFY2(late == resumed(), "steps after the checkpoint are undone");
  QVERIFY(follower.live());
}

void TestEngineLink::followsATornLine() {
  const QString dir = folder_->filePath("runs/torn");
  test::writeFinishedRun(dir, "torn", 4);
  RunFollower follower;
  follower.open(dir);
  QTRY_VERIFY(follower.caughtUp());
  const auto before = follower.history().size();
  QFile file(dir + "/events.jsonl");
  QVERIFY(file.open(QIODevice::Append));
  file.write(R"({"type":"step","seq":99,"time":1.0,"step":5,"lo)");
  file.flush();
  follower.pollNow();
  QTest::qWait(50);
  QCOMPARE(follower.history().size(), before);
  file.write("ss\":0.5}\n");
  file.flush();
  follower.pollNow();
  QTRY_COMPARE(follower.history().size(), before + 1);
  QCOMPARE(follower.history().back().number("loss"), 0.5);
}

void TestEngineLink::longHistoryComesInSlices() {
  const QString dir = folder_->filePath("runs/long");
  test::writeFinishedRun(dir, "long", 9000);
  RunFollower follower;
  int batches = 0;
  connect(&follower, &RunFollower::appended, this, [&](const std::vector<runs::Event>&) { ++batches; });
  follower.open(dir);
  QVERIFY(!follower.caughtUp());
  QTRY_VERIFY_WITH_TIMEOUT(follower.caughtUp(), 10000);
  QCOMPARE(batches, 3);
  QCOMPARE(follower.history().size(), size_t{9000 + 4 + 2});
}

void TestEngineLink::zombiesAreDead() {
  QVERIFY(processAlive(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  QTRY_VERIFY(!processAlive(child));
  int status = 0;
  ::waitpid(child, &status, 0);
  QVERIFY(!processAlive(child));
  QVERIFY(!processAlive(0));
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  QCoreApplication app(argc, argv);
  TestEngineLink test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_engine_link.moc"
