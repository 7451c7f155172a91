#include <QTemporaryDir>
#include <atomic>
#include <fstream>
#include <opencv2/core.hpp>

#include "core/data/image_decode.h"
#include "core/loader/kept_pictures.h"
#include "core/loader/preview.h"
#include "core/loader/workers.h"
#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

namespace {

// Picture files of any size; counts how often one is opened.
class Files : public data::Dataset {
 public:
  Files(std::vector<fs::path> files, data::DecodeOptions options) : opened(files.size()), files_(std::move(files)), options_(options) {}
  uint64_t size() const override { return files_.size(); }
  int label(uint64_t) const override { return 0; }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t index) const override { return displayPath(files_[index].filename()); }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return false; }
  Result<cv::Mat> picture(uint64_t index) const override {
    TRAINYARD_TRY(const auto opened_file, source(index));
    return opened_file->all();
  }
  Result<std::unique_ptr<augment::Source>> source(uint64_t index) const override {
    ++opened[index];
    TRAINYARD_TRY(std::string bytes, readFile(files_[index]));
    return data::openImage(std::move(bytes), name(index), options_);
  }

  mutable std::vector<std::atomic<int>> opened;

 private:
  std::vector<fs::path> files_;
  data::DecodeOptions options_;
  std::vector<std::string> classes_{"only"};
};

// Pictures of 48×32, upright and turned, JPEG and others.
std::shared_ptr<Files> goldenPictures(bool reduce = true) {
  std::vector<fs::path> files;
  for (const char* name : {"photo.jpg", "full_chroma.jpeg", "progressive.jpg", "grey.jpg", "cmyk.jpg", "turned3.jpg", "turned6.jpg", "turned8.jpg"})
    files.push_back(fs::path(TEST_DATA_DIR) / "../golden/pictures" / name);
  return std::make_shared<Files>(files, data::DecodeOptions{.channels = 3, .reduce = reduce});
}

recipe::Recipe cropsOf(int size) {
  recipe::Recipe recipe;
  recipe.run.seed = 9;
  recipe.data.channels = 3;
  recipe.augment.push_back({"random_resized_crop", {{"size", size}}});
  recipe.augment.push_back({"random_horizontal_flip", {{"p", 0.5}}});
  recipe.augment.push_back({"normalize", {{"mean", {0.4, 0.5, 0.3}}, {"std", {0.2, 0.25, 0.3}}}});
  return recipe;
}

std::shared_ptr<const Preparer> preparerOf(const recipe::Recipe& recipe) {
  return pictures(std::make_shared<const augment::Chain>(*augment::Chain::make(recipe, {3, 32, 48}, true)));
}

std::vector<std::vector<Copy>> epochsOf(const std::shared_ptr<const data::Dataset>& dataset, const recipe::Recipe& recipe, int count, int workers = 3) {
  auto loader = make(dataset, upTo(dataset->size()), preparerOf(recipe), {.seed = recipe.run.seed, .batch_size = 3, .workers = workers});
  std::vector<std::vector<Copy>> epochs;
  for (int epoch = 0; epoch < count; ++epoch) epochs.push_back(epochOf(*loader));
  return epochs;
}

constexpr uint64_t kPixels = 48 * 32 * 3;

}  // namespace

