#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <ATen/ATen.h>

#include "core/train/checkpoint.h"
#include "core/train/finite.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using namespace trainyard::train;

class TestCheckpoint : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;

  runs::Layout run() const { return {fs::path(dir_->path().toStdString())}; }

  static Snapshot snapshot(uint64_t step, std::optional<uint64_t> best = {}) {
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
    if (best) state.best = Best{"accuracy", 0.975, *best};
    made.trainer = state.toJson();
    made.best = best == step;
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
    const auto written = writeCheckpoint(run(), snapshot(5, 4), 3);
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
    for (uint64_t step = 1; step <= 6; ++step) QVERIFY(writeCheckpoint(run(), snapshot(step, std::min<uint64_t>(step, 2)), 2));
    QCOMPARE(names(), (std::vector<std::string>{"step-00000002", "step-00000005", "step-00000006"}));
    QCOMPARE(loadBest(run())->trainer.step, uint64_t{2});
    QCOMPARE((*loadNewest(run()))->trainer.step, uint64_t{6});
    const Json index = Json::parse(*readFile(run().checkpointIndex()));
    QVERIFY(index["latest"] == Json("checkpoints/step-00000006"));
    QCOMPARE(index["all"].size(), size_t{3});
    QVERIFY((index["best"] == Json{{"metric", "accuracy"}, {"value", 0.975}, {"step", 2}, {"path", "checkpoints/step-00000002"}}));
  }

  // The process died after the best was put in place and before the index said so.
  void bestIsKnownWithoutTheIndex() {
    QVERIFY(writeCheckpoint(run(), snapshot(1, 1), 1));
    const std::string before = *readFile(run().checkpointIndex());
    QVERIFY(writeCheckpoint(run(), snapshot(2, 2), 1));
    QVERIFY(replaceFile(run().checkpointIndex(), before));
    for (uint64_t step = 3; step <= 5; ++step) QVERIFY(writeCheckpoint(run(), snapshot(step, 2), 1));
    QCOMPARE(loadBest(run())->trainer.step, uint64_t{2});
    QCOMPARE(names(), (std::vector<std::string>{"step-00000002", "step-00000005"}));
  }

  void bestThatIsGoneIsNotNamed() {
    QVERIFY(writeCheckpoint(run(), snapshot(1, 1), 1));
    fs::remove_all(run().checkpoints() / "step-00000001");
    QVERIFY(writeCheckpoint(run(), snapshot(2, 1), 1));
    QVERIFY(Json::parse(*readFile(run().checkpointIndex()))["best"].is_null());
    QCOMPARE(loadBest(run())->trainer.step, uint64_t{2});
  }

  void laterStepsOfAnotherPastGo() {
    for (const uint64_t step : {1, 5, 9}) QVERIFY(writeCheckpoint(run(), snapshot(step, 9), 3));
    QVERIFY(writeCheckpoint(run(), snapshot(6, 1), 3));
    QCOMPARE(names(), (std::vector<std::string>{"step-00000001", "step-00000005", "step-00000006"}));
    QCOMPARE(loadBest(run())->trainer.step, uint64_t{1});
  }

  void sameStepIsReplaced() {
    QVERIFY(writeCheckpoint(run(), snapshot(3), 2));
    Snapshot again = snapshot(3);
    again.model = {{"w", at::full({3, 2}, 33.0)}};
    QVERIFY(writeCheckpoint(run(), again, 2));
    QCOMPARE(names(), std::vector<std::string>{"step-00000003"});
    QVERIFY(at::equal(*(*loadNewest(run()))->model.find("w"), at::full({3, 2}, 33.0)));
  }

  // More than one block of a file, and a length that no disk likes.
  void largeOnesComeBack_data() {
    QTest::addColumn<int>("damaged");  // which byte of the file is changed, in per cent; -1: none
    for (const int per_cent : {-1, 0, 40, 99}) QTest::newRow(std::to_string(per_cent).c_str()) << per_cent;
  }
  void largeOnesComeBack() {
    QFETCH(int, damaged);
    Snapshot large = snapshot(7);
    large.model = {{"a", at::arange(5000001, at::kFloat)}, {"b", at::arange(7, at::kLong)}, {"c", at::arange(60, at::kFloat).reshape({3, 4, 5}).permute({2, 0, 1})}};
    QVERIFY(writeCheckpoint(run(), large, 2));
    if (damaged >= 0) {
      const auto file = run().checkpoints() / "step-00000007/model.safetensors";
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(fs::file_size(file)) * damaged / 100 + 20);
      const auto at = stream.tellg();
      const char byte = static_cast<char>(stream.get() ^ 4);
      stream.seekp(at);
      stream.put(byte);
      stream.close();
      const auto refused = loadNewest(run());
      QVERIFY(!refused && refused.error().where.find("model.safetensors") != std::string::npos);
      return;
    }
    const auto loaded = loadNewest(run());
    QVERIFY(loaded && *loaded);
    for (const auto& [name, tensor] : large.model) QVERIFY(at::equal(*(*loaded)->model.find(name), tensor));
  }

  // Written before files were cut into blocks.
  void oneSumForTheWholeFile() {
    QVERIFY(writeCheckpoint(run(), snapshot(1), 2));
    const auto file = run().checkpoints() / "step-00000001/checksums.json";
    Json sums = Json::parse(*readFile(file));
    for (auto& [name, entry] : sums.items()) entry = {{"bytes", entry["bytes"]}, {"xxh3_64", entry["xxh3_64"][0]}};
    QVERIFY(replaceFile(file, sums.dump()));
    QVERIFY(loadNewest(run())->has_value());
  }

  void copiesKeepValuesAndStrides() {
    SnapshotMemory memory;
    const at::Tensor images = at::randn({4, 3, 5, 5}).contiguous(at::MemoryFormat::ChannelsLast), part = at::arange(20).reshape({4, 5}).narrow(1, 1, 3);
    const std::vector<models::NamedTensor> all = {{"images", images}, {"part", part}, {"scalar", at::full({}, 3.5)}, {"empty", at::empty({0, 4})}};
    const auto copies = SnapshotMemory::copy(all, memory.take(all));
    QCOMPARE(copies.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      QVERIFY(at::equal(copies[i].tensor, all[i].tensor));
      QVERIFY(copies[i].tensor.numel() == 0 || copies[i].tensor.const_data_ptr() != all[i].tensor.const_data_ptr());
    }
    QVERIFY(copies[0].tensor.strides() == images.strides());
  }

  // What a snapshot waits for is the copy alone: its pages are there from the beginning.
  void snapshotsTouchNoNewPages() {
    const std::vector<models::NamedTensor> all = {{"w", at::ones({8 << 20})}};
    SnapshotMemory memory;
    memory.prepare(all);
    const auto faults = [] {
      rusage usage{};
      ::getrusage(RUSAGE_THREAD, &usage);
      return usage.ru_minflt;
    };
    for (int round = 0; round < 3; ++round) {
      const long before = faults();
      const auto copies = SnapshotMemory::copy(all, memory.take(all));
      QVERIFY2(faults() - before < 50, qPrintable(QString::number(faults() - before)));
    }
  }

  void thirdSnapshotWaits() {
    SnapshotMemory memory;
    const std::vector<models::NamedTensor> all = {{"w", at::ones({16})}};
    auto first = memory.take(all), second = memory.take(all);
    std::atomic<bool> taken{false};
    std::jthread third([&] {
      memory.take(all);
      taken = true;
    });
    QVERIFY(!taken);
    first.reset();
    third.join();
    QVERIFY(taken);
  }

  void finiteInEveryType_data() {
    QTest::addColumn<int>("type");
    for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) QTest::newRow(at::toString(type)) << static_cast<int>(type);
  }
  void finiteInEveryType() {
    QFETCH(int, type);
    const auto kind = static_cast<at::ScalarType>(type);
    at::Tensor values = at::linspace(-60000, 60000, 100003).to(kind);
    QVERIFY(isFinite(values));
    for (const double broken : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      for (const int64_t at : {int64_t{0}, int64_t{65536}, values.numel() - 1}) {
        at::Tensor copy = values.clone();
        copy[at] = broken;
        QVERIFY(!isFinite(copy));
        QVERIFY(!isFinite(copy.narrow(0, 0, at + 1).unsqueeze(0).expand({2, -1})));
      }
    }
    QVERIFY(isFinite(at::full({3}, 7)));
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
