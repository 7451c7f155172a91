#include <set>

#include "core/augment/colour.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using namespace trainyard::augment::test;

// Chains of the whole catalogue: what is switched off, what stands inside what, what evaluation sees, and what is refused.
class TestSteps : public QObject {
  Q_OBJECT

  static std::vector<recipe::Choice> listOf(const char* text) {
    std::vector<recipe::Choice> list;
    for (auto params : Json::parse(text)) {
      const std::string id = params["op"];
      params.erase("op");
      list.push_back({id, params});
    }
    return list;
  }

  static recipe::Recipe recipeWith(const char* training, const char* evaluation = "[]") {
    recipe::Recipe recipe = recipeOf(listOf(training));
    recipe.eval_augment = listOf(evaluation);
    return recipe;
  }

 private Q_SLOTS:
  void everyEntryTakesEveryPicture_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("channels");
    for (const auto& entry : catalogue::augmentations()) {
      for (const QSize size : {QSize(1, 1), QSize(2, 1), QSize(1, 7), QSize(3, 2), QSize(17, 23), QSize(40, 9)}) {
        for (const int channels : {1, 3}) QTest::addRow("%s, %dx%d, %d channels", entry.id.c_str(), size.width(), size.height(), channels) << size << channels;
      }
    }
  }

  void everyEntryTakesEveryPicture() {
    QFETCH(QSize, size);
    QFETCH(int, channels);
    const std::string id = QString(QTest::currentDataTag()).section(',', 0, 0).toStdString();
    recipe::Choice choice = withDefaults(*catalogue::find(catalogue::augmentations(), id));
    if (choice.params.contains("p") && choice.params["p"].is_number()) choice.params["p"] = 1;
    if (id == "random_crop") choice.params["pad_if_needed"] = true;
    const cv::Mat picture = formula(size.height(), size.width(), channels), before = picture.clone();
    for (const bool training : {true, false}) {
      const auto chain = Chain::make(recipeOf({choice}), shapeOf(picture), training);
      QVERIFY2(chain.has_value(), chain ? "" : qPrintable(textOf(chain.error())));
      for (uint64_t sample = 0; sample < 60; ++sample) {
        const auto result = chain->applyPixels(picture, {1, 2, sample});
        QVERIFY2(result.has_value(), result ? "" : qPrintable(textOf(result.error())));
        QCOMPARE(result->channels(), channels);
        QCOMPARE(result->rows, chain->shape().height);
        QCOMPARE(result->cols, chain->shape().width);
      }
    }
    QVERIFY2(same(picture, before), "the picture itself was changed");
  }

  // Every random step really changes pictures in training, and none does in evaluation.
  void randomStepsOnlyTrain() {
    for (const auto& entry : catalogue::augmentations()) {
      if (entry.id == "mixup" || entry.id == "cutmix" || entry.id == "normalize" || entry.id == "resize" || entry.id.ends_with("crop")) continue;
      recipe::Choice choice = withDefaults(entry);
      if (entry.id == "color_jitter") choice.params["brightness"] = 0.5;
      const cv::Mat picture = formula(17, 23, 3);
      std::set<QByteArray> seen;
      for (const bool training : {true, false}) {
        const auto chain = Chain::make(recipeOf({choice}), shapeOf(picture), training);
        QVERIFY2(chain.has_value(), chain ? "" : qPrintable(textOf(chain.error())));
        for (uint64_t sample = 0; sample < 100; ++sample) {
          const cv::Mat result = chain->applyPixels(picture, {1, 2, sample})->clone();
          if (training) seen.insert(QByteArray(reinterpret_cast<const char*>(result.data), static_cast<qsizetype>(result.total() * result.elemSize())));
          else QVERIFY2(same(result, picture), entry.id.c_str());
        }
      }
      QVERIFY2(seen.size() >= 2, entry.id.c_str());
    }
  }

  // A step that is off changes neither the pictures nor what the others draw.
  void switchedOffStepsLeaveTheOthersAlone() {
    const cv::Mat picture = formula(20, 20, 3);
    const char* with = R"([{"op": "random_rotation", "degrees": 90, "enabled": false}, {"op": "random_crop", "size": 8}, {"op": "color_jitter", "brightness": 0.9}])";
    const char* other = R"([{"op": "random_invert", "enabled": false}, {"op": "random_crop", "size": 8}, {"op": "color_jitter", "brightness": 0.9}])";
    const char* off = R"([{"op": "random_invert", "enabled": false}, {"op": "random_crop", "size": 8}, {"op": "color_jitter", "brightness": 0.9, "enabled": false}])";
    for (uint64_t sample = 0; sample < 20; ++sample) {
      const Key key{5, 1, sample};
      const cv::Mat result = pixels(recipeWith(with), picture, true, key);
      QVERIFY(same(result, pixels(recipeWith(other), picture, true, key)));
      // The crop stays where it was; only the colours differ.
      const cv::Mat plain = pixels(recipeWith(off), picture, true, key);
      QVERIFY(same(pixels(recipeWith(R"([{"op": "random_invert", "enabled": false}, {"op": "random_crop", "size": 8}])"), picture, true, key), plain));
    }
  }

  void equalStepsInTwoPlacesDrawApart() {
    const cv::Mat picture = formula(16, 16, 1);
    int both = 0;
    for (uint64_t sample = 0; sample < 400; ++sample) {
      // Two flips at one in two each: the picture stays itself half of the time, not always.
      both += same(pixels(recipeWith(R"([{"op": "random_horizontal_flip"}, {"op": "random_horizontal_flip"}])"), picture, true, {5, 1, sample}), picture) ? 1 : 0;
    }
    QVERIFY2(both > 140 && both < 260, qPrintable(QString::number(both)));
  }

  void stepsSeeTheNetworksChannels() {
    // Grey by then: a jump in hue finds nothing to change.
    recipe::Recipe recipe = recipeWith(R"([{"op": "color_jitter", "hue": [0.5, 0.5]}])");
    recipe.data.channels = 1;
    const cv::Mat red(2, 2, CV_8UC3, cv::Scalar(250, 10, 10));
    QVERIFY(same(pixels(recipe, red, true), pixels(recipe, red, false)));
    recipe.data.channels = 3;
    QCOMPARE(pixels(recipe, cv::Mat(1, 1, CV_8UC1, cv::Scalar(7)), true).at<cv::Vec3b>(0, 0), cv::Vec3b(7, 7, 7));
    // A grey picture among coloured ones is coloured too.
    recipe.data.channels = 0;
    const auto chain = Chain::make(recipe, {3, 2, 2}, true);
    QVERIFY(chain.has_value());
    QCOMPARE(chain->applyPixels(cv::Mat(2, 2, CV_8UC1, cv::Scalar(9)), {})->at<cv::Vec3b>(1, 1), cv::Vec3b(9, 9, 9));
  }

  void evaluationAsWritten() {
    const cv::Mat picture = formula(30, 40, 3);
    const auto recipe = recipeWith(R"([{"op": "random_crop", "size": 8}, {"op": "random_invert", "p": 1}])", R"([{"op": "resize", "size": 10}, {"op": "center_crop", "size": 8}])");
    const auto derived = recipeWith(R"([{"op": "resize", "size": 10}, {"op": "center_crop", "size": 8}])");
    QVERIFY(same(pixels(recipe, picture, false), pixels(derived, picture, false)));
    QCOMPARE(pixels(recipe, picture, true).rows, 8);
    // Switched off, the steps still say that evaluation is as written.
    QCOMPARE(pixels(recipeWith(R"([{"op": "random_crop", "size": 8}])", R"([{"op": "resize", "size": 10, "enabled": false}])"), picture, false).cols, 40);
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("training");
    QTest::addColumn<QByteArray>("evaluation");
    QTest::addColumn<bool>("in_training");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* training, const char* evaluation, bool in_training, const char* where, const char* what) {
      QTest::newRow(name) << QByteArray(training) << QByteArray(evaluation) << in_training << where << what;
    };
    row("random in evaluation", "[]", R"([{"op": "resize", "size": 9}, {"op": "random_invert"}])", false, "eval_augment[1] random_invert", "random_invert is random");
    row("mixup in evaluation", "[]", R"([{"op": "mixup"}])", false, "eval_augment[0] mixup", "mixup is random");
    row("normalised in training alone", R"([{"op": "normalize", "mean": [0.5], "std": [0.5]}])", R"([{"op": "resize", "size": 9}])", false, "eval_augment",
        "those for evaluation are not");
    row("twice", R"([{"op": "mixup"}, {"op": "cutmix"}, {"op": "mixup"}])", "[]", true, "augment[2] mixup", "a second time");
    row("inside", R"([{"op": "random_apply", "transforms": [{"op": "random_invert"}, {"op": "normalize", "mean": [0.5], "std": [0.5]}]}])", "[]", true,
        "augment[0].transforms[1]", "normalize cannot stand inside");
    row("inside an inside", R"([{"op": "random_invert"}, {"op": "random_choice", "transforms": [{"op": "random_apply", "transforms": [{"op": "random_crop", "size": 99}]}]}])", "[]",
        true, "augment[1].transforms[0].transforms[0] random_crop", "smaller than the crop");
    row("unknown", R"([{"op": "random_flip"}])", "[]", true, "augment[0] random_flip", "no augmentation");
    row("sizes differ: sometimes a crop", R"([{"op": "random_apply", "transforms": [{"op": "random_crop", "size": 8}]}])", "[]", true, "augment", "different sizes");
    row("sizes differ: one crop of two", R"([{"op": "random_choice", "transforms": [{"op": "random_crop", "size": 8}, {"op": "random_invert"}]}])", "[]", true, "augment",
        "different sizes");
    row("sizes differ: expanded", R"([{"op": "random_rotation", "degrees": 10, "expand": true}])", "[]", true, "augment", "different sizes");
    row("fill for other channels", R"([{"op": "random_affine", "degrees": 1, "fill": [1, 2]}])", "[]", true, "augment[0] random_affine", "fill has 2 numbers, but the pictures have 3");
    row("value for other channels", R"([{"op": "random_erasing", "value": [1, 2]}])", "[]", true, "augment[0] random_erasing", "value has 2 numbers");
  }

  void refused() {
    QFETCH(QByteArray, training);
    QFETCH(QByteArray, evaluation);
    QFETCH(bool, in_training);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto chain = Chain::make(recipeWith(training, evaluation), {3, 20, 30}, in_training);
    QVERIFY(!chain);
    QCOMPARE(chain.error().code, ErrorCode::Recipe);
    QVERIFY2(QString::fromStdString(chain.error().where).startsWith(where) && textOf(chain.error()).contains(what), qPrintable(textOf(chain.error())));
    QVERIFY(!chain.error().hint.empty());
  }

  void expandedPicturesAreBroughtToASize() {
    const cv::Mat picture = formula(20, 30, 3);
    auto recipe = recipeWith(R"([{"op": "random_rotation", "degrees": 45, "expand": true}, {"op": "resize", "size": [12, 12]}])");
    QCOMPARE(pixels(recipe, picture, true).cols, 12);
    recipe = recipeWith(R"([{"op": "random_rotation", "degrees": 45, "expand": true}])");
    recipe.data.size = 16;
    QCOMPARE(pixels(recipe, picture, true).cols, 16);
  }

  // Choices between crops of one size crop in evaluation too.
  void choicesBetweenCropsKeepTheirSize() {
    const auto recipe = recipeWith(R"([{"op": "random_choice", "transforms": [{"op": "random_crop", "size": 8}, {"op": "random_resized_crop", "size": 8}]}])");
    const cv::Mat picture = formula(20, 30, 3);
    QCOMPARE(pixels(recipe, picture, true).rows, 8);
    QVERIFY(same(pixels(recipe, picture, false), picture(cv::Rect(11, 6, 8, 8))));
    const auto always = recipeWith(R"([{"op": "random_apply", "p": 1, "transforms": [{"op": "random_crop", "size": 8}]}])");
    QVERIFY(same(pixels(always, picture, false), picture(cv::Rect(11, 6, 8, 8))));
  }

  void applyTakesAllStepsOrNone() {
    const cv::Mat picture = formula(4, 4, 3);
    const auto recipe = recipeWith(R"([{"op": "random_apply", "p": 0.4, "transforms": [{"op": "random_invert", "p": 1}, {"op": "random_posterize", "bits": 2, "p": 1},
                                       {"op": "random_solarize", "threshold": 0, "p": 1, "enabled": false}]}])");
    int changed = 0;
    for (uint64_t sample = 0; sample < 1000; ++sample) {
      const cv::Mat result = pixels(recipe, picture, true, {5, 1, sample});
      if (same(result, picture)) continue;
      ++changed;
      QVERIFY(same(result, posterized(inverted(picture), 2)));
    }
    QVERIFY2(changed > 340 && changed < 460, qPrintable(QString::number(changed)));
  }

  // What a step inside another draws does not depend on its neighbours.
  void innerStepsDrawApart() {
    const cv::Mat picture = formula(20, 20, 3);
    const auto with = recipeWith(R"([{"op": "random_apply", "p": 1, "transforms": [{"op": "random_invert", "p": 0}, {"op": "random_crop", "size": 8}]}])");
    const auto off = recipeWith(R"([{"op": "random_apply", "p": 1, "transforms": [{"op": "random_rotation", "degrees": 9, "enabled": false}, {"op": "random_crop", "size": 8}]}])");
    for (uint64_t sample = 0; sample < 20; ++sample) QVERIFY(same(pixels(with, picture, true, {5, 1, sample}), pixels(off, picture, true, {5, 1, sample})));
  }

  void smallPicturesArePaddedIfNeeded() {
    const cv::Mat picture = coordinates(3, 5);
    const auto recipe = recipeWith(R"([{"op": "random_crop", "size": [6, 4], "pad_if_needed": true, "fill": [1, 2, 3]}])");
    std::set<std::pair<int, int>> starts;
    for (uint64_t sample = 0; sample < 500; ++sample) {
      const cv::Mat result = pixels(recipe, picture, true, {5, 1, sample});
      for (int y = 0; y < 6; ++y) {
        for (int x = 0; x < 4; ++x) {
          const cv::Vec3b pixel = result.at<cv::Vec3b>(y, x);
          if (pixel[2] != 200) QCOMPARE(pixel, cv::Vec3b(1, 2, 3));
          else starts.insert({pixel[0] - 1 - y, pixel[1] - 1 - x});
        }
      }
    }
    // The three missing rows are added above and below, as torchvision does: four places for the window, and two across.
    QCOMPARE(starts.size(), size_t{4 * 2});
  }

  void erasedBoxesHoldTheirValue_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QList<int>>("pixel");
    QTest::newRow("black") << QByteArray("0") << QList<int>{0, 0, 0};
    QTest::newRow("grey") << QByteArray("99.5") << QList<int>{99, 99, 99};
    QTest::newRow("colour") << QByteArray("[1, 2, 250]") << QList<int>{1, 2, 250};
  }

  void erasedBoxesHoldTheirValue() {
    QFETCH(QByteArray, value);
    QFETCH(QList<int>, pixel);
    const cv::Mat picture(20, 20, CV_8UC3, cv::Scalar(30, 30, 30));
    recipe::Choice choice{"random_erasing", {{"p", 1}, {"scale", {0.25, 0.25}}, {"ratio", {1, 1}}, {"value", Json::parse(value.toStdString())}}};
    const cv::Mat result = pixels(recipeOf({choice}), picture, true);
    int covered = 0;
    for (int y = 0; y < 20; ++y) {
      for (int x = 0; x < 20; ++x) {
        const cv::Vec3b found = result.at<cv::Vec3b>(y, x);
        if (found == cv::Vec3b(30, 30, 30)) continue;
        ++covered;
        QCOMPARE(found, cv::Vec3b(static_cast<uchar>(pixel[0]), static_cast<uchar>(pixel[1]), static_cast<uchar>(pixel[2])));
      }
    }
    QCOMPARE(covered, 100);
  }

  // Noise is normal once the chain has normalised it.
  void erasedNoiseIsNormalised() {
    const cv::Mat picture(100, 100, CV_8UC1, cv::Scalar(0));
    const auto recipe = recipeWith(R"([{"op": "random_erasing", "p": 1, "scale": [0.9, 0.9], "ratio": [1, 1], "value": "random"}, {"op": "normalize", "mean": [0.4], "std": [0.1]}])");
    const auto chain = Chain::make(recipe, shapeOf(picture), true);
    QVERIFY(chain.has_value());
    std::vector<float> floats(100 * 100);
    QVERIFY(chain->apply(picture, {}, floats).has_value());
    double sum = 0, squares = 0;
    int covered = 0;
    for (const float value : floats) {
      if (value < -3.99F) continue;
      ++covered;
      sum += value;
      squares += value * value;
    }
    QVERIFY(covered > 8900 && covered < 9100);
    QVERIFY2(std::abs(sum / covered) < 0.06 && std::abs(squares / covered - 1) < 0.06, qPrintable(QString("%1 %2").arg(sum / covered).arg(squares / covered)));
  }
};

QTEST_APPLESS_MAIN(TestSteps)
#include "tst_steps.moc"
