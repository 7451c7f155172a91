#include <QTemporaryDir>
#include <algorithm>
#include <numeric>
#include <set>

#include "core/data/split.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

// As many samples of each class as `counts` says, classes in turns; the last `held_out` of all are the data's own validation part.
class Labels : public Dataset {
 public:
  explicit Labels(const std::vector<int>& counts, uint64_t held_out = 0) : held_out_(held_out) {
    for (int round = 0; std::any_of(counts.begin(), counts.end(), [&](int count) { return count > round; }); ++round) {
      for (size_t c = 0; c < counts.size(); ++c) {
        if (counts[c] > round) labels_.push_back(static_cast<int>(c));
      }
    }
    for (size_t c = 0; c < counts.size(); ++c) classes_.push_back("class " + std::to_string(c));
  }
  uint64_t size() const override { return labels_.size(); }
  int label(uint64_t index) const override { return labels_[index]; }
  Part part(uint64_t index) const override { return index + held_out_ >= size() ? Part::Validation : Part::Unassigned; }
  std::string name(uint64_t index) const override { return std::to_string(index); }
  Result<cv::Mat> picture(uint64_t index) const override { return cv::Mat(1, 1, CV_8UC1, cv::Scalar(static_cast<double>(index))); }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return true; }

 private:
  uint64_t held_out_;
  std::vector<int> labels_;
  std::vector<std::string> classes_;
};

