#include <set>

#include "core/augment/resample.h"
#include "core/catalogue/catalogue.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using namespace trainyard::augment::test;

Q_DECLARE_METATYPE(trainyard::augment::Shape)

class TestChain : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void catalogueAndMakersAgree() {
    std::vector<std::string> ids;
    for (const auto& entry : catalogue::augmentations()) ids.push_back(entry.id);
    QCOMPARE(madeIds(), ids);
  }

  void everyEntryWorks_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("training");
    for (const auto& entry : catalogue::augmentations()) {
      for (const int channels : {1, 3}) {
        for (const bool training : {true, false})
          QTest::addRow("%s, %d channels, %s", entry.id.c_str(), channels, training ? "training" : "evaluation") << channels << training;
      }
    }
  }

  void everyEntryWorks() {
    QFETCH(int, channels);
    QFETCH(bool, training);
    const std::string id = QString(QTest::currentDataTag()).section(',', 0, 0).toStdString();
    const auto& entry = *catalogue::find(catalogue::augmentations(), id);
    cv::Mat picture(8, 8, CV_8UC(channels));
    for (int i = 0; i < 64 * channels; ++i) picture.data[i] = static_cast<uchar>(i);
    const cv::Mat before = picture.clone();
    const auto chain = Chain::make(recipeOf({withDefaults(entry)}), shapeOf(picture), training);
    QVERIFY2(chain.has_value(), chain ? "" : qPrintable(textOf(chain.error())));
    const bool sized = id == "resize" || id.ends_with("crop");
    QCOMPARE(chain->shape().height, sized ? 6 : 8);
    QCOMPARE(chain->shape().width, sized ? 6 : 8);
    QCOMPARE(chain->shape().channels, channels);
    std::vector<float> floats(static_cast<size_t>(chain->shape().height) * chain->shape().width * channels, -1e9F);
    for (uint64_t sample = 0; sample < 50; ++sample) {
      QVERIFY(chain->apply(picture, {1, 2, sample}, floats).has_value());
      for (const float value : floats) QVERIFY(value >= -1 && value <= 1);
    }
    QVERIFY2(same(picture, before), "the dataset's own picture was changed");
  }

  void shapes_data() {
    QTest::addColumn<QString>("steps");  // [{op, …}]
    QTest::addColumn<int>("size");
    QTest::addColumn<QSize>("stored");
    QTest::addColumn<QSize>("result");
    const QSize photo(50, 40), square(32, 32);
    QTest::newRow("as stored") << "[]" << 0 << photo << photo;
    QTest::newRow("size alone") << "[]" << 24 << photo << QSize(24, 24);
    QTest::newRow("size enlarges") << "[]" << 64 << photo << QSize(64, 64);
    QTest::newRow("shorter side") << R"([{"op": "resize", "size": 20}])" << 0 << photo << QSize(25, 20);
    QTest::newRow("shorter side, upright") << R"([{"op": "resize", "size": 20}])" << 0 << QSize(30, 41) << QSize(20, 27);
    QTest::newRow("shorter side, then size") << R"([{"op": "resize", "size": 20}])" << 16 << photo << QSize(16, 16);
    QTest::newRow("height and width") << R"([{"op": "resize", "size": [10, 30]}])" << 0 << photo << QSize(30, 10);
    QTest::newRow("crop") << R"([{"op": "random_crop", "size": 28}])" << 0 << square << QSize(28, 28);
    QTest::newRow("crop and the same size") << R"([{"op": "random_crop", "size": 32, "padding": 4}])" << 32 << square << square;
    QTest::newRow("random resized crop") << R"([{"op": "random_resized_crop", "size": 24}])" << 24 << photo << QSize(24, 24);
    QTest::newRow("resize, then crop") << R"([{"op": "resize", "size": 30}, {"op": "center_crop", "size": 24}])" << 0 << photo << QSize(24, 24);
  }

  void shapes() {
    QFETCH(QString, steps);
    QFETCH(int, size);
    QFETCH(QSize, stored);
    QFETCH(QSize, result);
    std::vector<recipe::Choice> choices;
    for (auto params : Json::parse(steps.toStdString())) {
      const std::string id = params["op"];
      params.erase("op");
      choices.push_back({id, params});
    }
    const cv::Mat picture = coordinates(stored.height(), stored.width());
    for (const bool training : {true, false}) {
      const cv::Mat pixels = test::pixels(recipeOf(choices, size), picture, training);
      QCOMPARE(QSize(pixels.cols, pixels.rows), result);
    }
  }

  void sizeIsShorterSideThenCentre() {
    const cv::Mat picture = coordinates(40, 60);
    const cv::Mat result = pixels(recipeOf({}, 20), picture, true);
    QVERIFY(same(result, resized(picture, 20, 30)(cv::Rect(5, 0, 20, 20))));
  }

  // torchvision's recipe: 256 before 224, in proportion.
  void evaluationOfRandomResizedCrop() {
    const cv::Mat picture = coordinates(70, 140);
    const cv::Mat result =
        pixels(recipeOf({step("random_resized_crop", R"({"size": 28})"), step("random_horizontal_flip", R"({"p": 1.0})")}, 28), picture, false);
    QVERIFY(same(result, resized(picture, 32, 64)(cv::Rect(18, 2, 28, 28))));
  }

  void evaluationOfRandomCrop() {
    const cv::Mat picture = coordinates(8, 8);
    QVERIFY(same(pixels(recipeOf({step("random_crop", R"({"size": 8, "padding": 1})")}), picture, false), picture));
    QVERIFY(same(pixels(recipeOf({step("random_crop", R"({"size": 6})")}), picture, false), picture(cv::Rect(1, 1, 6, 6))));
  }

  void sizesThatDisagreeAreRefused() {
    const auto chain = Chain::make(recipeOf({step("random_crop", R"({"size": 28})")}, 32), {3, 32, 32}, true);
    QVERIFY(!chain);
    QCOMPARE(chain.error().code, ErrorCode::Recipe);
    QVERIFY2(textOf(chain.error()).contains("28×28") && textOf(chain.error()).contains("32"), qPrintable(textOf(chain.error())));
  }

  void picturesOfOtherSizesNeedASize() {
    const auto chain = Chain::make(recipeOf({}), {3, 10, 10}, true);
    QVERIFY(chain.has_value());
    const auto other = chain->applyPixels(coordinates(10, 11), {});
    QVERIFY(!other);
    QCOMPARE(other.error().code, ErrorCode::Recipe);
    QCOMPARE(other.error().where, std::string("data.size"));
    QVERIFY2(textOf(other.error()).contains("10×11") && textOf(other.error()).contains("set data.size"), qPrintable(textOf(other.error())));
  }

  void channels_data() {
    QTest::addColumn<int>("wanted");
    QTest::addColumn<int>("stored");
    QTest::addColumn<int>("given");
    QTest::addColumn<QList<int>>("pixel");
    QTest::newRow("grey stays grey") << 0 << 1 << 1 << QList<int>{77};
    QTest::newRow("colour stays colour") << 0 << 3 << 3 << QList<int>{255, 0, 0};
    QTest::newRow("grey among colour") << 0 << 3 << 1 << QList<int>{77, 77, 77};
    QTest::newRow("colour among grey") << 0 << 1 << 3 << QList<int>{76};
    QTest::newRow("grey as colour") << 3 << 1 << 1 << QList<int>{77, 77, 77};
    QTest::newRow("colour as grey") << 1 << 3 << 3 << QList<int>{76};
  }

  void channels() {
    QFETCH(int, wanted);
    QFETCH(int, stored);
    QFETCH(int, given);
    QFETCH(QList<int>, pixel);
    const auto chain = Chain::make(recipeOf({}, 0, wanted), {stored, 2, 2}, true);
    QVERIFY(chain.has_value());
    QCOMPARE(chain->shape().channels, static_cast<int>(pixel.size()));
    const cv::Mat picture(2, 2, CV_8UC(given), given == 1 ? cv::Scalar(77) : cv::Scalar(255, 0, 0));
    const auto result = chain->applyPixels(picture, {});
    QVERIFY(result.has_value());
    for (int c = 0; c < pixel.size(); ++c) QCOMPARE(static_cast<int>(result->ptr(1)[pixel.size() + c]), pixel[c]);
  }

  // Floats in [0, 1], then (v − mean) / std per channel; normalize comes last wherever it stands; channels innermost.
  void floatsAndNormalize() {
    const cv::Mat picture = coordinates(3, 2);
    const std::vector<float> mean{0.485F, 0.456F, 0.406F}, std{0.229F, 0.224F, 0.225F};
    std::vector<float> plain(18), normal(18);
    QVERIFY(Chain::make(recipeOf({}), shapeOf(picture), true)->apply(picture, {}, plain).has_value());
    const auto recipe =
        recipeOf({step("normalize", R"({"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]})"), step("random_horizontal_flip", R"({"p": 0.0})")});
    QVERIFY(Chain::make(recipe, shapeOf(picture), true)->apply(picture, {}, normal).has_value());
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 2; ++x) {
        const int values[3] = {y + 1, x + 1, 200};
        for (int c = 0; c < 3; ++c) {
          const size_t at = static_cast<size_t>((y * 2 + x) * 3 + c);
          QCOMPARE(plain[at], static_cast<float>(values[c]) / 255.0F);
          QCOMPARE(normal[at], (static_cast<float>(values[c]) / 255.0F - mean[c]) / std[c]);
        }
      }
    }
  }

  void normalizeForAllChannels() {
    const cv::Mat picture(1, 1, CV_8UC3, cv::Scalar(0, 255, 51));
    std::vector<float> out(3);
    QVERIFY(Chain::make(recipeOf({step("normalize", R"({"mean": [0.5], "std": [0.25]})")}), shapeOf(picture), false)->apply(picture, {}, out).has_value());
    QCOMPARE(out, (std::vector<float>{-2.0F, 2.0F, (0.2F - 0.5F) / 0.25F}));
  }

  void normalizeRefused_data() {
    QTest::addColumn<QString>("params");
    QTest::newRow("three for grey") << R"({"mean": [0.5, 0.5, 0.5], "std": [0.5]})";
    QTest::newRow("std of 0") << R"({"mean": [0.5], "std": [0]})";
    QTest::newRow("none") << R"({"mean": [], "std": []})";
  }

  void normalizeRefused() {
    QFETCH(QString, params);
    const auto chain = Chain::make(recipeOf({step("normalize", qPrintable(params))}), {1, 4, 4}, true);
    QVERIFY(!chain);
    QCOMPARE(chain.error().code, ErrorCode::Recipe);
  }

  void normalizeOnlyOnce() {
    const auto once = step("normalize", R"({"mean": [0.5], "std": [0.5]})");
    const auto chain = Chain::make(recipeOf({once, once}), {1, 4, 4}, true);
    QVERIFY(!chain);
    QCOMPARE(chain.error().where, std::string("augment[1] normalize"));
  }

  void unknownStep() {
    const auto chain = Chain::make(recipeOf({step("random_crops", "{}")}), {1, 4, 4}, true);
    QVERIFY(!chain);
    QCOMPARE(chain.error().where, std::string("augment[0] random_crops"));
    QCOMPARE(chain.error().hint, std::string("did you mean \"random_crop\"?"));
  }

  void flips_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<double>("probability");
    for (const char* op : {"random_horizontal_flip", "random_vertical_flip"}) {
      for (const double probability : {0.0, 0.25, 0.5, 1.0}) QTest::addRow("%s %g", op, probability) << op << probability;
    }
  }

  // Within 4 standard deviations of 4,000 draws.
  void flips() {
    QFETCH(QString, op);
    QFETCH(double, probability);
    const cv::Mat picture = coordinates(3, 5);
    cv::Mat mirrored;
    cv::flip(picture, mirrored, op == "random_horizontal_flip" ? 1 : 0);
    const auto chain = Chain::make(recipeOf({{op.toStdString(), {{"p", probability}}}}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    int flipped = 0;
    constexpr int kDraws = 4000;
    for (uint64_t sample = 0; sample < kDraws; ++sample) {
      const auto result = chain->applyPixels(picture, {42, 0, sample});
      const bool is_mirrored = same(*result, mirrored);
      QVERIFY(is_mirrored || same(*result, picture));
      flipped += is_mirrored;
    }
    const double spread = 4 * std::sqrt(kDraws * probability * (1 - probability));
    QVERIFY2(std::abs(flipped - kDraws * probability) <= spread, qPrintable(QString::number(flipped)));
    QVERIFY(same(pixels(recipeOf({{op.toStdString(), {{"p", 1.0}}}}), picture, false), picture));
  }

  void keysDecideAlone() {
    const cv::Mat picture = coordinates(40, 40);
    const auto recipe = recipeOf({step("random_resized_crop", R"({"size": 16})"), step("random_horizontal_flip", R"({"p": 0.5})")});
    const auto chain = Chain::make(recipe, shapeOf(picture), true), again = Chain::make(recipe, shapeOf(picture), true);
    std::set<std::string> different;
    for (const Key key : {Key{1, 0, 0}, Key{1, 0, 1}, Key{1, 1, 0}, Key{2, 0, 0}, Key{0, 1, 1}, Key{0, 0, 1}}) {
      const cv::Mat first = *chain->applyPixels(picture, key);
      QVERIFY(same(first, *again->applyPixels(picture, key)));
      const cv::Mat whole = first.clone();
      different.emplace(reinterpret_cast<const char*>(whole.data), whole.total() * whole.elemSize());
    }
    QCOMPARE(different.size(), size_t{6});
  }

  // What a preview shows is what training gets.
  void pixelsAndFloatsAgree() {
    const cv::Mat picture = coordinates(30, 20);
    const auto chain =
        Chain::make(recipeOf({step("random_resized_crop", R"({"size": 12})"), step("normalize", R"({"mean": [0.5], "std": [0.5]})")}), shapeOf(picture), true);
    const Key key{9, 8, 7};
    const cv::Mat shown = *chain->applyPixels(picture, key);
    std::vector<float> floats(12 * 12 * 3);
    QVERIFY(chain->apply(picture, key, floats).has_value());
    for (int y = 0; y < 12; ++y) {
      for (int i = 0; i < 36; ++i) QCOMPARE(static_cast<int>(std::lround((floats[y * 36 + i] * 0.5F + 0.5F) * 255)), static_cast<int>(shown.ptr(y)[i]));
    }
  }

  void wrongRoomIsRefused() {
    std::vector<float> room(5);
    const auto chain = Chain::make(recipeOf({}), {1, 2, 2}, true);
    QVERIFY(!chain->apply(cv::Mat(2, 2, CV_8UC1, cv::Scalar(0)), {}, room));
  }
};

QTEST_APPLESS_MAIN(TestChain)
#include "tst_chain.moc"
