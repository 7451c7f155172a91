// Copies of a picture are found however they were made, other pictures are not.
#include <QTest>
#include <bit>
#include <opencv2/imgproc.hpp>

#include "core/base/random.h"
#include "core/data/phash.h"
#include "core/data/thumbnail.h"
#include "tests/data/scene.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

int distance(const cv::Mat& a, const cv::Mat& b) { return std::popcount(perceptualHash(a) ^ perceptualHash(b)); }

cv::Mat noisy(const cv::Mat& picture, uint64_t seed) {
  cv::Mat changed = picture.clone();
  Random random({seed, 1});
  for (int y = 0; y < changed.rows; ++y) {
    uchar* row = changed.ptr(y);
    for (int x = 0; x < changed.cols * changed.channels(); ++x) row[x] = cv::saturate_cast<uchar>(row[x] + static_cast<int>(random.below(13)) - 6);
  }
  return changed;
}

cv::Mat resizedTo(const cv::Mat& picture, int height, int width) {
  cv::Mat changed;
  cv::resize(picture, changed, cv::Size(width, height), 0, 0, cv::INTER_AREA);
  return changed;
}

std::vector<std::vector<uint64_t>> groupsByAllPairs(const std::vector<uint64_t>& hashes, int distance) {
  std::vector<uint64_t> leader(hashes.size());
  std::iota(leader.begin(), leader.end(), uint64_t{0});
  for (size_t i = 0; i < hashes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (hashes[i] == kNothingToSee || hashes[j] == kNothingToSee || std::popcount(hashes[i] ^ hashes[j]) > distance) continue;
      const uint64_t from = std::max(leader[i], leader[j]), to = std::min(leader[i], leader[j]);
      std::replace(leader.begin(), leader.end(), from, to);
    }
  }
  std::vector<std::vector<uint64_t>> groups;
  for (uint64_t i = 0; i < hashes.size(); ++i) {
    std::vector<uint64_t> group;
    for (uint64_t j = 0; j < hashes.size(); ++j) {
      if (leader[j] == i) group.push_back(j);
    }
    if (group.size() > 1) groups.push_back(group);
  }
  return groups;
}

}  // namespace

