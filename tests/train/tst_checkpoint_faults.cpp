// Every call on files that a checkpoint makes fails in turn: what was whole before stays whole, and the next checkpoint sweeps up.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <climits>

#include "core/train/checkpoint.h"
#include "tests/fail_calls/fail_calls.h"

using namespace trainyard;
using namespace trainyard::train;

class TestCheckpointFaults : public QObject {
  Q_OBJECT
  QTemporaryDir home_;
  runs::Layout run_;
  int runs_ = 0;

  static double valueAt(uint64_t step, bool again) { return static_cast<double>(step) + (again ? 0.5 : 0); }

  static Snapshot snapshot(uint64_t step, bool again = false, int64_t size = 6) {
    Snapshot made;
    made.step = step;
    made.model = {{"w", at::full({size}, valueAt(step, again))}};
    made.optimizer = {{"momentum_buffer.w", at::full({6}, 0.5)}};
    TrainerState state;
    state.step = step;
    state.best = Best{"accuracy", 0.9, 1};
    made.trainer = state.toJson();
    return made;
  }

  // But waits for no disk either.
  void failNothing() { failcalls::arm({run_.dir.string(), LONG_MAX, LONG_MAX, EIO}); }

  void freshRun() {
    run_.dir = fs::path(home_.path().toStdString()) / std::to_string(++runs_);
    QVERIFY(makeFolder(run_.checkpoints()));
    failNothing();
    QVERIFY(writeCheckpoint(run_, snapshot(1), 1));
    QVERIFY(writeCheckpoint(run_, snapshot(2), 1));
  }

  static std::vector<std::string> names(const fs::path& folder) {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

  // A checkpoint is complete, or the one before it is the newest.
  void lookAtTheNewest(uint64_t step, bool again, const Result<Written>& written) {
    std::vector<Error> skipped;
    const auto newest = loadNewest(run_, &skipped);
    QVERIFY2(newest && *newest, newest ? "none" : toText(newest.error()).c_str());
    QVERIFY2(skipped.empty(), skipped.empty() ? "" : toText(skipped.front()).c_str());
    const uint64_t found = (*newest)->trainer.step;
    QVERIFY(found == step || (!written && found == 2));
    const double value = (*newest)->model.find("w")->flatten()[0].item<double>();
    QVERIFY(value == valueAt(found, again) || (!written && value == valueAt(found, false)));
    QCOMPARE(loadBest(run_)->trainer.step, uint64_t{1});
  }

  void lookAtTheFolder() {
    failNothing();
    const auto after = writeCheckpoint(run_, snapshot(4), 1);
    QVERIFY2(after, after ? "" : toText(after.error()).c_str());
    QCOMPARE(names(run_.dir), (std::vector<std::string>{"checkpoints", "checkpoints.json"}));
    const std::vector<std::string> left = {"step-00000001", "step-00000004"};
    QCOMPARE(names(run_.checkpoints()), left);
    const Json index = Json::parse(*readFile(run_.checkpointIndex()));
    QCOMPARE(index["all"].size(), left.size());
    for (size_t i = 0; i < left.size(); ++i) QVERIFY(index["all"][i] == Json("checkpoints/" + left[i]));
    QVERIFY(index["latest"] == index["all"].back());
  }

 private Q_SLOTS:
  void everyCallInTurn_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<bool>("for_good");  // and all calls after it
    QTest::addColumn<int>("step");       // 3: a new one; 2: the same step again
    const std::pair<const char*, int> errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EINVAL", EINVAL}, {"EINTR", EINTR}, {"short write", 0}};
    for (const int step : {3, 2}) {
      for (const auto& [name, error] : errors) {
        QTest::addRow("%s once, step %d", name, step) << error << false << step;
        if (error == ENOSPC || error == EIO) QTest::addRow("%s for good, step %d", name, step) << error << true << step;
      }
    }
  }

  void everyCallInTurn() {
    QFETCH(int, error);
    QFETCH(bool, for_good);
    QFETCH(int, step);
    const auto number = static_cast<uint64_t>(step);
    const bool again = step == 2;
    int failed = 0;
    bool reached = true;
    long call = 1;
    for (; reached; ++call) {
      freshRun();
      failcalls::arm({run_.dir.string(), call, for_good ? LONG_MAX : call, error});
      const auto written = writeCheckpoint(run_, snapshot(number, again), 1);
      reached = failcalls::disarm() >= call;
      failed += written ? 0 : 1;
      if (!written && error == ENOSPC) QVERIFY2(written.error().what.find("No space left") != std::string::npos, toText(written.error()).c_str());
      if (!written) QVERIFY(!written.error().where.empty() && !written.error().hint.empty());
      lookAtTheNewest(number, again, written);
      lookAtTheFolder();
      if (QTest::currentTestFailed()) qFatal("call %ld", call);
    }
    QVERIFY2(call > (error == 0 ? 5 : 25), qPrintable(QString::number(call)));
    if (error == ENOSPC || error == EIO) QVERIFY2(failed > 15, qPrintable(QString::number(failed)));
    if (error == 0) QCOMPARE(failed, 0);
  }

  // Blocks that go past the page cache.
  void largeFiles_data() {
    QTest::addColumn<int>("error");
    QTest::newRow("ENOSPC") << ENOSPC;
    QTest::newRow("EIO") << EIO;
    QTest::newRow("EINVAL: not past the cache after all") << EINVAL;
    QTest::newRow("short write") << 0;
  }
  void largeFiles() {
    QFETCH(int, error);
    bool reached = true;
    for (long call = 1; reached; ++call) {
      freshRun();
      failcalls::arm({run_.dir.string(), call, call, error});
      const auto written = writeCheckpoint(run_, snapshot(3, false, 2500000), 1);
      reached = failcalls::disarm() >= call;
      lookAtTheNewest(3, false, written);
      if (written) QVERIFY(at::equal(*(*loadNewest(run_))->model.find("w"), at::full({2500000}, 3.0)));
      if (error == 0) QVERIFY(written);
      fs::remove_all(run_.dir);
    }
  }

  // The writer thread says so and goes on.
  void writerGoesOn() {
    freshRun();
    std::vector<bool> done;
    {
      CheckpointWriter writer(run_, 1, [&](const Result<Written>& written, uint64_t) { done.push_back(written.has_value()); });
      failcalls::arm({run_.dir.string(), 4, LONG_MAX, ENOSPC});
      writer.submit(snapshot(3));
      QVERIFY(!writer.drain());
      failcalls::disarm();
      writer.submit(snapshot(4));
      QVERIFY(writer.drain());
    }
    QCOMPARE(done, (std::vector<bool>{false, true}));
    QCOMPARE(names(run_.checkpoints()), (std::vector<std::string>{"step-00000001", "step-00000004"}));
  }
};

QTEST_APPLESS_MAIN(TestCheckpointFaults)
#include "tst_checkpoint_faults.moc"
