// What a scan keeps for the next one, how it is stopped, and the quick look before training.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <chrono>

#include "core/data/quick_check.h"
#include "core/data/scan_cache.h"
#include "tests/data/scan_support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

// Counts what is read of another dataset.
class Counting : public Dataset {
 public:
  explicit Counting(const Dataset& inner) : inner_(inner) {}
  uint64_t size() const override { return inner_.size(); }
  Part part(uint64_t i) const override { return inner_.part(i); }
  std::string name(uint64_t i) const override { return inner_.name(i); }
  int label(uint64_t i) const override { return inner_.label(i); }
  const std::vector<std::string>& classes() const override { return inner_.classes(); }
  Result<cv::Mat> picture(uint64_t i) const override { return inner_.picture(i); }
  Result<std::string> fileBytes(uint64_t i) const override {
    ++reads;
    if (onRead) onRead();
    return inner_.fileBytes(i);
  }
  Stamp stamp(uint64_t i) const override { return inner_.stamp(i); }
  fs::path file(uint64_t i) const override { return inner_.file(i); }
  bool inMemory() const override { return inner_.inMemory(); }

  mutable std::atomic<int> reads{0};
  std::function<void()> onRead;

 private:
  const Dataset& inner_;
};

bool whole(const std::string& bytes, uint64_t max_pixels = 1'000'000) {
  return looksWhole({bytes.size(), [&](uint64_t offset, uint64_t count) { return bytes.substr(std::min<size_t>(offset, bytes.size()), count); }}, max_pixels);
}

}  // namespace