std::vector<uint64_t> upTo(uint64_t count) {
  std::vector<uint64_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

class TestSplit : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void shares_data() {
    QTest::addColumn<QList<int>>("counts");
    QTest::addColumn<double>("share");
    QTest::addColumn<QList<int>>("held_out");
    QTest::newRow("a fifth") << QList<int>{100, 50, 10} << 0.2 << QList<int>{20, 10, 2};
    QTest::newRow("rounded") << QList<int>{13, 14, 15, 4} << 0.1 << QList<int>{1, 1, 2, 0};
    QTest::newRow("one stays in training") << QList<int>{1, 2, 3} << 0.9 << QList<int>{0, 1, 2};
    QTest::newRow("none") << QList<int>{10, 10} << 0.0 << QList<int>{0, 0};
    QTest::newRow("an empty class") << QList<int>{10, 0, 20} << 0.5 << QList<int>{5, 0, 10};
    QTest::newRow("at least one of all") << QList<int>{3, 4, 2} << 0.1 << QList<int>{0, 1, 0};
  }

  void shares() {
    QFETCH(QList<int>, counts);
    QFETCH(double, share);
    QFETCH(QList<int>, held_out);
    const Labels dataset({counts.begin(), counts.end()});
    const auto parts = split(dataset, share, 1);
    TRAINYARD_VERIFY(parts);
    const auto validation = classCounts(dataset, parts->validation), train = classCounts(dataset, parts->train);
    for (int c = 0; c < counts.size(); ++c) {
      QCOMPARE(static_cast<int>(validation[c]), held_out[c]);
      QCOMPARE(static_cast<int>(train[c]), counts[c] - held_out[c]);
    }
    QVERIFY(std::is_sorted(parts->train.begin(), parts->train.end()) && std::is_sorted(parts->validation.begin(), parts->validation.end()));
    std::vector<uint64_t> all = parts->train;
    all.insert(all.end(), parts->validation.begin(), parts->validation.end());
    std::sort(all.begin(), all.end());
    QCOMPARE(all, upTo(dataset.size()));
  }

  void seedsDecide() {
    const Labels dataset({50, 50});
    const auto one = split(dataset, 0.2, 1), again = split(dataset, 0.2, 1), other = split(dataset, 0.2, 2);
    QCOMPARE(one->validation, again->validation);
    QVERIFY(one->validation != other->validation);
  }

  void automatic() {
    const Labels plain({30, 30}), divided({30, 30}, 6);
    QCOMPARE(split(plain, "auto", 1)->validation.size(), size_t{6});
    QCOMPARE(split(divided, "auto", 1)->validation, (std::vector<uint64_t>{54, 55, 56, 57, 58, 59}));
    QCOMPARE(split(divided, "auto", 1)->train, upTo(54));
  }

  // A share is drawn from the training part; the data's own validation part then takes no part in training.
  void shareBesideOwnPart() {
    const auto parts = split(Labels({30, 30}, 20), 0.25, 1);
    TRAINYARD_VERIFY(parts);
    QCOMPARE(parts->validation.size(), size_t{10});
    QCOMPARE(parts->train.size(), size_t{30});
    for (const auto index : parts->validation) QVERIFY(index < 40);
  }

  void refused() {
    compareError(split(Labels({10}), 0.95, 1).error(), ErrorCode::Recipe, {"0.95", "0.9"});
    compareError(split(Labels({10}), "twenty", 1).error(), ErrorCode::Recipe, {"twenty"});
    compareError(split(Labels({1, 1}), 0.1, 1).error(), ErrorCode::Data, {"too few"});
    compareError(split(Labels({10, 10}, 20), "auto", 1).error(), ErrorCode::Data, {"none for training"});
  }

  void validationFolder() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    for (const char* name : {"train/a/1.png", "train/b/1.png", "train/c/1.png", "train/c/2.png"}) write(root / name, png(1, 1, {1, 1, 1}));
    for (const char* name : {"check/a/9.png", "check/c/8.png"}) write(root / name, png(1, 1, {2, 2, 2}));
    const auto opened = openWithSplit(dataOf("image-folder", root / "train", displayPath(root / "check")), 1);
    TRAINYARD_VERIFY(opened);
    const Dataset& dataset = *opened->dataset;
    QCOMPARE(dataset.classes(), (std::vector<std::string>{"a", "b", "c"}));
    QCOMPARE(opened->parts.train, upTo(4));
    QCOMPARE(opened->parts.validation, (std::vector<uint64_t>{4, 5}));
    QCOMPARE(dataset.label(4), 0);
    QCOMPARE(dataset.label(5), 2);  // not 1, its index in the folder alone
    QCOMPARE(dataset.name(5), std::string("c/8.png"));
    QVERIFY(dataset.part(5) == Part::Validation);
    QCOMPARE(hexOf(*dataset.picture(3)), QByteArray("010101"));
    QCOMPARE(hexOf(*dataset.picture(5)), QByteArray("020202"));
    write(root / "check/d/1.png", png(1, 1, {3, 3, 3}));
    compareError(openWithSplit(dataOf("image-folder", root / "train", displayPath(root / "check")), 1).error(), ErrorCode::Data,
                 {"\"d\"", "not in training", "check"});
    compareError(openWithSplit(dataOf("image-folder", root / "train", displayPath(root / "nowhere")), 1).error(), ErrorCode::Data, {"nowhere"});
  }

  // Test first, then validation; both are shares of all, class by class.
  void testShare() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    for (int i = 0; i < 60; ++i) write(root / (i % 3 ? "a" : "b") / (std::to_string(i) + ".png"), png(1, 1, {1, 1, 1}));
    recipe::Data data = dataOf("image-folder", root, 0.2);
    data.test = 0.1;
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    const Dataset& dataset = *opened->dataset;
    QCOMPARE(classCounts(dataset, opened->parts.test), (std::vector<uint64_t>{4, 2}));
    QCOMPARE(classCounts(dataset, opened->parts.validation), (std::vector<uint64_t>{8, 4}));
    QCOMPARE(classCounts(dataset, opened->parts.train), (std::vector<uint64_t>{28, 14}));
    std::vector<uint64_t> all = opened->parts.train;
    for (const auto* part : {&opened->parts.validation, &opened->parts.test}) all.insert(all.end(), part->begin(), part->end());
    std::sort(all.begin(), all.end());
    QCOMPARE(all, upTo(60));
    data.test = 0.9;
    compareError(openWithSplit(data, 1).error(), ErrorCode::Recipe, {"data.test", "validation and test together"});
    data.test = 0.95;
    compareError(openWithSplit(data, 1).error(), ErrorCode::Recipe, {"data.test", "0.95"});
  }

  void testFolder() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    for (const char* name : {"train/a/1.png", "train/b/1.png", "train/c/1.png", "train/c/2.png"}) write(root / name, png(1, 1, {1, 1, 1}));
    for (const char* name : {"check/c/8.png", "last/c/9.png", "last/a/9.png"}) write(root / name, png(1, 1, {2, 2, 2}));
    recipe::Data data = dataOf("image-folder", root / "train", displayPath(root / "check"));
    data.test = displayPath(root / "last");
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(opened->parts.train, upTo(4));
    QCOMPARE(opened->parts.validation, std::vector<uint64_t>{4});
    QCOMPARE(opened->parts.test, (std::vector<uint64_t>{5, 6}));
    QCOMPARE(opened->dataset->label(6), 2);
    QVERIFY(opened->dataset->part(6) == Part::Test);
    QCOMPARE(opened->dataset->file(6), root / "last/c/9.png");
    write(root / "last/d/1.png", png(1, 1, {3, 3, 3}));
    compareError(openWithSplit(data, 1).error(), ErrorCode::Data, {"\"d\"", "the test part", "last"});
  }

  // What is left out is left out of held-out data too, which need not have the class.
  void leftOutOfHeldOutData() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    for (const char* name : {"train/a/1.png", "train/b/1.png", "train/c/1.png", "check/b/2.png", "check/c/3.png"}) write(root / name, png(1, 1, {1, 1, 1}));
    recipe::Data data = dataOf("image-folder", root / "train", displayPath(root / "check"));
    data.exclude_classes = {"a"};
    data.exclude = {"b/2.png"};
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(opened->dataset->classes(), (std::vector<std::string>{"b", "c"}));
    QCOMPARE(opened->dataset->size(), uint64_t{3});
    QCOMPARE(opened->dataset->name(2), std::string("c/3.png"));
    QCOMPARE(opened->dataset->label(2), 1);
  }

  void numberedClassesByName() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    write(root / "a/train-images", idx({3, 1, 1}, counting(3)));
    write(root / "a/train-labels", idx({3}, {0, 1, 2}));
    write(root / "b/test-images", idx({2, 1, 1}, counting(2, 50)));
    write(root / "b/test-labels", idx({2}, {1, 0}));
    const auto opened = openWithSplit(dataOf("idx", root / "a", displayPath(root / "b")), 1);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(opened->parts.validation, (std::vector<uint64_t>{3, 4}));
    QCOMPARE(opened->dataset->label(3), 1);
    write(root / "b/test-labels", idx({2}, {1, 3}));
    compareError(openWithSplit(dataOf("idx", root / "a", displayPath(root / "b")), 1).error(), ErrorCode::Data, {"\"3\"", "not in training"});
  }

  void orders_data() {
    QTest::addColumn<int>("count");
    for (const int count : {0, 1, 2, 3, 100, 10007}) QTest::addRow("%d", count) << count;
  }

  void orders() {
    QFETCH(int, count);
    const auto order = epochOrder(count, 42, 3);
    QCOMPARE(order, epochOrder(count, 42, 3));
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    QCOMPARE(sorted, upTo(count));
    if (count < 100) return;
    std::set<std::vector<uint64_t>> different{order, epochOrder(count, 42, 4), epochOrder(count, 43, 3), epochOrder(count, 3, 42), upTo(count)};
    QCOMPARE(different.size(), size_t{5});
  }

  // Each of 24 orders of 4 samples comes up about equally often: chi-squared, 23 degrees of freedom, beyond 49.7 once in a thousand.
  void ordersAreFair() {
    std::map<std::vector<uint64_t>, int> seen;
    constexpr int kDraws = 24000;
    for (int epoch = 0; epoch < kDraws; ++epoch) ++seen[epochOrder(4, 42, epoch)];
    QCOMPARE(seen.size(), size_t{24});
    double chi = 0;
    for (const auto& [order, count] : seen) chi += (count - 1000.0) * (count - 1000.0) / 1000;
    QVERIFY2(chi < 49.7, qPrintable(QString::number(chi)));
  }
};

QTEST_APPLESS_MAIN(TestSplit)
#include "tst_split.moc"