class TestPhash : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void copiesAreNear_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::newRow("small") << 64 << 64;
    QTest::newRow("tiny") << 24 << 30;
    QTest::newRow("photo") << 375 << 500;
    QTest::newRow("upright") << 700 << 300;
  }

  void copiesAreNear() {
    QFETCH(int, height);
    QFETCH(int, width);
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const cv::Mat picture = scene(seed, height, width);
      QVERIFY(perceptualHash(picture) != kNothingToSee);
      QCOMPARE(distance(picture, picture.clone()), 0);
      QVERIFY(distance(picture, noisy(picture, seed)) <= kNearBits);
      QVERIFY(distance(picture, resizedTo(picture, height * 2, width * 2)) <= kNearBits);
      QVERIFY(distance(picture, resizedTo(picture, height * 3 / 4, width * 3 / 4)) <= kNearBits);
      cv::Mat darker, grey;
      picture.convertTo(darker, -1, 0.9);
      QVERIFY(distance(picture, darker) <= kNearBits);
      cv::cvtColor(picture, grey, cv::COLOR_RGB2GRAY);
      QVERIFY(distance(picture, grey) <= kNearBits);
    }
  }

  void othersAreNot() {
    std::vector<uint64_t> hashes;
    for (uint64_t seed = 0; seed < 400; ++seed) hashes.push_back(perceptualHash(scene(seed, 64, 64)));
    QVERIFY(nearGroups(hashes).empty());
    const cv::Mat picture = scene(1, 64, 64);
    cv::Mat mirrored;
    cv::flip(picture, mirrored, 1);
    QVERIFY(distance(picture, mirrored) > kNearBits);
    QVERIFY(distance(picture, 255 - picture) > kNearBits);
  }

  void oneColourIsNearNothing() {
    const cv::Mat grey(40, 40, CV_8UC1, cv::Scalar(77));
    QCOMPARE(perceptualHash(grey), kNothingToSee);
    QCOMPARE(perceptualHash(noisy(cv::Mat(400, 400, CV_8UC3, cv::Scalar(9, 90, 200)), 3)), kNothingToSee);
    QVERIFY(nearGroups(std::vector<uint64_t>(5, kNothingToSee)).empty());
  }

  void thumbnailsAreMeans() {
    cv::Mat large(320, 640, CV_8UC1);
    for (int y = 0; y < large.rows; ++y) {
      for (int x = 0; x < large.cols; ++x) large.at<uchar>(y, x) = static_cast<uchar>(x / 40 * 8 + y % 2 * 3 + y / 20);
    }
    const cv::Mat small = greyThumbnail(large);
    for (int y = 0; y < kThumbnailEdge; ++y) {
      for (int x = 0; x < kThumbnailEdge; ++x) QVERIFY(std::abs(small.at<uchar>(y, x) - (x * 8 + 1.5 + y)) <= 0.5);
    }
    const cv::Mat red = greyThumbnail(cv::Mat(300, 300, CV_8UC3, cv::Scalar(255, 0, 0)));
    QCOMPARE(static_cast<int>(red.at<uchar>(5, 5)), 76);  // 0.299 of 255
  }

  void groupsEqualThoseOfAllPairs_data() {
    QTest::addColumn<int>("distance");
    for (const int distance : {0, 1, 3, 6, 12}) QTest::addRow("%d bits", distance) << distance;
  }

  void groupsEqualThoseOfAllPairs() {
    QFETCH(int, distance);
    Random random({static_cast<uint64_t>(distance)});
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 60; ++i) hashes.push_back(random.next());
    for (int i = 0; i < 300; ++i) {
      uint64_t hash = hashes[random.below(hashes.size())];
      for (uint64_t flips = random.below(9); flips > 0; --flips) hash ^= uint64_t{1} << random.below(64);
      hashes.push_back(hash);
    }
    for (int i = 0; i < 5; ++i) hashes.push_back(kNothingToSee);
    const auto groups = nearGroups(hashes, distance);
    QVERIFY(!groups.empty());
    QVERIFY(groups == groupsByAllPairs(hashes, distance));
  }

  void theLastWord() {
    const std::vector<uint64_t> hashes = {7, 7, 7, 15, 15, 7};
    const auto alike = [](uint64_t a, uint64_t b) { return a % 2 == b % 2; };
    QVERIFY(nearGroups(hashes, 1, alike) == (std::vector<std::vector<uint64_t>>{{0, 2, 4}, {1, 3, 5}}));
    QVERIFY(nearGroups(hashes, 1) == (std::vector<std::vector<uint64_t>>{{0, 1, 2, 3, 4, 5}}));
  }

  // All pairs of these would be five thousand million.
  void manyAreQuick() {
    Random random({5});
    std::vector<uint64_t> hashes(100'000);
    for (auto& hash : hashes) hash = random.next();
    for (size_t i = 0; i < 500; ++i) hashes[i * 7 + 50'000] = hashes[i] ^ 5;
    uint64_t compared = 0;
    const auto groups = nearGroups(hashes, kNearBits, [&](uint64_t, uint64_t) { return ++compared > 0; });
    QCOMPARE(groups.size(), size_t{500});
    QCOMPARE(compared, uint64_t{500});
    std::fill(hashes.begin(), hashes.end(), 0x5555U);
    compared = 0;
    QCOMPARE(nearGroups(hashes, kNearBits, [&](uint64_t, uint64_t) { return ++compared > 0; }).size(), size_t{1});
    QCOMPARE(compared, uint64_t{99'999});
  }
};

QTEST_APPLESS_MAIN(TestPhash)
#include "tst_phash.moc"
