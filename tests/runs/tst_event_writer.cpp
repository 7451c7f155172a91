#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "core/base/units.h"
#include "core/runs/event_log.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;
namespace fs = std::filesystem;

class TestEventWriter : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void setsSeqAndTime();
  void goesOnAfterReopening();
  void cutsATornTail_data();
  void cutsATornTail();
  void findsSeqBehindUnreadableLines();
  void leavesNoTornLineWhenTheFileMayNotGrow();
  void survivesAFullDisk();
  void takesEventsFromManyThreads();
  void saysWhyItCannotOpen();
};

namespace {

std::vector<Event> eventsIn(const fs::path& file) {
  EventReader reader(file);
  auto news = reader.poll();
  return news ? news->events : std::vector<Event>{};
}

// Limits the size of files for its life; a longer write fails half-way instead of ending the process.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

void TestEventWriter::setsSeqAndTime() {
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  auto writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  const double before = unixTime();
  Event event = test::makeEvent("step", 10, {{"loss", 1.5}});
  event.seq = 77;
  event.time = 3;
  QVERIFY_OK((*writer)->append(event));
  QVERIFY_OK((*writer)->append(test::makeEvent("paused")));
  QVERIFY_OK((*writer)->sync());
  const auto events = eventsIn(file);
  QCOMPARE(events.size(), size_t(2));
  QCOMPARE(events[0].seq, uint64_t(1));
  QCOMPARE(events[1].seq, uint64_t(2));
  QVERIFY(events[0].time >= before - 0.001 && events[0].time <= unixTime() + 0.001);
  QCOMPARE(events[0].number("loss"), 1.5);
}

void TestEventWriter::goesOnAfterReopening() {
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  for (int64_t step = 1; step <= 3; ++step) {
    auto writer = EventWriter::open(file);
    QVERIFY_OK(writer);
    QVERIFY_OK((*writer)->append(test::makeEvent("step", step)));
  }
  const auto events = eventsIn(file);
  QCOMPARE(test::brief(events), QString("step 1, step 2, step 3"));
  QCOMPARE(events[2].seq, uint64_t(3));
}

void TestEventWriter::cutsATornTail_data() {
  QTest::addColumn<QByteArray>("tail");
  QTest::newRow("nothing") << QByteArray();
  QTest::newRow("half a line") << QByteArray(R"({"type":"step","seq":3,"lo)");
  QTest::newRow("a whole object without newline") << QByteArray(R"({"type":"step","seq":3})");
  QTest::newRow("zeros after a power cut") << QByteArray(4096, '\0');
  QTest::newRow("longer than a block") << QByteArray(200'000, 'x');
}

void TestEventWriter::cutsATornTail() {
  QFETCH(QByteArray, tail);
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  const std::string whole = "{\"type\":\"run_started\",\"seq\":1,\"time\":1.0}\n{\"type\":\"step\",\"seq\":2,\"time\":2.0,\"step\":1}\n";
  test::writeText(file, whole + tail.toStdString());
  auto writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  QCOMPARE(test::textOf(file), whole);
  QVERIFY_OK((*writer)->append(test::makeEvent("resumed", 1)));
  const auto events = eventsIn(file);
  QCOMPARE(test::brief(events), QString("run_started, step 1, resumed 1"));
  QCOMPARE(events[2].seq, uint64_t(3));
}

void TestEventWriter::findsSeqBehindUnreadableLines() {
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  test::writeText(file, "{\"type\":\"step\",\"seq\":41}\ngarbage\n" + std::string(100'000, 'y') + "\n");
  auto writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  QVERIFY_OK((*writer)->append(test::makeEvent("paused")));
  QCOMPARE(eventsIn(file).back().seq, uint64_t(42));
  test::writeText(file, "garbage only\n");
  writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  QVERIFY_OK((*writer)->append(test::makeEvent("paused")));
  QCOMPARE(eventsIn(file).back().seq, uint64_t(1));
}

void TestEventWriter::leavesNoTornLineWhenTheFileMayNotGrow() {
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  auto writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  QVERIFY_OK((*writer)->append(test::makeEvent("step", 1)));
  const std::string whole = test::textOf(file);
  Result<void> result;
  {
    const FileSizeLimit limit(whole.size() + 10);  // ten bytes of the next line fit
    result = (*writer)->append(test::makeEvent("step", 2));
  }
  QVERIFY(!result);
  QCOMPARE(result.error().code, ErrorCode::Failed);
  QVERIFY(result.error().hint.find("free some space") != std::string::npos);
  QCOMPARE(test::textOf(file), whole);
  QVERIFY_OK((*writer)->append(test::makeEvent("step", 3)));
  const auto events = eventsIn(file);
  QCOMPARE(test::brief(events), QString("step 1, step 3"));
  QCOMPARE(events[1].seq, uint64_t(2));
}

void TestEventWriter::survivesAFullDisk() {
  QTemporaryDir dir;
  const std::string place = dir.path().toStdString();
  if (::mount("tmpfs", place.c_str(), "tmpfs", 0, "size=64k") != 0) QSKIP("mounting a small disk needs root; the limit on file sizes is tested above");
  {
    const fs::path file = fs::path(place) / "events.jsonl";
    auto writer = EventWriter::open(file);
    QVERIFY_OK(writer);
    uint64_t written = 0;
    Result<void> result;
    while (written < 10'000 && (result = (*writer)->append(test::makeEvent("step", 1, {{"note", std::string(500, 'n')}})))) ++written;
    QVERIFY(!result);
    QVERIFY2(result.error().what.find("No space left") != std::string::npos, result.error().what.c_str());
    QVERIFY(written > 50 && written < 200);
    QCOMPARE(test::textOf(file).back(), '\n');
    QCOMPARE(eventsIn(file).size(), size_t(written));
    (void)(*writer)->append(test::makeEvent("notice"));
    QCOMPARE(test::textOf(file).back(), '\n');
    QCOMPARE(::mount("tmpfs", place.c_str(), "tmpfs", MS_REMOUNT, "size=256k"), 0);
    QVERIFY_OK((*writer)->append(test::makeEvent("finished", 1)));
    QCOMPARE(eventsIn(file).back().type, std::string("finished"));
  }
  QCOMPARE(::umount(place.c_str()), 0);
}

void TestEventWriter::takesEventsFromManyThreads() {
  QTemporaryDir dir;
  const fs::path file = test::pathOf(dir.filePath("events.jsonl"));
  auto writer = EventWriter::open(file);
  QVERIFY_OK(writer);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 250; ++i) (void)(*writer)->append(test::makeEvent("device", {}, {{"device", thread}, {"i", i}}));
      });
    }
  }
  const auto events = eventsIn(file);
  QCOMPARE(events.size(), size_t(1000));
  std::vector<int> next(4);
  for (size_t i = 0; i < events.size(); ++i) {
    QCOMPARE(events[i].seq, uint64_t(i + 1));
    QCOMPARE(int(events[i].number("i")), next[size_t(events[i].number("device"))]++);
  }
}

void TestEventWriter::saysWhyItCannotOpen() {
  QTemporaryDir dir;
  const auto missing = EventWriter::open(test::pathOf(dir.filePath("nowhere/events.jsonl")));
  QVERIFY(!missing);
  QVERIFY2(missing.error().what.find("No such file") != std::string::npos, missing.error().what.c_str());
  QVERIFY(missing.error().where.ends_with("nowhere/events.jsonl"));
  const auto folder = EventWriter::open(test::pathOf(dir.path()));
  QVERIFY(!folder);
  const auto device = EventWriter::open("/dev/null");
  QVERIFY(!device);
  QVERIFY(device.error().what.find("not a regular file") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestEventWriter)
#include "tst_event_writer.moc"
