#include <sys/mount.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/train/checkpoint.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using namespace trainyard::train;

class TestCheckpoint : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;

  runs::Layout run() const { return {fs::path(dir_->path().toStdString())}; }

  static Snapshot snapshot(uint64_t step, bool best = false) {
    Snapshot made;
    made.step = step;
    made.model = {{"w", at::full({3, 2}, static_cast<double>(step))}};
    made.optimizer = {{"momentum_buffer.w", at::full({3, 2}, 0.5)}};
    made.optimizer_scalars = {{"step", step}};
    TrainerState state;
    state.step = step;
    state.cursor = {2, 17};
    state.lr_factor = 0.25;
    state.seconds = 1.0 / 3;
    state.pending = {{0.1, 8}, {std::nan(""), 8}};
    state.best = Best{"accuracy", 0.975, 4};
    made.trainer = state.toJson();
    made.best = best;
    if (best) made.metric = Best{"accuracy", 0.9, step};
    return made;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(run().checkpoints())) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    QVERIFY(makeFolder(run().checkpoints()));
  }

  void everythingComesBack() {
    const auto written = writeCheckpoint(run(), snapshot(5), 3);
    QVERIFY2(written, written ? "" : toText(written.error()).c_str());
    QCOMPARE(written->folder, fs::path("checkpoints/step-00000005"));
    const auto loaded = loadCheckpoint(run().dir / written->folder);
    QVERIFY2(loaded, loaded ? "" : toText(loaded.error()).c_str());
    QCOMPARE(loaded->trainer.step, uint64_t{5});
    QVERIFY((loaded->trainer.cursor == loader::Cursor{2, 17}));
    QCOMPARE(loaded->trainer.lr_factor, 0.25);
    QCOMPARE(loaded->trainer.seconds, 1.0 / 3);
    QCOMPARE(loaded->trainer.pending[0].first, 0.1);
    QVERIFY(std::isnan(loaded->trainer.pending[1].first));
    QCOMPARE(loaded->trainer.best->value, 0.975);
    QVERIFY(loaded->optimizer_scalars["step"] == Json(5));
    QVERIFY(at::equal(*loaded->model.find("w"), at::full({3, 2}, 5.0)));
    QVERIFY(at::equal(*loaded->optimizer.find("momentum_buffer.w"), at::full({3, 2}, 0.5)));
  }

  void newestStayAndTheBestBesides() {
    for (uint64_t step = 1; step <= 6; ++step) QVERIFY(writeCheckpoint(run(), snapshot(step, step == 2), 2));
    QCOMPARE(names(), (std::vector<std::string>{"step-00000002", "step-00000005", "step-00000006"}));
    QCOMPARE(loadBest(run())->trainer.step, uint64_t{2});
    QCOMPARE((*loadNewest(run()))->trainer.step, uint64_t{6});
    const Json index = Json::parse(*readFile(run().checkpointIndex()));
    QVERIFY(index["latest"] == Json("checkpoints/step-00000006"));
    QCOMPARE(index["all"].size(), size_t{3});
  }

  void damagedOnesArePassedOver_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"model.safetensors", "optimizer.safetensors", "trainer.json", "checksums.json"}) QTest::newRow(file) << file;
  }
  void damagedOnesArePassedOver() {
    QFETCH(QString, file);
    QVERIFY(writeCheckpoint(run(), snapshot(1), 3));
    QVERIFY(writeCheckpoint(run(), snapshot(2), 3));
    const fs::path damaged = run().checkpoints() / "step-00000002" / file.toStdString();
    std::string bytes = *readFile(damaged);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x20);
    std::ofstream(damaged, std::ios::binary) << bytes;
    std::vector<Error> skipped;
    const auto newest = loadNewest(run(), &skipped);
    QVERIFY(newest && newest->has_value());
    QCOMPARE((*newest)->trainer.step, uint64_t{1});
    QCOMPARE(skipped.size(), size_t{1});
    fs::remove_all(run().checkpoints() / "step-00000001");
    const auto none = loadNewest(run());
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::Data);
  }

  void weightsThatAreNotFiniteAreRefused() {
    Snapshot broken = snapshot(3);
    broken.model[0].tensor[1][1] = std::nan("");
    const auto written = writeCheckpoint(run(), broken, 3);
    QVERIFY(!written);
    QVERIFY(written.error().what.find("(w)") != std::string::npos);
    QVERIFY(names().empty());
  }

  void unfinishedOnesAreNotSeen() {
    QVERIFY(makeFolder(run().checkpoints() / ".step-00000009.partial"));
    const auto newest = loadNewest(run());
    QVERIFY(newest && !newest->has_value());
    QVERIFY(!loadBest(run()));
    QVERIFY(writeCheckpoint(run(), snapshot(9), 3));
    QCOMPARE(names(), std::vector<std::string>{"step-00000009"});
  }

  void fullDiskKeepsTheOldOnes() {
    if (::geteuid() != 0 || ::mount("none", dir_->path().toUtf8(), "tmpfs", 0, "size=400k") != 0) QSKIP("needs root to mount a small disk");
    QVERIFY(makeFolder(run().checkpoints()));
    QVERIFY(writeCheckpoint(run(), snapshot(1), 3));
    Snapshot large = snapshot(2);
    large.model = {{"w", at::zeros({200000})}};
    Result<Written> second = fail(ErrorCode::Failed, "not called");
    uint64_t reported = 0;
    {
      CheckpointWriter writer(run(), 3, [&](const Result<Written>& written, uint64_t step) {
        second = written;
        reported = step;
      });
      writer.submit(std::move(large));
      QVERIFY(!writer.drain());
    }
    const auto left = names();
    uint64_t step = 0;
    if (const auto newest = loadNewest(run()); newest && newest->has_value()) step = (*newest)->trainer.step;
    ::umount2(dir_->path().toUtf8(), MNT_DETACH);
    QVERIFY(!second);
    QCOMPARE(reported, uint64_t{2});
    QVERIFY2(second.error().what.find("No space") != std::string::npos, toText(second.error()).c_str());
    QCOMPARE(left, std::vector<std::string>{"step-00000001"});
    QCOMPARE(step, uint64_t{1});
  }
};

QTEST_APPLESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
