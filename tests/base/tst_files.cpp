#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/base/files.h"

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
