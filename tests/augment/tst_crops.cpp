#include <set>

#include "core/augment/resample.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using namespace trainyard::augment::test;

namespace {

// A picture that notes what is asked of it, and gives a part with a margin around it.
class Asked : public Source {
 public:
  explicit Asked(cv::Mat pixels) : pixels_(std::move(pixels)) {}
  int height() const override { return pixels_.rows; }
  int width() const override { return pixels_.cols; }
  Result<cv::Mat> all() override {
    ++wholes;
    return pixels_;
  }
  Result<Cut> part(const cv::Rect& region, cv::Size target) override {
    regions.push_back(region);
    targets.push_back(target);
    const cv::Rect roomy = cv::Rect(region.x - 3, region.y - 2, region.width + 5, region.height + 7) & cv::Rect(0, 0, pixels_.cols, pixels_.rows);
    return Cut{pixels_(roomy), cv::Rect2d(region.x - roomy.x, region.y - roomy.y, region.width, region.height)};
  }

  int wholes = 0;
  std::vector<cv::Rect> regions;
  std::vector<cv::Size> targets;

 private:
  cv::Mat pixels_;
};

}  // namespace

class TestCrops : public QObject {
  Q_OBJECT

  // Where this window of the zero-padded coordinate picture starts: (y, x), or nothing when it is not one.
  static std::optional<std::pair<int, int>> startOf(const cv::Mat& window, const cv::Mat& picture, int padding) {
    for (int y = -padding; y <= picture.rows + padding - window.rows; ++y) {
      for (int x = -padding; x <= picture.cols + padding - window.cols; ++x) {
        cv::Mat expected(window.size(), CV_8UC3, cv::Scalar::all(0));
        for (int i = 0; i < window.rows; ++i) {
          for (int j = 0; j < window.cols; ++j) {
            const int row = y + i, column = x + j;
            if (row >= 0 && column >= 0 && row < picture.rows && column < picture.cols) expected.at<cv::Vec3b>(i, j) = picture.at<cv::Vec3b>(row, column);
          }
        }
        if (same(window, expected)) return std::pair(y, x);
      }
    }
    return std::nullopt;
  }