class TestScanCache : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;
  fs::path root_, cache_;

  ScanOptions options() const {
    ScanOptions options;
    options.cache = cache_;
    return options;
  }
  recipe::Data data() const { return dataOf("image-folder", root_); }
  // Pictures looked at anew.
  int reads(ScanOptions with) const {
    const auto dataset = open(data());
    if (!dataset) return -1;
    const Counting counting(**dataset);
    return lookAtAll(counting, data(), with) ? counting.reads.load() : -1;
  }
  int reads() const { return reads(options()); }
  fs::path cacheFile() const { return fs::exists(cache_) ? fs::directory_iterator(cache_)->path() : fs::path(); }

 private Q_SLOTS:
  void init() {
    root_ = pathOf(temporary_.path()) / std::to_string(count_++) / "pictures";
    cache_ = root_.parent_path() / "cache";
    for (int i = 0; i < 20; ++i) write(root_ / (i % 2 ? "a" : "b") / (std::to_string(i) + ".jpg"), jpeg(scene(static_cast<uint64_t>(i))));
    write(root_ / "a/cut.jpg", jpeg(scene(99)).substr(0, 900));
  }

  void onlyNewAndChangedFilesAreReadAgain() {
    QCOMPARE(reads(), 21);
    QCOMPARE(reads(), 0);
    write(root_ / "a/new.jpg", jpeg(scene(100)));
    QCOMPARE(reads(), 1);
    const fs::path changed = root_ / "a/3.jpg";
    fs::last_write_time(changed, fs::last_write_time(changed) - std::chrono::seconds(10));
    QCOMPARE(reads(), 1);
    write(changed, jpeg(scene(101)) + "x");
    QCOMPARE(reads(), 1);
    fs::rename(root_ / "a/5.jpg", root_ / "b/5.jpg");
    QCOMPARE(reads(), 1);
    QCOMPARE(reads(), 0);
    ScanOptions without = options();
    without.use_cache = false;
    QCOMPARE(reads(without), 22);
  }

  void theSecondReportIsTheFirst() {
    const auto first = scan(data(), 42, options());
    const auto second = scan(data(), 42, options());
    TRAINYARD_VERIFY(first);
    TRAINYARD_VERIFY(second);
    QCOMPARE(first->from_cache, uint64_t{0});
    QCOMPARE(second->from_cache, uint64_t{21});
    Json one = toJson(*first), two = toJson(*second);
    for (Json* json : {&one, &two}) {
      json->erase("seconds");
      json->erase("from_cache");
    }
    QVERIFY(one == two);
    QVERIFY(findingOf(*second, "truncated", "a/cut.jpg") != nullptr);
  }

  void otherDecodingIsLookedAtAgain() {
    QCOMPARE(reads(), 21);
    recipe::Data grey = data();
    grey.channels = 1;
    const auto dataset = open(grey);
    TRAINYARD_VERIFY(dataset);
    const auto looks = lookAtAll(**dataset, grey, options());
    TRAINYARD_VERIFY(looks);
    QCOMPARE(looks->from_cache, uint64_t{0});
    QCOMPARE(static_cast<int>(looks->all[0].decoded_channels), 1);
  }

  // What the recipe leaves out for now is not forgotten.
  void leftOutSamplesStay() {
    QCOMPARE(reads(), 21);
    fs::rename(root_ / "a/1.jpg", root_ / "1.jpg");
    write(root_ / "a/new.jpg", jpeg(scene(100)));
    QCOMPARE(reads(), 1);
    fs::rename(root_ / "1.jpg", root_ / "a/1.jpg");
    QCOMPARE(reads(), 0);
  }

  void damagedCacheCountsAsNone_data() {
    QTest::addColumn<int>("kind");
    for (const char* kind : {"cut", "a byte changed", "empty", "text"})
      QTest::addRow("%s", kind) << (kind[0] == 'c' ? 0 : kind[0] == 'a' ? 1 : kind[0] == 'e' ? 2 : 3);
  }

  void damagedCacheCountsAsNone() {
    QFETCH(int, kind);
    QCOMPARE(reads(), 21);
    std::string bytes = *readFile(cacheFile());
    if (kind == 0) bytes.resize(bytes.size() / 2);
    if (kind == 1) bytes[bytes.size() / 2] ^= 1;
    if (kind == 2) bytes.clear();
    if (kind == 3) bytes = std::string(10'000, 'x');
    write(cacheFile(), bytes);
    QCOMPARE(reads(), 21);
    QCOMPARE(reads(), 0);
  }

  void aCacheThatCannotBeWrittenOnlyCostsTime() {
    write(cache_, "a file is in the way");
    QCOMPARE(reads(), 21);
    QCOMPARE(reads(), 21);
  }

  void progressCountsUp() {
    std::vector<std::pair<uint64_t, uint64_t>> seen;
    ScanOptions with = options();
    with.progress = [&](uint64_t done, uint64_t total) { seen.emplace_back(done, total); };
    QCOMPARE(reads(with), 21);
    QVERIFY(seen.size() >= 2);
    QVERIFY(seen.front() == (std::pair<uint64_t, uint64_t>{0, 21}));
    QVERIFY(seen.back() == (std::pair<uint64_t, uint64_t>{21, 21}));
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    seen.clear();
    fs::remove(root_ / "a/1.jpg");
    write(root_ / "a/new.jpg", jpeg(scene(100)));
    QCOMPARE(reads(with), 1);
    QVERIFY(seen.front() == (std::pair<uint64_t, uint64_t>{20, 21}));
  }

  void stoppedAndContinued() {
    const auto dataset = open(data());
    TRAINYARD_VERIFY(dataset);
    Counting counting(**dataset);
    std::atomic<bool> cancelled{false};
    counting.onRead = [&] {
      if (counting.reads == 8) cancelled = true;
    };
    ScanOptions with = options();
    with.cancelled = &cancelled;
    with.threads = 2;
    const auto looks = lookAtAll(counting, data(), with);
    QVERIFY(!looks && looks.error().code == ErrorCode::Interrupted);
    const int done = counting.reads;
    QVERIFY(done >= 8 && done <= 9);
    QCOMPARE(reads(), 21 - done);
  }

  void stoppedBeforeItBegan() {
    std::atomic<bool> cancelled{true};
    ScanOptions with = options();
    with.cancelled = &cancelled;
    const auto report = scan(data(), 42, with);
    QVERIFY(!report && report.error().code == ErrorCode::Interrupted);
    const auto dataset = open(data());
    TRAINYARD_VERIFY(dataset);
    QVERIFY(unusable(**dataset, data(), with).error().code == ErrorCode::Interrupted);
  }

  // The same verdicts from the cache and from the files' ends, decoding next to nothing.
  void unusableSamples() {
    write(root_ / "a/nothing.jpg", "");
    write(root_ / "b/words.png", "words, and more words to make it long enough to look like a file");
    write(root_ / "b/longer.jpg", jpeg(scene(98)) + std::string(200, '\0'));
    const auto dataset = open(data());
    TRAINYARD_VERIFY(dataset);
    for (const bool scanned : {false, true}) {
      if (scanned) QCOMPARE(reads(), 24);
      const Counting counting(**dataset);
      const auto found = unusable(counting, data(), options());
      TRAINYARD_VERIFY(found);
      QStringList names;
      for (const auto& [sample, error] : *found) {
        names << QString::fromStdString((*dataset)->name(sample));
        QVERIFY(error.code == ErrorCode::Data && !error.what.empty());
        QVERIFY(error.where.find((*dataset)->name(sample)) != std::string::npos);
      }
      QCOMPARE(names, (QStringList{"a/cut.jpg", "a/nothing.jpg", "b/words.png"}));
      QVERIFY2(counting.reads <= (scanned ? 1 : 3), qPrintable(QString::number(counting.reads)));
    }
  }

  void wholeByItsEnds_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isWhole");
    const cv::Mat picture = scene(3, 150, 200);
    const auto row = [](const char* name, const std::string& bytes, bool is_whole) { QTest::newRow(name) << QByteArray::fromStdString(bytes) << is_whole; };
    const std::string photo = jpeg(picture), plain = encoded(".png", picture), web = encoded(".webp", picture, {cv::IMWRITE_WEBP_QUALITY, 80});
    row("jpeg", photo, true);
    row("jpeg, progressive", encoded(".jpg", picture, {cv::IMWRITE_JPEG_PROGRESSIVE, 1}), true);
    row("jpeg, trailing bytes", photo + std::string(1000, 'x'), true);
    row("jpeg, half", photo.substr(0, photo.size() / 2), false);
    row("jpeg, last bytes gone", photo.substr(0, photo.size() - 2), false);
    // A thumbnail with an end of its own in the header.
    const std::string small = jpeg(scene(4, 20, 20));
    const std::string segment = std::string("\xff\xe1") + static_cast<char>((small.size() + 2) >> 8) + static_cast<char>(small.size() + 2) + small;
    const std::string with_thumbnail = photo.substr(0, 2) + segment + photo.substr(2);
    row("jpeg, thumbnail", with_thumbnail, true);
    row("jpeg, thumbnail, half", with_thumbnail.substr(0, with_thumbnail.size() / 2 + segment.size()), false);
    row("png", plain, true);
    row("png, half", plain.substr(0, plain.size() / 2), false);
    row("webp", web, true);
    row("webp, lossless", encoded(".webp", picture, {cv::IMWRITE_WEBP_QUALITY, 101}), true);
    row("webp, half", web.substr(0, web.size() / 2), false);
    row("bmp: only decoding tells", encoded(".bmp", picture), false);
    row("empty", "", false);
    row("text", std::string(100, 'a'), false);
    for (const auto& [name, bytes] :
         {std::pair{"jpeg, larger than allowed", &photo}, {"png, larger than allowed", &plain}, {"webp, larger than allowed", &web}})
      QTest::newRow(name) << QByteArray::fromStdString(*bytes).prepend("L") << false;
  }

  void wholeByItsEnds() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isWhole);
    const bool limited = bytes.startsWith('L');
    QCOMPARE(whole(bytes.mid(limited ? 1 : 0).toStdString(), limited ? 29'999 : 30'000), isWhole);
  }
};

QTEST_APPLESS_MAIN(TestScanCache)
#include "tst_scan_cache.moc"
