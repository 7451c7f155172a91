
#include <QDateTime>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "core/runs/run_directory.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestRunDirectory : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { qunsetenv("TRAINYARD_RUNS"); }
  void namesRuns_data();
  void namesRuns();
  void findsAFreePath();
  void createsARun();
  void refusesAFolderInUse();
  void saysWhyItCannotCreate();
  void writesAndReadsState_data();
  void writesAndReadsState();
  void liveWithoutALockReadsAsFailed_data();
  void liveWithoutALockReadsAsFailed();
  void readersWriteNothing();
  void refusesDamagedState_data();
  void refusesDamagedState();
  void findsRuns_data();
  void findsRuns();
  void findsRunsByPath();
  void findsNothing_data();
  void findsNothing();

 private:
  fs::path home() const { return test::pathOf(dir_->path()); }
  void makeRun(const std::string& id) { test::writeText(home() / id / "state.json", R"({"state":"finished"})"); }
  std::unique_ptr<QTemporaryDir> dir_;
};

void TestRunDirectory::init() {
  dir_ = std::make_unique<QTemporaryDir>();
  qputenv("TRAINYARD_RUNS", dir_->path().toUtf8());
}

void TestRunDirectory::namesRuns_data() {
  QTest::addColumn<QByteArray>("name");
  QTest::addColumn<QByteArray>("ending");
  QTest::newRow("plain") << QByteArray("flowers-7") << QByteArray("flowers-7");
  QTest::newRow("blanks and slashes") << QByteArray("my flowers / roses\\2") << QByteArray("my-flowers-roses-2");
  QTest::newRow("shell") << QByteArray("a$(b);c|d*?\"'<>&:e\n") << QByteArray("a-b-c-d-e");
  QTest::newRow("hidden") << QByteArray("..hidden.") << QByteArray("hidden");
  QTest::newRow("Chinese") << QByteArray("花朵 识别") << QByteArray("花朵-识别");
  QTest::newRow("kept") << QByteArray("v1.2_b") << QByteArray("v1.2_b");
  QTest::newRow("empty") << QByteArray("") << QByteArray("run");
  QTest::newRow("nothing left") << QByteArray("/ / .") << QByteArray("run");
  QTest::newRow("long, cut between characters") << QByteArray("花").repeated(50) << QByteArray("花").repeated(33);
}

void TestRunDirectory::namesRuns() {
  QFETCH(QByteArray, name);
  QFETCH(QByteArray, ending);
  const QDateTime before = QDateTime::currentDateTime();
  const QString id = QString::fromStdString(makeRunId(name.toStdString()));
  QVERIFY2(QRegularExpression(R"(^\d{8}-\d{6}-)").match(id).hasMatch(), qPrintable(id));
  QCOMPARE(id.mid(16).toUtf8(), ending);
  const QDateTime stamp = QDateTime::fromString(id.left(15), "yyyyMMdd-hhmmss");
  QVERIFY(stamp.secsTo(before) <= 1 && before.secsTo(stamp) <= 5);
}

void TestRunDirectory::findsAFreePath() {
  // The clock may move on between the calls: then there is nothing to tell apart, and another try is made.
  for (int i = 0; i < 20; ++i) {
    const fs::path first = freeRunPath(home(), "a");
    fs::create_directories(first);
    const fs::path second = freeRunPath(home(), "a");
    if (second.filename().string().substr(0, 15) != first.filename().string().substr(0, 15)) continue;
    QCOMPARE(second, fs::path(first.string() + "-2"));
    return;
  }
  QFAIL("the clock never stood still");
}

void TestRunDirectory::createsARun() {
  const fs::path dir = home() / "deep" / "run";
  const auto run = createRun(dir);
  QVERIFY_OK(run);
  QCOMPARE(run->dir, dir);
  for (const char* folder : {"checkpoints", "samples", "exports"}) QVERIFY(fs::is_directory(dir / folder));
  fs::create_directories(home() / "empty");
  QVERIFY_OK(createRun(home() / "empty"));
}