 private Q_SLOTS:
  // 81 windows, each about equally often: chi-squared with 80 degrees of freedom, beyond 124.8 once in a thousand.
  void oneOf81Windows() {
    const cv::Mat picture = coordinates(32, 32);
    const auto chain = Chain::make(recipeOf({step("random_crop", R"({"size": 32, "padding": 4, "fill": 0})")}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    std::map<std::pair<int, int>, int> seen;
    constexpr int kDraws = 8100;
    for (uint64_t sample = 0; sample < kDraws; ++sample) {
      const auto window = chain->applyPixels(picture, {42, 0, sample});
      QVERIFY(window.has_value() && window->rows == 32 && window->cols == 32);
      // The middle is inside whatever the window: it tells the start; the whole is compared for the first ones.
      const auto centre = window->at<cv::Vec3b>(16, 16);
      const std::pair start(centre[0] - 17, centre[1] - 17);
      if (sample < 100) QCOMPARE(startOf(*window, picture, 4), std::optional(start));
      ++seen[start];
    }
    QCOMPARE(seen.size(), size_t{81});
    double chi = 0;
    for (const auto& [start, count] : seen) chi += (count - 100.0) * (count - 100.0) / 100;
    QVERIFY2(chi < 124.8, qPrintable(QString::number(chi)));
  }

  void paddingOfEachSide() {
    const cv::Mat picture = coordinates(4, 4);
    // left 1, top 2, right 0, bottom 0, and a crop as large as the whole: one window.
    const cv::Mat four = pixels(recipeOf({step("random_crop", R"({"size": [6, 5], "padding": [1, 2, 0, 0], "fill": 9})")}), picture, true);
    QCOMPARE(four.at<cv::Vec3b>(2, 1), cv::Vec3b(1, 1, 200));
    QCOMPARE(four.at<cv::Vec3b>(5, 4), cv::Vec3b(4, 4, 200));
    QCOMPARE(four.at<cv::Vec3b>(1, 4), cv::Vec3b(9, 9, 9));
    QCOMPARE(four.at<cv::Vec3b>(5, 0), cv::Vec3b(9, 9, 9));
    // left and right 1, top and bottom 2
    const cv::Mat two = pixels(recipeOf({step("random_crop", R"({"size": [8, 6], "padding": [1, 2]})")}), picture, true);
    QCOMPARE(two.at<cv::Vec3b>(2, 1), cv::Vec3b(1, 1, 200));
    QCOMPARE(two.at<cv::Vec3b>(5, 4), cv::Vec3b(4, 4, 200));
    QCOMPARE(two.at<cv::Vec3b>(7, 5), cv::Vec3b(0, 0, 0));
  }

  void paddingModes_data() {
    QTest::addColumn<QList<int>>("columns");  // of the whole picture, padded by 2: its column numbers
    QTest::newRow("constant") << QList<int>{0, 0, 1, 2, 3, 0, 0};
    QTest::newRow("edge") << QList<int>{1, 1, 1, 2, 3, 3, 3};
    QTest::newRow("reflect") << QList<int>{3, 2, 1, 2, 3, 2, 1};
    QTest::newRow("symmetric") << QList<int>{2, 1, 1, 2, 3, 3, 2};
  }

  void paddingModes() {
    QFETCH(QList<int>, columns);
    recipe::Choice crop = step("random_crop", R"({"size": 7, "padding": 2})");
    crop.params["padding_mode"] = QTest::currentDataTag();
    const cv::Mat whole = pixels(recipeOf({crop}), coordinates(3, 3), true);
    for (int x = 0; x < 7; ++x) QCOMPARE(static_cast<int>(whole.at<cv::Vec3b>(3, x)[1]), columns[x]);
    for (int y = 0; y < 7; ++y) QCOMPARE(static_cast<int>(whole.at<cv::Vec3b>(y, 3)[0]), columns[y]);
  }

  void tooLargeCropIsRefused() {
    const auto chain = Chain::make(recipeOf({step("random_horizontal_flip", "{}"), step("random_crop", R"({"size": 33})")}), {3, 32, 40}, true);
    QVERIFY(!chain);
    QCOMPARE(chain.error().code, ErrorCode::Recipe);
    QCOMPARE(chain.error().where, std::string("augment[1] random_crop"));
    QVERIFY2(textOf(chain.error()).contains("32×40") && textOf(chain.error()).contains("33×33"), qPrintable(textOf(chain.error())));
    // Only a later picture is too small.
    const auto other = Chain::make(recipeOf({step("random_crop", R"({"size": 30})")}), {3, 32, 40}, true);
    QVERIFY(other.has_value());
    const auto small = other->applyPixels(coordinates(29, 40), {});
    QVERIFY(!small);
    QCOMPARE(small.error().code, ErrorCode::Recipe);
    QCOMPARE(small.error().where, std::string("augment[0] random_crop"));
    QVERIFY(!small.error().hint.empty());
  }

  // The start of the middle, in torchvision's rounding (half to even); negative: a border of that size.
  void centreCrop_data() {
    QTest::addColumn<int>("edge");
    QTest::addColumn<int>("crop");
    QTest::addColumn<int>("start");
    QTest::newRow("exact") << 8 << 4 << 2;
    QTest::newRow("1.5") << 5 << 2 << 2;
    QTest::newRow("2.5") << 7 << 2 << 2;
    QTest::newRow("0.5") << 4 << 3 << 0;
    QTest::newRow("whole") << 6 << 6 << 0;
    QTest::newRow("larger by 3") << 3 << 6 << -1;
    QTest::newRow("larger by 4") << 4 << 8 << -2;
  }

  void centreCrop() {
    QFETCH(int, edge);
    QFETCH(int, crop);
    QFETCH(int, start);
    recipe::Choice step{"center_crop", {{"size", crop}}};
    for (const bool training : {true, false}) {
      const cv::Mat result = pixels(recipeOf({step}), coordinates(edge, edge), training);
      QCOMPARE(result.rows, crop);
      QCOMPARE(result.cols, crop);
      for (int y = 0; y < crop; ++y) {
        for (int x = 0; x < crop; ++x) {
          const int row = start + y, column = start + x;
          const bool inside = row >= 0 && column >= 0 && row < edge && column < edge;
          QCOMPARE(result.at<cv::Vec3b>(y, x), inside ? cv::Vec3b(static_cast<uchar>(row + 1), static_cast<uchar>(column + 1), 200) : cv::Vec3b(0, 0, 0));
        }
      }
    }
  }

  // A quarter of the area of a square, as a square: windows that need no resizing.
  void randomResizedCropCutsWindows() {
    const cv::Mat picture = coordinates(16, 16);
    const auto recipe = recipeOf({step("random_resized_crop", R"({"size": 8, "scale": [0.25, 0.25], "ratio": [1, 1]})")});
    std::set<std::pair<int, int>> seen;
    for (uint64_t sample = 0; sample < 1000; ++sample) {
      const auto start = startOf(pixels(recipe, picture, true, {1, 2, sample}), picture, 0);
      QVERIFY(start.has_value());
      seen.insert(*start);
    }
    QCOMPARE(seen.size(), size_t{81});
  }

  void randomResizedCropResizes() {
    const cv::Mat picture = coordinates(21, 21);
    const cv::Mat whole = pixels(recipeOf({step("random_resized_crop", R"({"size": [5, 9], "scale": [1, 1], "ratio": [1, 1]})")}), picture, true);
    QVERIFY(same(whole, resized(picture, 5, 9)));
  }

  // No window of that ratio has that area: the largest in the middle.
  void randomResizedCropFallsBack() {
    const cv::Mat picture = coordinates(16, 16);
    const cv::Mat wide = pixels(recipeOf({step("random_resized_crop", R"({"size": [8, 16], "scale": [1, 1], "ratio": [2, 2]})")}), picture, true);
    QVERIFY(same(wide, picture(cv::Rect(0, 4, 16, 8))));
    const cv::Mat tall = pixels(recipeOf({step("random_resized_crop", R"({"size": [16, 8], "scale": [1, 1], "ratio": [0.5, 0.5]})")}), picture, true);
    QVERIFY(same(tall, picture(cv::Rect(4, 0, 8, 16))));
  }

  void firstStepsAskForWhatTheyNeed_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QSize>("target");  // asked for; empty: the region's own size
    QTest::newRow("random_resized_crop") << QByteArray("random_resized_crop") << QByteArray(R"({"size": [9, 12]})") << QSize(12, 9);
    QTest::newRow("random_crop") << QByteArray("random_crop") << QByteArray(R"({"size": 20})") << QSize();
    QTest::newRow("random_crop with a border") << QByteArray("random_crop") << QByteArray(R"({"size": 20, "padding": 5, "fill": 7})") << QSize();
    QTest::newRow("center_crop") << QByteArray("center_crop") << QByteArray(R"({"size": [10, 31]})") << QSize();
    QTest::newRow("center_crop of a smaller picture") << QByteArray("center_crop") << QByteArray(R"({"size": [50, 20]})") << QSize();
    QTest::newRow("resize") << QByteArray("resize") << QByteArray(R"({"size": [9, 12]})") << QSize(12, 9);
    QTest::newRow("resize, one edge") << QByteArray("resize") << QByteArray(R"({"size": 15})") << QSize(17, 15);
  }

  // Not the whole picture is decoded, and the result is as if it were.
  void firstStepsAskForWhatTheyNeed() {
    QFETCH(QByteArray, op);
    QFETCH(QByteArray, params);
    QFETCH(QSize, target);
    const cv::Mat picture = coordinates(35, 41);
    const auto chain = Chain::make(recipeOf({step(op.toStdString(), params.constData()), step("random_horizontal_flip", "{}")}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    for (uint64_t sample = 0; sample < 50; ++sample) {
      Asked source(picture);
      const auto result = chain->applyPixels(source, {3, 1, sample});
      const auto expected = chain->applyPixels(picture, {3, 1, sample});
      QVERIFY(result.has_value() && expected.has_value() && same(*result, *expected));
      QCOMPARE(source.wholes, 0);
      QCOMPARE(source.regions.size(), size_t{1});
      const cv::Size asked = source.targets[0], expected_target = target.isEmpty() ? source.regions[0].size() : cv::Size(target.width(), target.height());
      QVERIFY(asked == expected_target);
    }
  }

  void reversedRangesAreRefused() {
    for (const char* params : {R"({"size": 8, "scale": [1, 0.5]})", R"({"size": 8, "ratio": [2, 1]})"}) {
      const auto chain = Chain::make(recipeOf({step("random_resized_crop", params)}), {3, 16, 16}, true);
      QVERIFY(!chain);
      QCOMPARE(chain.error().code, ErrorCode::Recipe);
      QCOMPARE(chain.error().where, std::string("augment[0] random_resized_crop"));
    }
  }
};

QTEST_APPLESS_MAIN(TestCrops)
#include "tst_crops.moc"
