#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/runs/control.h"
#include "core/runs/run_directory.h"
#include "core/runs/socket_folder.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestSocketPath : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void usesTheRuntimeFolder();
  void fallsBack_data();
  void fallsBack();
  void givesEachRunItsOwn();
  void readsTheVariable();
  void refusesAFallbackThatIsNotOurs_data();
  void refusesAFallbackThatIsNotOurs();
  void takesBackWiderPermissions();
  void refusesALongFallback();

 private:
  fs::path home() const { return test::pathOf(dir_->path()); }
  std::unique_ptr<QTemporaryDir> dir_;
};

namespace {

mode_t modeOf(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

}  // namespace

void TestSocketPath::usesTheRuntimeFolder() {
  const auto path = chooseSocketPath(home() / "run", home().string(), home() / "fallback");
  QVERIFY_OK(path);
  QCOMPARE(path->parent_path(), home() / "trainyard");
  QCOMPARE(modeOf(home() / "trainyard"), mode_t(0700));
  QVERIFY(!fs::exists(home() / "fallback"));
  QVERIFY(path->filename().string().size() <= 24);
}

void TestSocketPath::fallsBack_data() {
  QTest::addColumn<QString>("runtime");
  QTest::newRow("not set") << "";
  QTest::newRow("relative") << "relative/folder";
  QTest::newRow("missing") << "%/nowhere";
  QTest::newRow("a file") << "%/file";
  QTest::newRow("too long") << "%/long";
  QTest::newRow("of another user") << "%/foreign";
  QTest::newRow("a link in its place") << "%/linked";
}

void TestSocketPath::fallsBack() {
  QFETCH(QString, runtime);
  test::writeText(home() / "file", "");
  fs::create_directories(home() / "linked");
  fs::create_directory_symlink(home(), home() / "linked/trainyard");
  std::string text = runtime.replace("%", dir_->path()).toStdString();
  if (text.ends_with("long")) text += std::string(100, 'l');
  if (text.ends_with("foreign")) {
    fs::create_directories(text);
    if (::chown(text.c_str(), 65534, 65534) != 0) text = "/usr";
  } else if (text.ends_with('l')) {
    fs::create_directories(text);
  }
  const auto path = chooseSocketPath(home() / "run", text, home() / "fallback");
  QVERIFY_OK(path);
  QCOMPARE(path->parent_path(), home() / "fallback");
  QCOMPARE(modeOf(home() / "fallback"), mode_t(0700));
}

void TestSocketPath::givesEachRunItsOwn() {
  fs::create_directories(home() / "runs/one");
  const auto choose = [&](const fs::path& run) { return chooseSocketPath(run, "", home() / "fallback").value_or(fs::path("?")); };
  const fs::path one = choose(home() / "runs/one");
  QCOMPARE(choose(home() / "runs/one/"), one);
  QCOMPARE(choose(home() / "runs/../runs/./one"), one);
  fs::create_directory_symlink(home() / "runs", home() / "link");
  QCOMPARE(choose(home() / "link/one"), one);
  QVERIFY(choose(home() / "runs/two") != one);
}

void TestSocketPath::readsTheVariable() {
  const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
  qputenv("XDG_RUNTIME_DIR", dir_->path().toUtf8());
  const auto inside = socketPath(home() / "run");
  qunsetenv("XDG_RUNTIME_DIR");
  const auto outside = socketPath(home() / "run");
  if (!before.isEmpty()) qputenv("XDG_RUNTIME_DIR", before);
  QVERIFY_OK(inside);
  QCOMPARE(inside->parent_path(), home() / "trainyard");
  QVERIFY_OK(outside);
  QCOMPARE(outside->parent_path(), fs::path("/tmp/trainyard-" + std::to_string(::geteuid())));
  QCOMPARE(modeOf(outside->parent_path()), mode_t(0700));
}

void TestSocketPath::refusesAFallbackThatIsNotOurs_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("reason");
  QTest::newRow("link") << "link"
                        << "a link is in the way";
  QTest::newRow("file") << "file"
                        << "a file is in the way";
  QTest::newRow("foreign") << "foreign"
                           << "belongs to user";
  QTest::newRow("no parent") << "no/parent"
                             << "cannot create the folder: No such file";
}

void TestSocketPath::refusesAFallbackThatIsNotOurs() {
  QFETCH(QString, name);
  QFETCH(QString, reason);
  fs::create_directories(home() / "target");
  fs::create_directory_symlink(home() / "target", home() / "link");
  test::writeText(home() / "file", "");
  fs::path folder = home() / name.toStdString();
  if (name == "foreign") {
    fs::create_directories(folder);
    if (::chown(folder.c_str(), 65534, 65534) != 0) folder = "/usr";
  }
  const auto path = chooseSocketPath(home() / "run", "", folder);
  QVERIFY(!path);
  QCOMPARE(path.error().code, ErrorCode::Failed);
  QVERIFY2(QString::fromStdString(path.error().what).contains(reason), path.error().what.c_str());
  QVERIFY(path.error().hint.find("XDG_RUNTIME_DIR") != std::string::npos);
  QVERIFY(fs::is_empty(home() / "target"));
}

void TestSocketPath::takesBackWiderPermissions() {
  fs::create_directories(home() / "fallback");
  fs::permissions(home() / "fallback", fs::perms(0777));
  QVERIFY_OK(chooseSocketPath(home() / "run", "", home() / "fallback"));
  QCOMPARE(modeOf(home() / "fallback"), mode_t(0700));
}

void TestSocketPath::refusesALongFallback() {
  const std::string name(100, 'f');
  const auto path = chooseSocketPath(home() / "run", "", home() / name);
  QVERIFY(!path);
  QVERIFY2(path.error().what.find("the system allows 107") != std::string::npos, path.error().what.c_str());
  QVERIFY(!fs::exists(home() / name));
  QVERIFY_OK(checkSocketPath(std::string(107, 's')));
  QVERIFY(!checkSocketPath(std::string(108, 's')));
}

QTEST_APPLESS_MAIN(TestSocketPath)
#include "tst_socket_path.moc"
