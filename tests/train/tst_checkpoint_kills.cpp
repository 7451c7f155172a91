// A process that does nothing but train and save is killed again and again, at random moments. Whatever it had reported as saved must be there,
// and be right to the bit; what it was in the middle of must not be seen.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <random>
#include <set>

#include "core/train/checkpoint.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

constexpr uint64_t kKeep = 2;
constexpr int kKills = 180;

// A training in small: where it stands is a function of the step alone.
struct Training {
  uint64_t step = 0;
  at::Tensor weights = at::zeros({64, 64});
  std::optional<Best> best;

  bool advance() {
    ++step;
    weights.mul_(0.9).add_(static_cast<double>(step));
    const double value = static_cast<double>((step * 2654435761U) % 1000003U);
    const bool better = !best || value > best->value;
    if (better) best = Best{"accuracy", value, step};
    return better;
  }
};

// Seen by both processes.
struct Report {
  std::atomic<uint64_t> saved, best;  // steps
};

Training trainedFrom(const std::optional<Loaded>& checkpoint) {
  Training training;
  if (!checkpoint) return training;
  training.step = checkpoint->trainer.step;
  training.weights.copy_(*checkpoint->model.find("w"));
  training.best = checkpoint->trainer.best;
  return training;
}

Snapshot snapshotOf(const Training& training, bool better, SnapshotMemory& memory) {
  Snapshot snapshot;
  snapshot.step = training.step;
  const std::vector<models::NamedTensor> tensors = {{"w", training.weights}, {"exp_avg.w", training.weights}};
  const auto block = memory.take(tensors);
  snapshot.model = SnapshotMemory::copy(std::span(tensors).first(1), block);
  snapshot.optimizer = SnapshotMemory::copy(std::span(tensors).subspan(1), block);
  TrainerState state;
  state.step = training.step;
  state.best = training.best;
  snapshot.trainer = state.toJson();
  snapshot.best = better;
  return snapshot;
}

// The process that is killed.
[[noreturn]] void trainForEver(const runs::Layout& run, Report& report) {
  auto newest = loadNewest(run);
  if (!newest) _exit(1);
  Training training = trainedFrom(*newest);
  newest->reset();
  CheckpointWriter writer(run, kKeep, [&](const Result<Written>& written, uint64_t step) {
    if (!written) _exit(2);
    report.saved = step;
    if (written->best) report.best = step;
  });
  while (true) {
    const bool better = training.advance();
    writer.submit(snapshotOf(training, better, writer.memory()));
  }
}

}  // namespace

class TestCheckpointKills : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  runs::Layout run_{fs::path(dir_.path().toStdString())};
  std::vector<Training> known_{1};  // by step

  const Training& at(uint64_t step) {
    while (known_.size() <= step) {
      Training next = known_.back();
      next.weights = next.weights.clone();
      next.advance();
      known_.push_back(std::move(next));
    }
    return known_[step];
  }

  // Kills the process some moments after it has saved `checkpoints` more.
  static void kill(pid_t child, const Report& report, uint64_t checkpoints, qint64 microseconds) {
    const uint64_t from = report.saved;
    while (report.saved < from + checkpoints && ::waitpid(child, nullptr, WNOHANG) == 0) {
    }
    QElapsedTimer timer;
    timer.start();
    while (timer.nsecsElapsed() < microseconds * 1000) {
    }
    ::kill(child, SIGKILL);
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY2(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, qPrintable(QString::number(status)));
  }

  void look(const Report& report) {
    std::vector<Error> skipped;
    const auto newest = loadNewest(run_, &skipped);
    QVERIFY2(newest, newest ? "" : toText(newest.error()).c_str());
    QVERIFY2(skipped.empty(), skipped.empty() ? "" : toText(skipped.front()).c_str());
    if (!*newest) {
      QCOMPARE(report.saved.load(), uint64_t{0});
      return;
    }
    const uint64_t step = (*newest)->trainer.step;
    QVERIFY2(step >= report.saved, qPrintable(QString("%1 was saved, %2 is there").arg(report.saved.load()).arg(step)));
    for (const auto* tensor : {(*newest)->model.find("w"), (*newest)->optimizer.find("exp_avg.w")}) QVERIFY(at::equal(*tensor, at(step).weights));
    QCOMPARE((*newest)->trainer.best->step, at(step).best->step);
    const auto best = loadBest(run_);
    QVERIFY2(best, best ? "" : toText(best.error()).c_str());
    const uint64_t best_step = best->trainer.step;
    QVERIFY(best_step >= report.best && best_step <= step);
    if (report.saved > 0) QVERIFY(best_step == at(step).best->step || best_step == at(report.saved).best->step);
    QVERIFY(at::equal(*best->model.find("w"), at(best_step).weights));
  }

 private Q_SLOTS:
  void killedAtRandomMoments() {
    at::set_num_threads(1);  // no threads that a fork would lose
    QVERIFY(makeFolder(run_.checkpoints()));
    void* shared = ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    QVERIFY(shared != MAP_FAILED);
    Report& report = *new (shared) Report{};
    std::mt19937 random(20261201);
    for (int round = 0; round < kKills; ++round) {
      const uint64_t checkpoints = random() % 3, microseconds = random() % 6000;
      const pid_t child = ::fork();
      QVERIFY(child >= 0);
      if (child == 0) trainForEver(run_, report);
      kill(child, report, checkpoints, static_cast<qint64>(microseconds));
      look(report);
      if (QTest::currentTestFailed()) qFatal("kill %d", round);
    }
    QVERIFY2(report.saved > kKills / 2, qPrintable(QString::number(report.saved.load())));

    // The next one sweeps up.
    Training training = trainedFrom(*loadNewest(run_));
    const bool better = training.advance();
    SnapshotMemory memory;
    QVERIFY(writeCheckpoint(run_, snapshotOf(training, better, memory), kKeep));
    std::set<std::string> left, right = {"step-" + QString("%1").arg(training.best->step, 8, 10, QChar('0')).toStdString()};
    for (uint64_t step = training.step; step > training.step - kKeep; --step) right.insert("step-" + QString("%1").arg(step, 8, 10, QChar('0')).toStdString());
    for (const auto& entry : fs::directory_iterator(run_.checkpoints())) left.insert(entry.path().filename());
    QVERIFY(left == right);
    QCOMPARE(loadBest(run_)->trainer.step, training.best->step);
    left.clear();
    for (const auto& entry : fs::directory_iterator(run_.dir)) left.insert(entry.path().filename());
    QVERIFY(left == (std::set<std::string>{"checkpoints", "checkpoints.json"}));
  }
};

QTEST_APPLESS_MAIN(TestCheckpointKills)
#include "tst_checkpoint_kills.moc"
