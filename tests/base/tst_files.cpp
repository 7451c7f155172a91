#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/base/large_file.h"
#include "core/base/unfinished.h"

using namespace trainyard;

class TestFiles : public QObject {
  Q_OBJECT
  fs::path path(const char* name) const { return fs::path(dir_.path().toStdString()) / name; }
  size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(dir_.path().toStdString()), fs::directory_iterator())); }
  QTemporaryDir dir_;

 private Q_SLOTS:
  void replacesWholeFiles() {
    const auto file = path("数据 ñ.txt");
    QVERIFY(replaceFile(file, "first"));
    QVERIFY(replaceFile(file, std::string(300000, 'x') + '\0'));
    const auto text = readFile(file);
    QVERIFY(text);
    QCOMPARE(text->size(), size_t{300001});
    QCOMPARE(entries(), size_t{1});
  }

  void failedWriteLeavesTheOldContent() {
    const auto file = path("kept.txt");
    QVERIFY(replaceFile(file, "old"));
    const size_t before = entries();
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{1000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto result = replaceFile(file, std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &limit);
    QVERIFY(!result);
    QVERIFY(!result.error().hint.empty());
    QCOMPARE(QString::fromStdString(*readFile(file)), QString("old"));
    QCOMPARE(entries(), before);
  }

  void largeFilesComeBack_data() {
    QTest::addColumn<qsizetype>("bytes");
    const auto block = static_cast<qsizetype>(LargeFile::kBlock);
    for (const qsizetype bytes : {qsizetype{0}, qsizetype{5}, block - 1, block, block + 1, 3 * block + 777}) QTest::newRow(qPrintable(QString::number(bytes))) << bytes;
  }
  void largeFilesComeBack() {
    QFETCH(qsizetype, bytes);
    std::string content(static_cast<size_t>(bytes), '\0');
    for (size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 2654435761U >> 13);
    const auto file = path("large");
    auto writer = LargeFile::create(file);
    QVERIFY(writer);
    for (size_t at = 0, piece = 1; at < content.size(); at += piece, piece = piece * 7 % 1000003 + 1) {
      piece = std::min(piece, content.size() - at);
      QVERIFY(writer->write(std::string_view(content).substr(at, piece)));
    }
    QVERIFY(writer->close());
    QVERIFY(*readFile(file) == content);
    fs::remove(file);
  }

  void largeFileSaysWhatAndWhere() {
    const auto writer = LargeFile::create(path("missing") / "large");
    QVERIFY(!writer && writer.error().where.find("large") != std::string::npos && !writer.error().hint.empty());
  }

  void unfinishedOnesOfOthersGo() {
    const std::string other = "state.json.new.1", own = "state.json.new." + std::to_string(::getpid());
    const std::vector<std::string> stay = {"state.json", "notes.new.txt", own};
    for (const auto& name : stay) QVERIFY(replaceFile(path(name.c_str()), "x"));
    QVERIFY(replaceFile(path(other.c_str()), "x"));
    removeUnfinished(dir_.path().toStdString());
    for (const auto& name : stay) QVERIFY2(fs::remove(path(name.c_str())), name.c_str());
    QVERIFY(!fs::exists(path(other.c_str())));
  }

  void readingSaysWhatAndWhere() {
    const auto missing = readFile(path("missing"));
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, ErrorCode::Data);
    QVERIFY(missing.error().where.find("missing") != std::string::npos);
    QVERIFY(!readFile(dir_.path().toStdString()));
  }

  void folderBehindAFileIsAnError() {
    QVERIFY(replaceFile(path("file"), ""));
    const auto result = makeFolder(path("file") / "below");
    QVERIFY(!result);
    QVERIFY(makeFolder(path("a") / "b" / "c"));
    QVERIFY(makeFolder(path("a") / "b" / "c"));
  }

  void expandsTheHomeFolder() {
    qputenv("HOME", "/home/somebody");
    QCOMPARE(expandUser("~"), fs::path("/home/somebody/"));
    QCOMPARE(expandUser("~/pictures"), fs::path("/home/somebody/pictures"));
    QCOMPARE(expandUser("~other/x"), fs::path("~other/x"));
    QCOMPARE(expandUser("a/~"), fs::path("a/~"));
  }

  void freeSpaceOfAFolderToBe() { QVERIFY(freeBytes(path("not/there/yet")) > 0); }
};

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
