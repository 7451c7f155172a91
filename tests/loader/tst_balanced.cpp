#include <map>

#include "core/loader/order.h"
#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

namespace {

// A hundred samples of class 0, ten of class 1, two of class 2; none of the others.
std::vector<uint64_t> uneven() {
  std::vector<uint64_t> indices;
  for (uint64_t i = 0; i < 100; ++i) indices.push_back(10 * i);
  for (uint64_t i = 0; i < 10; ++i) indices.push_back(10 * i + 1);
  for (uint64_t i = 0; i < 2; ++i) indices.push_back(10 * i + 2);
  return indices;
}

const std::shared_ptr<Levels>& dataset() {
  static const auto kDataset = std::make_shared<Levels>(1000);
  return kDataset;
}

Options options(int workers = 1) {
  Options made{.seed = 7, .batch_size = 16, .workers = workers};
  made.balanced = true;
  return made;
}

}  // namespace

// Every class equally often.
class TestBalanced : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyClassEquallyOften() {
    const BalancedOrder order(*dataset(), uneven());
    std::map<int, double> classes;
    std::map<uint64_t, double> samples;
    constexpr int kEpochs = 200;
    for (uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
      const auto draws = order.draw(3, epoch);
      QCOMPARE(draws.size(), size_t{112});
      for (const Draw& draw : draws) {
        ++classes[dataset()->label(draw.sample)];
        ++samples[draw.sample];
      }
    }
    const double draws = 112.0 * kEpochs, bound = 5 * std::sqrt(draws * 2 / 9);  // five standard deviations
    QCOMPARE(classes.size(), size_t{3});
    for (const auto& [label, count] : classes) QVERIFY2(std::abs(count - draws / 3) < bound, qPrintable(QString("%1: %2").arg(label).arg(count)));
    QCOMPARE(samples.size(), size_t{112});  // with replacement, but in the long run everybody
    QVERIFY(std::abs(samples.at(2) - samples.at(12)) < 2 * bound);
  }

  void aFunctionOfSeedAndEpoch() {
    const BalancedOrder order(*dataset(), uneven());
    QVERIFY(order.draw(3, 5) == order.draw(3, 5));
    QVERIFY(order.draw(3, 5) != order.draw(3, 6));
    QVERIFY(order.draw(3, 5) != order.draw(4, 5));
  }

  void repeatsAreCounted() {
    std::map<uint64_t, uint64_t> seen;
    for (const Draw& draw : BalancedOrder(*dataset(), uneven()).draw(3, 0)) QCOMPARE(draw.repeat, seen[draw.sample]++);
    QVERIFY(seen.at(2) > 5);
  }

  void workersChangeNothing() {
    auto one = make(dataset(), uneven(), chain(), options(1)), three = make(dataset(), uneven(), chain(), options(3));
    for (int epoch = 0; epoch < 3; ++epoch) QVERIFY(epochOf(*one) == epochOf(*three));
  }

  void goesOnFromTheMiddle() {
    auto whole = make(dataset(), uneven(), chain(), options());
    epochOf(*whole);
    auto expected = epochOf(*whole);
    Options rest = options();
    rest.start = {1, 48};
    auto resumed = make(dataset(), uneven(), chain(), rest);
    expected.erase(expected.begin(), expected.begin() + 3);
    QVERIFY(epochOf(*resumed) == expected);
  }

  // The first time as always; again, another window of the picture.
  void repeatsAreAugmentedDifferently() {
    constexpr size_t kFloats = 16;
    const auto pictureOf = [](const Copy& copy, size_t i) {
      return std::vector<float>(copy.inputs.begin() + i * kFloats, copy.inputs.begin() + (i + 1) * kFloats);
    };
    Options shuffled = options();
    shuffled.balanced = false;
    std::map<uint64_t, std::vector<float>> usual;
    auto plain = make(dataset(), uneven(), chain(), shuffled);
    for (const auto& copy : epochOf(*plain)) {
      for (size_t i = 0; i < copy.samples.size(); ++i) usual[copy.samples[i]] = pictureOf(copy, i);
    }
    std::map<uint64_t, std::set<std::vector<float>>> windows;
    auto balanced = make(dataset(), uneven(), chain(), options());
    for (const auto& copy : epochOf(*balanced)) {
      for (size_t i = 0; i < copy.samples.size(); ++i) {
        auto& seen = windows[copy.samples[i]];
        if (seen.empty()) QCOMPARE(pictureOf(copy, i), usual.at(copy.samples[i]));
        seen.insert(pictureOf(copy, i));
      }
    }
    QVERIFY(windows.at(2).size() > 3);
  }
};

QTEST_APPLESS_MAIN(TestBalanced)
#include "tst_balanced.moc"