void TestRunDirectory::refusesAFolderInUse() {
  test::writeText(home() / "used" / "a.txt", "a");
  const auto used = createRun(home() / "used");
  QVERIFY(!used);
  QCOMPARE(used.error().code, ErrorCode::Failed);
  QVERIFY(used.error().what.find("not empty") != std::string::npos);
  QVERIFY(!fs::exists(home() / "used" / "checkpoints"));
  QVERIFY(!createRun(home() / "used" / "a.txt"));
}

void TestRunDirectory::saysWhyItCannotCreate() {
  test::writeText(home() / "file", "a");
  const auto below_a_file = createRun(home() / "file" / "run");
  QVERIFY(!below_a_file);
  QCOMPARE(below_a_file.error().where, (home() / "file" / "run").string());
  QVERIFY2(below_a_file.error().what.find("Not a directory") != std::string::npos, below_a_file.error().what.c_str());
  const auto nowhere_to_write = createRun("/proc/trainyard-run");
  QVERIFY(!nowhere_to_write);
  QVERIFY(nowhere_to_write.error().hint.find("--run-dir") != std::string::npos);
}

void TestRunDirectory::writesAndReadsState_data() {
  QTest::addColumn<int>("state");
  QTest::addColumn<QByteArray>("name");
  QTest::newRow("queued") << int(State::Queued) << QByteArray("queued");
  QTest::newRow("starting") << int(State::Starting) << QByteArray("starting");
  QTest::newRow("running") << int(State::Running) << QByteArray("running");
  QTest::newRow("paused") << int(State::Paused) << QByteArray("paused");
  QTest::newRow("finished") << int(State::Finished) << QByteArray("finished");
  QTest::newRow("failed") << int(State::Failed) << QByteArray("failed");
  QTest::newRow("stopped") << int(State::Stopped) << QByteArray("stopped");
}

void TestRunDirectory::writesAndReadsState() {
  QFETCH(int, state);
  QFETCH(QByteArray, name);
  const Layout run{home()};
  const auto lock = RunLock::take(home());
  QVERIFY_OK(lock);
  QVERIFY_OK(writeState(run, {State(state), 4711, "/run/a.sock", true, 1764524378.1234}));
  const Json json = Json::parse(test::textOf(run.state()));
  QCOMPARE(json, (Json{{"state", name.toStdString()}, {"pid", 4711}, {"socket", "/run/a.sock"}, {"released", true}, {"changed", 1764524378.123}}));
  const auto seen = readState(run);
  QVERIFY_OK(seen);
  QCOMPARE(int(seen->state.state), state);
  QCOMPARE(stateName(seen->state.state), std::string_view(name.constData()));
  QCOMPARE(seen->state.pid, int64_t(4711));
  QCOMPARE(seen->state.socket, std::string("/run/a.sock"));
  QVERIFY(seen->state.released);
  QCOMPARE(seen->state.changed, 1764524378.123);
  QVERIFY(!seen->unexpected_end);
}

void TestRunDirectory::liveWithoutALockReadsAsFailed_data() {
  QTest::addColumn<int>("written");
  QTest::addColumn<int>("read");
  QTest::newRow("queued") << int(State::Queued) << int(State::Queued);
  QTest::newRow("starting") << int(State::Starting) << int(State::Failed);
  QTest::newRow("running") << int(State::Running) << int(State::Failed);
  QTest::newRow("paused") << int(State::Paused) << int(State::Failed);
  QTest::newRow("finished") << int(State::Finished) << int(State::Finished);
  QTest::newRow("stopped") << int(State::Stopped) << int(State::Stopped);
}

void TestRunDirectory::liveWithoutALockReadsAsFailed() {
  QFETCH(int, written);
  QFETCH(int, read);
  const Layout run{home()};
  QVERIFY_OK(writeState(run, {State(written), 1, "/run/a.sock"}));
  const auto seen = readState(run);
  QVERIFY_OK(seen);
  QCOMPARE(int(seen->state.state), read);
  QCOMPARE(seen->unexpected_end, written != read);
  if (written != read) QVERIFY(seen->state.socket.empty());
}

void TestRunDirectory::readersWriteNothing() {
  const Layout run{home()};
  test::writeText(run.state(), R"({"state":"running","pid":1})");
  const auto stamp = fs::last_write_time(run.state());
  QVERIFY_OK(readState(run));
  QCOMPARE(test::textOf(run.state()), std::string(R"({"state":"running","pid":1})"));
  QVERIFY(fs::last_write_time(run.state()) == stamp);
  QVERIFY(!fs::exists(run.lock()));
}

