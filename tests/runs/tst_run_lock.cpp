#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <thread>

#include "core/runs/run_directory.h"
#include "tests/runs/support.h"

using namespace trainyard;
using namespace trainyard::runs;

class TestRunLock : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void isFreeAtFirst();
  void refusesASecondOne();
  void movesAndFrees();
  void anotherProcessHoldsItUntilItIsKilled();
  void looksDoNotKeepAnEngineOut();
  void oneOfManyGetsIt();
  void takesAnewWhenTheFileWasRemoved();
  void saysWhyItCannotLock();

 private:
  fs::path run() const { return test::pathOf(dir_->path()); }
  std::unique_ptr<QTemporaryDir> dir_;
};

void TestRunLock::isFreeAtFirst() {
  QVERIFY(!isLocked(run()));
  QVERIFY(!fs::exists(run() / "run.lock"));
  QVERIFY(!isLocked(run() / "nowhere"));
}

void TestRunLock::refusesASecondOne() {
  const auto first = RunLock::take(run());
  QVERIFY_OK(first);
  QVERIFY(isLocked(run()));
  QCOMPARE(test::textOf(run() / "run.lock"), std::to_string(::getpid()) + "\n");
  const auto second = RunLock::take(run());
  QVERIFY(!second);
  QCOMPARE(second.error().code, ErrorCode::Failed);
  QVERIFY2(second.error().what.find("process " + std::to_string(::getpid()) + " ") != std::string::npos, second.error().what.c_str());
  QCOMPARE(second.error().where, dir_->path().toStdString());
}

void TestRunLock::movesAndFrees() {
  {
    auto first = RunLock::take(run());
    QVERIFY_OK(first);
    RunLock moved = std::move(*first);
    QVERIFY(isLocked(run()));
    QTemporaryDir other;
    auto second = RunLock::take(test::pathOf(other.path()));
    QVERIFY_OK(second);
    moved = std::move(*second);
    QVERIFY(isLocked(test::pathOf(other.path())));
  }
  QVERIFY(!isLocked(run()));
  QVERIFY_OK(RunLock::take(run()));
}

void TestRunLock::anotherProcessHoldsItUntilItIsKilled() {
  int ready[2];
  QCOMPARE(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = RunLock::take(run());
    (void)!::write(ready[1], lock ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  QCOMPARE(::read(ready[0], &answer, 1), ssize_t(1));
  const bool seen = isLocked(run());
  const auto second = RunLock::take(run());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  QCOMPARE(answer, 'y');
  QVERIFY(seen);
  QVERIFY(!second);
  QVERIFY2(second.error().what.find("process " + std::to_string(child) + " ") != std::string::npos, second.error().what.c_str());
  QVERIFY(!isLocked(run()));
  QVERIFY_OK(RunLock::take(run()));
}

void TestRunLock::looksDoNotKeepAnEngineOut() {
  QVERIFY_OK(RunLock::take(run()));
  std::atomic<bool> stop = false;
  int failures = 0;
  {
    std::vector<std::jthread> lookers;
    for (int i = 0; i < 3; ++i) {
      lookers.emplace_back([&] {
        while (!stop) {
          (void)isLocked(run());
          std::this_thread::yield();
        }
      });
    }
    for (int i = 0; i < 200; ++i) failures += !RunLock::take(run()).has_value();
    stop = true;
  }
  QCOMPARE(failures, 0);
}

void TestRunLock::oneOfManyGetsIt() {
  std::atomic<int> won = 0, lost = 0;
  {
    std::atomic<bool> go = false;
    std::vector<std::jthread> engines;
    for (int i = 0; i < 6; ++i) {
      engines.emplace_back([&] {
        while (!go) std::this_thread::yield();
        const auto lock = RunLock::take(run());
        ++(lock ? won : lost);
        while (won + lost < 6) std::this_thread::yield();
      });
    }
    go = true;
  }
  QCOMPARE(won.load(), 1);
  QCOMPARE(lost.load(), 5);
}

void TestRunLock::takesAnewWhenTheFileWasRemoved() {
  auto first = RunLock::take(run());
  QVERIFY_OK(first);
  fs::remove(run() / "run.lock");
  const auto second = RunLock::take(run());
  QVERIFY_OK(second);
  QVERIFY(isLocked(run()));
}

void TestRunLock::saysWhyItCannotLock() {
  const auto lock = RunLock::take(run() / "nowhere");
  QVERIFY(!lock);
  QVERIFY2(lock.error().what.find("No such file") != std::string::npos, lock.error().what.c_str());
  QVERIFY(lock.error().where.ends_with("nowhere/run.lock"));
}

QTEST_APPLESS_MAIN(TestRunLock)
#include "tst_run_lock.moc"
