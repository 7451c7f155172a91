#include <QTemporaryDir>
#include <QTest>

#include "core/runs/event_log.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;
namespace fs = std::filesystem;

class TestEventReader : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void waitsForAFile();
  void followsSlowPartialWrites();
  void handsOutInPortions();
  void skipsUnreadableLines();
  void readsVeryLongLines();
  void startsOverWhenTheFileIsReplaced();
  void startsOverWhenTheFileIsShortened();
  void startsOverWhenTheSameFileIsWrittenAnew();
  void neverMixesATornTailWithWhatFollows();
  void saysWhyItCannotRead();
  void historyDropsWhatWasUndone_data();
  void historyDropsWhatWasUndone();
  void historyOfALongRun();
  void historyNeedsAFile();

 private:
  fs::path file() const { return test::pathOf(dir_->filePath("events.jsonl")); }
  std::unique_ptr<QTemporaryDir> dir_;
};

namespace {

std::string line(const std::string& type, int64_t step) { return toLine(test::makeEvent(type, step)) + "\n"; }

// "restarted: step 1, step 2 | skipped 0"
QString next(EventReader& reader, size_t limit = SIZE_MAX) {
  const auto news = reader.poll(limit);
  if (!news) return "error: " + QString::fromStdString(news.error().what);
  return (news->restarted ? "restarted: " : "") + test::brief(news->events);
}

}  // namespace

void TestEventReader::waitsForAFile() {
  EventReader reader(file());
  QCOMPARE(next(reader), QString());
  test::writeText(file(), "");
  QCOMPARE(next(reader), QString());
  test::appendText(file(), line("step", 1));
  QCOMPARE(next(reader), QString("step 1"));
  QCOMPARE(next(reader), QString());
}

void TestEventReader::followsSlowPartialWrites() {
  EventReader reader(file());
  const std::string text = line("run_started", 0) + line("step", 1) + line("eval", 1);
  int lines = 0;
  for (const char c : text) {
    test::appendText(file(), std::string(1, c));
    const auto news = reader.poll();
    QVERIFY_OK(news);
    QVERIFY(!news->restarted);
    QCOMPARE(news->events.size(), size_t(c == '\n'));
    lines += c == '\n';
  }
  QCOMPARE(lines, 3);
  QCOMPARE(reader.skippedLines(), uint64_t(0));
}

void TestEventReader::handsOutInPortions() {
  std::string text;
  for (int64_t step = 1; step <= 7; ++step) text += line("step", step);
  test::writeText(file(), text);
  EventReader reader(file());
  QCOMPARE(next(reader, 3), QString("step 1, step 2, step 3"));
  test::appendText(file(), line("step", 8));
  QCOMPARE(next(reader, 3), QString("step 4, step 5, step 6"));
  QCOMPARE(next(reader, 3), QString("step 7, step 8"));
  QCOMPARE(next(reader, 3), QString());
  QCOMPARE(next(reader, 0), QString());
}

void TestEventReader::skipsUnreadableLines() {
  test::writeText(file(), line("step", 1) + "garbage\n\n[1]\n" + line("step", 2) + "{\"type\":\n");
  EventReader reader(file());
  QCOMPARE(next(reader), QString("step 1, step 2"));
  QCOMPARE(reader.skippedLines(), uint64_t(3));
}

void TestEventReader::readsVeryLongLines() {
  const std::string text(3'000'000, 't');
  test::writeText(file(), line("step", 1) + toLine(test::makeEvent("notice", {}, {{"text", text}})) + "\n" + line("step", 2));
  EventReader reader(file());
  const auto news = reader.poll();
  QVERIFY_OK(news);
  QCOMPARE(test::brief(news->events), QString("step 1, notice, step 2"));
  QCOMPARE(news->events[1].fields.at("text").get<std::string>(), text);
}

void TestEventReader::startsOverWhenTheFileIsReplaced() {
  test::writeText(file(), line("step", 1));
  EventReader reader(file());
  QCOMPARE(next(reader), QString("step 1"));
  const fs::path other = test::pathOf(dir_->filePath("other"));
  test::writeText(other, line("step", 1) + line("step", 2));
  fs::rename(other, file());
  QCOMPARE(next(reader), QString("restarted: step 1, step 2"));
  fs::remove(file());
  QCOMPARE(next(reader), QString());
  test::writeText(file(), line("step", 5));
  QCOMPARE(next(reader), QString("restarted: step 5"));
}

void TestEventReader::startsOverWhenTheFileIsShortened() {
  test::writeText(file(), line("step", 1) + line("step", 2));
  EventReader reader(file());
  QCOMPARE(next(reader), QString("step 1, step 2"));
  fs::resize_file(file(), line("step", 1).size());
  QCOMPARE(next(reader), QString("restarted: step 1"));
}