void TestRunDirectory::refusesDamagedState_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("empty") << QByteArray("");
  QTest::newRow("torn") << QByteArray(R"({"state":"run)");
  QTest::newRow("list") << QByteArray("[]");
  QTest::newRow("no state") << QByteArray("{}");
  QTest::newRow("unknown state") << QByteArray(R"({"state":"dancing"})");
  QTest::newRow("state is a number") << QByteArray(R"({"state":3})");
}

void TestRunDirectory::refusesDamagedState() {
  QFETCH(QByteArray, text);
  const Layout run{home()};
  test::writeText(run.state(), text.toStdString());
  const auto seen = readState(run);
  QVERIFY(!seen);
  QCOMPARE(seen.error().code, ErrorCode::Data);
  QCOMPARE(seen.error().where, run.state().string());
}

void TestRunDirectory::findsRuns_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("id");
  QTest::newRow("id") << "20260101-120000-digits"
                      << "20260101-120000-digits";
  QTest::newRow("latest") << "latest"
                          << "20260301-120000-roses-2";
  QTest::newRow("ending") << "digits"
                          << "20260101-120000-digits";
  QTest::newRow("beginning") << "202602"
                             << "20260201-120000-roses";
  QTest::newRow("beginning with a name") << "20260301-120000-roses"
                                         << "20260301-120000-roses-2";
}

void TestRunDirectory::findsRuns() {
  QFETCH(QString, word);
  QFETCH(QString, id);
  for (const char* run : {"20260101-120000-digits", "20260201-120000-roses", "20260301-120000-roses-2"}) makeRun(run);
  fs::create_directories(home() / "starting");  // not a run
  const auto found = findRun(word.toStdString());
  QVERIFY_OK(found);
  QCOMPARE(found->dir, home() / id.toStdString());
}

void TestRunDirectory::findsRunsByPath() {
  makeRun("elsewhere/mine");
  for (const std::string& text : {(home() / "elsewhere/mine").string(), (home() / "elsewhere/mine/").string(), (home() / "elsewhere/./mine").string()}) {
    const auto found = findRun(text);
    QVERIFY_OK(found);
    QCOMPARE(found->dir, home() / "elsewhere/mine");
  }
  const auto before = fs::current_path();
  fs::current_path(home() / "elsewhere");
  const auto by_name = findRun("mine");
  fs::current_path("mine");
  const auto here = findRun(".");
  fs::current_path(before);
  QVERIFY_OK(by_name);
  QVERIFY_OK(here);
  QCOMPARE(fs::canonical(by_name->dir), fs::canonical(home() / "elsewhere/mine"));
  QCOMPARE(fs::canonical(here->dir), fs::canonical(home() / "elsewhere/mine"));
}

void TestRunDirectory::findsNothing_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("part");
  QTest::newRow("misspelt name") << "digitz"
                                 << "digits";
  QTest::newRow("misspelt id") << "20260101-120000-digitz"
                               << "nearest is 20260101-120000-digits";
  QTest::newRow("far from any") << "zzzzzzzzzzzz"
                                << "20260301-120000-roses";
  QTest::newRow("several") << "roses"
                           << "20260301-120000-roses, 20260201-120000-roses";
  QTest::newRow("empty") << ""
                         << "latest";
  QTest::newRow("no such folder") << "/nowhere/at/all"
                                  << "no such folder";
  QTest::newRow("not a run") << "/proc"
                             << "not a run";
}

void TestRunDirectory::findsNothing() {
  QFETCH(QString, word);
  QFETCH(QString, part);
  for (const char* run : {"20260101-120000-digits", "20260201-120000-roses", "20260301-120000-roses"}) makeRun(run);
  const auto found = findRun(word.toStdString());
  QVERIFY(!found);
  QCOMPARE(found.error().code, ErrorCode::Usage);
  QVERIFY2(QString::fromStdString(toText(found.error())).contains(part), toText(found.error()).c_str());
}

QTEST_APPLESS_MAIN(TestRunDirectory)
#include "tst_run_directory.moc"
