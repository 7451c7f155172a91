#include <algorithm>
#include <map>
#include <set>

#include "core/augment/draws.h"
#include "core/augment/mix.h"
#include "core/augment/operations.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using namespace trainyard::augment::test;

// What the random steps draw, over many samples of fixed seeds.
class TestDraws : public QObject {
  Q_OBJECT

  static constexpr int kMany = 4000;

  // Whether the values look uniform over [low, high]: Kolmogorov and Smirnov's distance, one chance in a thousand for a false alarm.
  static bool uniform(std::vector<double> values, double low, double high) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double most = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const double share = (values[i] - low) / (high - low);
      most = std::max({most, std::abs(share - static_cast<double>(i) / n), std::abs(share - static_cast<double>(i + 1) / n)});
    }
    return values.front() >= low && values.back() <= high && most < 1.95 / std::sqrt(n);
  }

  // Whether a count is what `chance` gives of `tries`, within four standard deviations.
  static bool likely(int count, double chance, int tries) {
    return std::abs(count - chance * tries) <= 4 * std::sqrt(chance * (1 - chance) * tries) + 1e-9;
  }

  // Whether all of `kinds` outcomes came up alike.
  template <class T>
  static bool alike(const std::map<T, int>& counts, size_t kinds) {
    int tries = 0;
    for (const auto& [key, count] : counts) tries += count;
    return counts.size() == kinds && std::all_of(counts.begin(), counts.end(), [&](const auto& entry) { return likely(entry.second, 1.0 / static_cast<double>(kinds), tries); });
  }

 private Q_SLOTS:
  void flipsHappenWithTheirProbability_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<double>("p");
    for (const std::string op : {"random_horizontal_flip", "random_vertical_flip", "random_invert", "random_grayscale"}) {
      for (const double p : {0.0, 0.3, 0.5, 1.0}) QTest::addRow("%s %g", op.c_str(), p) << QString::fromStdString(op) << p;
    }
  }

  void flipsHappenWithTheirProbability() {
    QFETCH(QString, op);
    QFETCH(double, p);
    const cv::Mat picture = coordinates(3, 2);
    const auto chain = Chain::make(recipeOf({{op.toStdString(), {{"p", p}}}}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    int changed = 0;
    for (uint64_t sample = 0; sample < kMany; ++sample) changed += same(*chain->applyPixels(picture, {7, 1, sample}), picture) ? 0 : 1;
    QVERIFY2(likely(changed, p, kMany), qPrintable(QString::number(changed)));
  }

  void cropPositionsAreUniform() {
    const cv::Mat picture = coordinates(12, 14);
    const auto chain = Chain::make(recipeOf({step("random_crop", R"({"size": 8})")}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    std::map<std::pair<int, int>, int> starts;
    for (uint64_t sample = 0; sample < 5 * kMany; ++sample) {
      const cv::Vec3b first = chain->applyPixels(picture, {8, 1, sample})->at<cv::Vec3b>(0, 0);
      ++starts[{first[0], first[1]}];
    }
    QVERIFY(alike(starts, size_t{5 * 7}));
  }

  void resizedCropsHaveTheirAreaAndRatio() {
    Random random({11});
    std::vector<double> areas, ratios;
    std::map<bool, int> left_half;
    for (int i = 0; i < kMany; ++i) {
      const cv::Rect box = drawCrop({0.1, 0.5}, {0.75, 4.0 / 3}, cv::Size(1200, 1000), random);
      areas.push_back(box.area() / 1.2e6);
      ratios.push_back(std::log(static_cast<double>(box.width) / box.height));
      QVERIFY(box.x >= 0 && box.y >= 0 && box.br().x <= 1200 && box.br().y <= 1000);
      ++left_half[box.x < (1200 - box.width) / 2];
    }
    QVERIFY(uniform(areas, 0.0998, 0.5005));
    QVERIFY(uniform(ratios, std::log(0.748), std::log(1.337)));
    QVERIFY(likely(left_half[true], 0.5, kMany));
  }

  void erasedBoxesHaveTheirAreaAndRatio() {
    Random random({12});
    std::vector<double> areas, ratios;
    for (int i = 0; i < kMany; ++i) {
      const auto box = drawErased({0.02, 0.2}, {0.5, 2.0}, cv::Size(900, 1100), random);
      QVERIFY(box.has_value() && box->width < 900 && box->height < 1100 && box->br().x <= 900 && box->br().y <= 1100);
      areas.push_back(box->area() / 9.9e5);
      ratios.push_back(std::log(static_cast<double>(box->height) / box->width));
    }
    QVERIFY(uniform(areas, 0.0198, 0.2005));
    QVERIFY(uniform(ratios, std::log(0.498), std::log(2.01)));
    // No box of a whole picture fits into it.
    QVERIFY(!drawErased({1, 1}, {1, 1}, cv::Size(10, 10), random).has_value());
  }

  void affineStaysInItsRanges() {
    Random random({13});
    std::vector<double> angles, scales, across, down;
    std::map<double, int> shifts;
    for (int i = 0; i < kMany; ++i) {
      const Affine move = drawAffine({{-30, 60}, {0.1, 0.2}, {0.5, 2}, {-10, 10}, {5, 8}}, cv::Size(100, 40), random);
      angles.push_back(move.angle);
      scales.push_back(move.scale);
      across.push_back(move.shear_x);
      down.push_back(move.shear_y);
      ++shifts[move.dx];
      QVERIFY(std::abs(move.dy) <= 8 && move.dy == std::round(move.dy));
    }
    QVERIFY(uniform(angles, -30, 60) && uniform(scales, 0.5, 2) && uniform(across, -10, 10) && uniform(down, 5, 8));
    QCOMPARE(shifts.size(), size_t{21});
    QVERIFY(likely(shifts[10.0], 0.025, kMany) && likely(shifts[0.0], 0.05, kMany));  // rounded: half as many at the ends
  }

  void corners() {
    Random random({14});
    std::map<double, int> left, right, bottom;
    for (int i = 0; i < kMany; ++i) {
      const Corners to = drawCorners(0.5, cv::Size(21, 9), random);
      ++left[to[0][0]];
      ++right[to[2][0]];
      ++bottom[to[3][1]];
    }
    QVERIFY(alike(left, 6) && alike(right, 6) && alike(bottom, 3));
    QVERIFY(left.contains(0) && left.contains(5) && right.contains(15) && right.contains(20) && bottom.contains(6) && bottom.contains(8));
  }

  void jitterFactorsAndOrder() {
    JitterRanges ranges;
    ranges.of = {Interval{0.6, 1.4}, std::nullopt, Interval{0, 3}, Interval{-0.1, 0.1}};
    Random random({15});
    std::vector<double> brightness, saturation, hue;
    std::map<std::array<int, 4>, int> orders;
    for (int i = 0; i < kMany; ++i) {
      const Jitter jitter = drawJitter(ranges, random);
      brightness.push_back(*jitter.factors[0]);
      saturation.push_back(*jitter.factors[2]);
      hue.push_back(*jitter.factors[3]);
      QVERIFY(!jitter.factors[1].has_value());
      ++orders[jitter.order];
    }
    QVERIFY(uniform(brightness, 0.6, 1.4) && uniform(saturation, 0, 3) && uniform(hue, -0.1, 0.1));
    QVERIFY(alike(orders, 24));
  }

  // One number is a range round 1, never below 0; a pair is the range itself; all that changes a grey picture is its brightness.
  void jitterRangesFromTheRecipe_data() {
    QTest::addColumn<QString>("brightness");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("one number") << "0.4" << 0.6 << 1.4;
    QTest::newRow("more than one") << "1.5" << 0.0 << 2.5;
    QTest::newRow("range") << "[0.2, 0.7]" << 0.2 << 0.7;
  }

  void jitterRangesFromTheRecipe() {
    QFETCH(QString, brightness);
    QFETCH(double, low);
    QFETCH(double, high);
    const cv::Mat picture(1, 1, CV_8UC1, cv::Scalar(100));
    const auto chain = Chain::make(recipeOf({{"color_jitter", {{"brightness", Json::parse(brightness.toStdString())}}}}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    std::vector<double> levels;
    for (uint64_t sample = 0; sample < kMany; ++sample) levels.push_back(chain->applyPixels(picture, {7, 1, sample})->at<uchar>(0, 0));
    const auto [least, most] = std::minmax_element(levels.begin(), levels.end());
    QVERIFY2(std::abs(*least - 100 * low) <= 2 && std::abs(*most - 100 * high) <= 2, qPrintable(QString("%1 … %2").arg(*least).arg(*most)));
  }

  void rotationsCoverTheirDegrees() {
    // A dot right of the middle tells the angle.
    cv::Mat picture = cv::Mat::zeros(101, 101, CV_8UC1);
    picture(cv::Rect(89, 49, 3, 3)).setTo(255);
    const auto chain = Chain::make(recipeOf({step("random_rotation", R"({"degrees": 40})")}), shapeOf(picture), true);
    QVERIFY(chain.has_value());
    std::vector<double> angles;
    for (uint64_t sample = 0; sample < 1500; ++sample) {
      const cv::Mat turned = *chain->applyPixels(picture, {7, 1, sample});
      double x = 0, y = 0;
      for (int row = 0; row < 101; ++row) {
        for (int column = 0; column < 101; ++column) {
          x += turned.at<uchar>(row, column) * (column - 50);
          y += turned.at<uchar>(row, column) * (row - 50);
        }
      }
      angles.push_back(std::atan2(-y, x) * 180 / 3.14159265358979);
    }
    QVERIFY(uniform(angles, -41, 41));
    QVERIFY(*std::max_element(angles.begin(), angles.end()) > 38 && *std::min_element(angles.begin(), angles.end()) < -38);
  }

  void policiesAreDrawnAlike() {
    const auto table = policies("imagenet");
    QCOMPARE(table.size(), size_t{25});
    QCOMPARE(policies("cifar10").size(), size_t{25});
    QCOMPARE(policies("svhn")[0].first.kind, Kind::ShearX);
    Random random({16});
    int turned = 0, negative = 0;
    for (int i = 0; i < 5 * kMany; ++i) {
      for (const auto& operation : drawAutoAugment(table, cv::Size(32, 32), random)) {
        if (operation.kind != Kind::Rotate) continue;
        ++turned;
        negative += operation.magnitude < 0 ? 1 : 0;
      }
    }
    double chance = 0;
    for (const auto& policy : table) {
      for (const Rule& rule : {policy.first, policy.second}) chance += rule.kind == Kind::Rotate ? rule.probability / 25 : 0;
    }
    QVERIFY(likely(turned, chance, 5 * kMany));
    QVERIFY(likely(negative, 0.5, turned));
  }

  void operationsAreDrawnAlike() {
    Random random({17});
    std::map<Kind, int> kinds;
    std::map<double, int> bits;
    for (int i = 0; i < 2 * kMany; ++i) {
      const auto two = drawRandAugment(2, 9, 31, cv::Size(100, 50), random);
      QCOMPARE(two.size(), size_t{2});
      for (const auto& operation : two) {
        ++kinds[operation.kind];
        if (operation.kind == Kind::Rotate) QVERIFY(std::abs(std::abs(operation.magnitude) - 9) < 1e-5);
      }
      const Operation one = drawTrivialAugment(31, cv::Size(100, 50), random);
      if (one.kind == Kind::Posterize) ++bits[one.magnitude];
    }
    QVERIFY(alike(kinds, 14));
    QVERIFY(!kinds.contains(Kind::Invert));
    QCOMPARE(bits.size(), size_t{7});
    QVERIFY(bits.begin()->first == 2 && bits.rbegin()->first == 8);
  }

  void choicesFollowTheirWeights() {
    const cv::Mat picture(1, 1, CV_8UC1, cv::Scalar(200));
    const Json transforms = Json::parse(R"([{"op": "random_invert", "p": 1}, {"op": "random_posterize", "bits": 1, "p": 1}, {"op": "random_solarize", "threshold": 255, "p": 1}])");
    const auto counts = [&](Json params) {
      params["transforms"] = transforms;
      const auto chain = Chain::make(recipeOf({{"random_choice", params}}), shapeOf(picture), true);
      std::map<int, int> seen;
      for (uint64_t sample = 0; sample < kMany; ++sample) ++seen[chain->applyPixels(picture, {7, 1, sample})->at<uchar>(0, 0)];
      return seen;
    };
    QVERIFY(alike(counts(Json::object()), 3));
    auto weighted = counts({{"p", {3, 1, 0}}});
    QCOMPARE(weighted.size(), size_t{2});
    QVERIFY(likely(weighted[55], 0.75, kMany) && likely(weighted[128], 0.25, kMany));
  }

  void normalNumbers() {
    Random random({18});
    double sum = 0, squares = 0, fourths = 0;
    for (int i = 0; i < 100000; ++i) {
      const double x = random.normal();
      sum += x;
      squares += x * x;
      fourths += x * x * x * x;
    }
    QVERIFY(std::abs(sum / 1e5) < 0.013 && std::abs(squares / 1e5 - 1) < 0.02 && std::abs(fourths / 1e5 - 3) < 0.13);
  }

  // Beta(alpha, alpha): mean a half, variance 1 / (4 (2 alpha + 1)).
  void mixupShares_data() {
    QTest::addColumn<double>("alpha");
    for (const double alpha : {0.001, 0.2, 1.0, 4.0, 1000.0}) QTest::addRow("%g", alpha) << alpha;
  }

  void mixupShares() {
    QFETCH(double, alpha);
    const auto mixer = Mixer::make(recipeOf({{"mixup", {{"alpha", alpha}}}}));
    QVERIFY(mixer.has_value());
    std::vector<double> shares;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < kMany; ++i) {
      const Mix mix = mixer->draw(3, i / 100, i % 100, {3, 8, 8});
      QCOMPARE(mix.kind, Mix::Kind::Mixup);
      QVERIFY(mix.share >= 0 && mix.share <= 1);
      shares.push_back(mix.share);
      sum += mix.share;
      squares += mix.share * mix.share;
    }
    const double mean = sum / kMany, variance = squares / kMany - mean * mean, wanted = 1 / (4 * (2 * alpha + 1));
    QVERIFY2(std::abs(mean - 0.5) < 4 * std::sqrt(wanted / kMany), qPrintable(QString::number(mean)));
    QVERIFY2(std::abs(variance / wanted - 1) < 0.1, qPrintable(QString::number(variance)));
    if (alpha == 1.0) QVERIFY(uniform(shares, 0, 1));
  }

  void cutmixBoxes() {
    const auto mixer = Mixer::make(recipeOf({{"cutmix", {{"alpha", 1.0}}}}));
    QVERIFY(mixer.has_value());
    std::vector<double> middles;
    for (uint64_t i = 0; i < 3 * kMany; ++i) {
      const Mix mix = mixer->draw(3, 0, i, {3, 100, 1000});
      QCOMPARE(mix.kind, Mix::Kind::Cutmix);
      const cv::Rect box = mix.box;
      QVERIFY(box.x >= 0 && box.y >= 0 && box.width >= 0 && box.height >= 0 && box.br().x <= 1000 && box.br().y <= 100);
      QVERIFY(std::abs(mix.share - (1 - box.area() / 1e5)) < 1e-6);
      const bool cut_at_an_edge = box.x == 0 || box.br().x == 1000 || box.y == 0 || box.br().y == 100;
      if (!cut_at_an_edge && !box.empty()) QVERIFY(std::abs(static_cast<double>(box.width) / 1000 - static_cast<double>(box.height) / 100) < 0.022);
      const double middle = box.x + box.width / 2.0;
      if (box.width > 0 && box.width <= 200 && middle >= 100 && middle <= 900) middles.push_back(middle);  // none of these is cut
    }
    QVERIFY(middles.size() > 200 && uniform(middles, 99, 901));
  }

  void bothMixesTakeTurns() {
    QVERIFY(!Mixer::make(recipeOf({step("random_invert", "{}")})).has_value());
    QVERIFY(!Mixer::make(recipeOf({step("mixup", R"({"enabled": false})")})).has_value());
    const auto mixer = Mixer::make(recipeOf({step("mixup", "{}"), step("cutmix", "{}")}));
    QVERIFY(mixer.has_value());
    int mixups = 0;
    std::set<float> shares;
    for (uint64_t i = 0; i < kMany; ++i) {
      const Mix mix = mixer->draw(3, 0, i, {3, 8, 8}), again = mixer->draw(3, 0, i, {3, 8, 8});
      QVERIFY(mix.kind == again.kind && mix.share == again.share && mix.box == again.box);
      mixups += mix.kind == Mix::Kind::Mixup ? 1 : 0;
      if (mix.kind == Mix::Kind::Mixup) shares.insert(mix.share);
    }
    QVERIFY(likely(mixups, 0.5, kMany));
    QVERIFY(shares.size() > 1900);  // another one each step
  }
};

QTEST_APPLESS_MAIN(TestDraws)
#include "tst_draws.moc"