void TestEventReader::startsOverWhenTheSameFileIsWrittenAnew() {
  test::writeText(file(), line("step", 1));
  EventReader reader(file());
  QCOMPARE(next(reader), QString("step 1"));
  test::writeText(file(), line("eval", 7) + line("eval", 8));  // the same inode, longer than before
  QCOMPARE(next(reader), QString("restarted: eval 7, eval 8"));
}

void TestEventReader::neverMixesATornTailWithWhatFollows() {
  test::writeText(file(), line("step", 1) + R"({"type":"step","seq":2,"ti)");
  EventReader reader(file());
  QCOMPARE(next(reader), QString("step 1"));
  auto writer = EventWriter::open(file());
  QVERIFY_OK(writer);
  QVERIFY_OK((*writer)->append(test::makeEvent("resumed", 1, {{"devices", {"cpu"}}})));
  QCOMPARE(next(reader), QString("resumed 1"));
  QCOMPARE(reader.skippedLines(), uint64_t(0));
}

void TestEventReader::saysWhyItCannotRead() {
  EventReader reader(test::pathOf(dir_->path()));
  const auto news = reader.poll();
  QVERIFY(!news);
  QCOMPARE(news.error().code, ErrorCode::Data);
  QCOMPARE(news.error().where, dir_->path().toStdString());
}

void TestEventReader::historyDropsWhatWasUndone_data() {
  QTest::addColumn<QStringList>("events");
  QTest::addColumn<QString>("kept");
  QTest::newRow("never resumed") << QStringList{"run_started", "step 1", "eval 1", "checkpoint 1"} << "run_started, step 1, eval 1, checkpoint 1";
  QTest::newRow("steps, evals and checkpoints beyond it")
      << QStringList{"step 10", "eval 10", "checkpoint 10", "step 11", "eval 12", "checkpoint 12", "resumed 10"}
      << "step 10, eval 10, checkpoint 10, resumed 10";
  QTest::newRow("other events stay") << QStringList{"step 10", "set 20", "notice 20", "device", "paused 20", "failed 20", "resumed 10"}
                                     << "step 10, set 20, notice 20, device, paused 20, failed 20, resumed 10";
  QTest::newRow("what follows stays") << QStringList{"step 10", "step 20", "resumed 10", "step 15", "step 20"} << "step 10, resumed 10, step 15, step 20";
  QTest::newRow("resumed again, earlier") << QStringList{"step 10", "step 20", "resumed 20", "step 30", "resumed 10", "step 12"}
                                          << "step 10, resumed 20, resumed 10, step 12";
  QTest::newRow("resumed again, later") << QStringList{"step 10", "step 20", "resumed 10", "step 30", "step 40", "resumed 30", "step 31"}
                                        << "step 10, resumed 10, step 30, resumed 30, step 31";
  QTest::newRow("from the start") << QStringList{"run_started", "step 1", "resumed 0", "step 1"} << "run_started, resumed 0, step 1";
  QTest::newRow("without a step") << QStringList{"step 1", "step 2", "resumed"} << "step 1, step 2, resumed";
}

void TestEventReader::historyDropsWhatWasUndone() {
  QFETCH(QStringList, events);
  QFETCH(QString, kept);
  std::vector<Event> live;
  std::string text;
  for (const QString& item : events) {
    const QStringList parts = item.split(' ');
    Event event = test::makeEvent(parts[0].toStdString());
    if (parts.size() > 1) event.step = parts[1].toLongLong();
    text += toLine(event) + "\n";
    if (event.type == "resumed") dropUndone(live, event);
    live.push_back(event);
  }
  test::writeText(file(), text);
  const auto history = readHistory(file());
  QVERIFY_OK(history);
  QCOMPARE(test::brief(*history), kept);
  QCOMPARE(test::brief(live), kept);
}

void TestEventReader::historyOfALongRun() {
  // Resumed a hundred times, always from half of what was done since: 40,000 lines, half of which count.
  std::string text;
  int64_t step = 0;
  for (int session = 0; session < 100; ++session) {
    const int64_t from = step;
    for (int i = 0; i < 399; ++i) text += line("step", ++step);
    step = from + 200;
    text += line("resumed", step);
  }
  test::writeText(file(), text);
  const auto history = readHistory(file());
  QVERIFY_OK(history);
  QCOMPARE(history->size(), size_t(100 * 201));
  int64_t expected = 0;
  for (const Event& event : *history) {
    if (event.type == "step") QCOMPARE(event.step.value_or(-1), ++expected);
  }
  QCOMPARE(expected, int64_t(20'000));
}

void TestEventReader::historyNeedsAFile() {
  const auto history = readHistory(file());
  QVERIFY(!history);
  QCOMPARE(history.error().code, ErrorCode::Data);
}

QTEST_APPLESS_MAIN(TestEventReader)
#include "tst_event_reader.moc"