// Pictures that come from files.
class TestFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void keptPicturesAreTheSame_data() {
    QTest::addColumn<bool>("reduce");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("room");       // pictures that may be kept
    QTest::addColumn<bool>("one_look");  // each file is opened once
    QTest::newRow("nothing reduced") << true << 20 << 100 << true;
    QTest::newRow("reducing is off") << false << 7 << 100 << true;
    QTest::newRow("some parts reduced") << true << 7 << 100 << false;
    QTest::newRow("room for three") << true << 7 << 3 << false;
    QTest::newRow("no room") << true << 20 << 0 << false;
  }

  // To the bit, whatever is kept.
  void keptPicturesAreTheSame() {
    QFETCH(bool, reduce);
    QFETCH(int, size);
    QFETCH(int, room);
    QFETCH(bool, one_look);
    const auto recipe = cropsOf(size);
    const auto plain = goldenPictures(reduce), inner = goldenPictures(reduce);
    const Keeping keeping{.worth = true, .budget = static_cast<uint64_t>(room) * kPixels};
    const auto kept = withKeptPictures(inner, keeping);
    const auto expected = epochsOf(plain, recipe, 6);
    // Several threads may open the same file at once, so that only one counts.
    QVERIFY(epochsOf(kept, recipe, 6, 1) == expected);
    QVERIFY(epochsOf(withKeptPictures(goldenPictures(reduce), keeping), recipe, 6) == expected);
    for (uint64_t i = 0; i < inner->size(); ++i) {
      QVERIFY(plain->opened[i] >= 6);
      if (one_look) QCOMPARE(inner->opened[i].load(), 1);
      if (room == 0) QVERIFY(inner->opened[i] >= 6);
      const auto a = kept->picture(i), b = plain->picture(i);
      QVERIFY(a && b && cv::norm(*a, *b, cv::NORM_INF) == 0);
    }
  }

  void worthKeeping_data() {
    QTest::addColumn<QString>("cache");
    QTest::addColumn<int>("available");  // in pictures
    QTest::addColumn<int>("target");
    QTest::addColumn<bool>("in_memory");
    QTest::addColumn<bool>("worth");
    QTest::newRow("fits") << "auto" << 32 << 20 << false << true;
    QTest::newRow("more than a quarter") << "auto" << 31 << 20 << false << false;
    QTest::newRow("reduced anyway") << "auto" << 32 << 10 << false << false;
    QTest::newRow("off") << "off" << 1000 << 20 << false << false;
    QTest::newRow("on") << "on" << 0 << 10 << false << true;
    QTest::newRow("in memory") << "on" << 1000 << 20 << true << false;
  }

  void worthKeeping() {
    QFETCH(QString, cache);
    QFETCH(int, available);
    QFETCH(int, target);
    QFETCH(bool, in_memory);
    QFETCH(bool, worth);
    recipe::Data data;
    data.cache = cache.toStdString();
    const std::shared_ptr<const data::Dataset> dataset = in_memory ? std::shared_ptr<data::Dataset>(std::make_shared<Levels>(8)) : goldenPictures();
    const Keeping result = keeping(*dataset, upTo(8), data, {3, target, target}, static_cast<uint64_t>(available) * kPixels);
    QCOMPARE(result.worth, worth);
    if (worth) QCOMPARE(result.bytes, 8 * kPixels);
    QCOMPARE(withKeptPictures(dataset, result) == dataset, !worth);
  }

  // Files that vanish during training are replaced and reported; when there are too many of them the loader ends.
  void vanishingFiles() {
    QTemporaryDir folder;
    std::vector<fs::path> files;
    const auto bytes = readFile(fs::path(TEST_DATA_DIR) / "../golden/pictures/photo.jpg");
    for (int i = 0; i < 200; ++i) {
      files.push_back(fs::path(folder.path().toStdString()) / (std::to_string(i) + ".jpg"));
      std::ofstream(files.back(), std::ios::binary) << *bytes;
    }
    const auto recipe = cropsOf(20);
    const auto dataset = std::make_shared<Files>(files, data::DecodeOptions{.channels = 3});
    std::multiset<std::string> reported;
    auto loader = make(dataset, upTo(200), preparerOf(recipe), {.batch_size = 20, .workers = 2},
                       [&](const Error& error) { reported.insert(fs::path(error.where).filename().string()); });
    QCOMPARE(samplesOf(epochOf(*loader)).size(), size_t{200});
    QVERIFY(reported.empty());
    for (const int gone : {5, 150}) fs::remove(files[gone]);
    for (int epoch = 0; epoch < 2; ++epoch) QCOMPARE(samplesOf(epochOf(*loader)).size(), size_t{200});
    QCOMPARE(reported, (std::multiset<std::string>{"150.jpg", "5.jpg"}));
    fs::remove(files[77]);
    std::optional<Error> error;
    for (int epoch = 0; epoch < 2 && !error; ++epoch) epochOf(*loader, &error);
    QVERIFY(error.has_value());
    QCOMPARE(error->code, ErrorCode::Data);
    QVERIFY2(textOf(*error).contains("3 of 200 pictures") && textOf(*error).contains("150.jpg"), qPrintable(textOf(*error)));
  }

  // What a preview shows is what training gets, un-normalised.
  void previewsShowTheTensor() {
    const auto recipe = cropsOf(20);
    const auto dataset = goldenPictures();
    const auto preview = Preview::make(recipe, {3, 32, 48}, true);
    QVERIFY(preview.has_value());
    const double mean[] = {0.4, 0.5, 0.3}, std[] = {0.2, 0.25, 0.3};
    for (const auto& epoch : epochsOf(dataset, recipe, 3)) {
      for (const Copy& batch : epoch) {
        for (size_t i = 0; i < batch.samples.size(); ++i) {
          const auto shown = preview->picture(*dataset, batch.samples[i], batch.epoch);
          QVERIFY(shown.has_value());
          for (size_t p = 0; p < 20 * 20 * 3; ++p) {
            const double value = batch.inputs[i * 1200 + p] * std[p % 3] + mean[p % 3];
            QVERIFY(std::abs(value - shown->ptr()[p] / 255.0) <= 1 / 255.0);
          }
        }
      }
    }
  }

  void threads_data() {
    QTest::addColumn<int>("asked");
    QTest::addColumn<bool>("in_memory");
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("training");
    QTest::addColumn<int>("expected");
    QTest::newRow("asked for") << 3 << true << 2 << 2 << 3;
    QTest::newRow("in memory") << 0 << true << 64 << 1 << 1;
    QTest::newRow("one GPU") << 0 << false << 8 << 1 << 7;
    QTest::newRow("all cores train") << 0 << false << 8 << 8 << 1;
    QTest::newRow("one core") << 0 << false << 1 << 1 << 1;
    QTest::newRow("many cores") << 0 << false << 128 << 8 << 16;
  }

  void threads() {
    QFETCH(int, asked);
    QFETCH(bool, in_memory);
    QFETCH(int, cores);
    QFETCH(int, training);
    QFETCH(int, expected);
    QCOMPARE(workersFor(asked, in_memory, cores, training), expected);
  }
};

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
