#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <set>

#include "core/base/random.h"
#include "core/data/draw.h"
#include "core/data/groups.h"
#include "core/data/split.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

struct Sample {
  std::string name;
  int label = 0;
  uint32_t group = 0;
};

class Named : public Dataset {
 public:
  Named(std::vector<Sample> samples, size_t classes, Task task = Task::Classes) : samples_(std::move(samples)), task_(task) {
    for (size_t c = 0; c < classes; ++c) classes_.push_back("class " + std::to_string(c));
  }
  uint64_t size() const override { return samples_.size(); }
  Part part(uint64_t) const override { return Part::Unassigned; }
  std::string name(uint64_t index) const override { return samples_[index].name; }
  Task task() const override { return task_; }
  int label(uint64_t index) const override { return samples_[index].label; }
  const std::vector<std::string>& classes() const override { return classes_; }
  Result<cv::Mat> picture(uint64_t) const override { return cv::Mat(1, 1, CV_8UC1, cv::Scalar(0)); }
  bool inMemory() const override { return false; }
  Stamp stamp(uint64_t) const override { return {1, 1}; }

  std::vector<uint32_t> groups() const {
    std::vector<uint32_t> groups;
    for (const Sample& sample : samples_) groups.push_back(sample.group);
    return groups;
  }
  std::vector<uint64_t> all() const {
    std::vector<uint64_t> all;
    for (uint64_t i = 0; i < size(); ++i) all.push_back(i);
    return all;
  }

 private:
  std::vector<Sample> samples_;
  Task task_;
  std::vector<std::string> classes_;
};

// Up to 400 samples of up to 8 classes in groups of 1 to 12; now and then a group of two classes.
std::vector<Sample> randomSamples(Random& random, size_t& classes) {
  classes = 1 + random.below(8);
  std::vector<Sample> samples;
  const uint64_t groups = 1 + random.below(60);
  for (uint32_t group = 0; group < groups; ++group) {
    const auto label = static_cast<int>(random.below(classes));
    const uint64_t count = 1 + random.below(12);
    for (uint64_t i = 0; i < count; ++i) {
      const int other = random.below(40) == 0 ? static_cast<int>(random.below(classes)) : label;
      samples.push_back({"g" + std::to_string(group) + "/" + std::to_string(random.below(1'000'000)) + "-" + std::to_string(i), other, group});
    }
  }
  return samples;
}

std::set<std::string> namesOf(const Dataset& dataset, const std::vector<uint64_t>& indices) {
  std::set<std::string> names;
  for (const uint64_t index : indices) names.insert(dataset.name(index));
  return names;
}

uint32_t checksum(std::string_view bytes) {  // of a PNG's chunk
  uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

// A PNG whose EXIF says when it was taken: "2026:11:30 12:00:00".
std::string takenAt(const std::string& time) {
  const std::string exif = std::string("MM\0*\0\0\0\x08\0\x01\x01\x32\0\x02\0\0\0\x14\0\0\0\x1a\0\0\0\0", 26) + time + '\0';
  const std::string chunk = "eXIf" + exif;
  const std::string whole = png(2, 2, {1, 2, 3});
  constexpr size_t kBehindHeader = 8 + 25;
  return whole.substr(0, kBehindHeader) + bigEndian(static_cast<uint32_t>(exif.size())) + chunk + bigEndian(checksum(chunk)) + whole.substr(kBehindHeader);
}

// Circles and blocks, others for each `number`.
cv::Mat scene(int number, int edge) {
  Random random({static_cast<uint64_t>(number)});
  cv::Mat picture(edge, edge, CV_8UC3, cv::Scalar(random.uniform(0, 200), random.uniform(0, 200), random.uniform(0, 200)));
  for (int i = 0; i < 12; ++i) {
    const cv::Scalar colour(random.uniform(0, 200), random.uniform(0, 200), random.uniform(0, 200));
    const cv::Point at(static_cast<int>(random.uniform(0, edge)), static_cast<int>(random.uniform(0, edge)));
    const int size = static_cast<int>(random.uniform(0.05, 0.4) * edge);
    if (i % 2 == 0)
      cv::circle(picture, at, size, colour, -1);
    else
      cv::rectangle(picture, at, at + cv::Point(size, size / 2), colour, -1);
  }
  cv::GaussianBlur(picture, picture, cv::Size(0, 0), edge / 100.0 + 0.3);
  return picture;
}

}  // namespace

class TestGroups : public QObject {
  Q_OBJECT

  static std::vector<uint64_t> drawn(const Named& dataset, double share, uint64_t seed, bool grouped = true) {
    Drawer drawer(dataset, dataset.all(), grouped ? dataset.groups() : std::vector<uint32_t>(), seed);
    const auto part = drawer.draw(share, Part::Validation, "data.validation");
    return part ? *part : std::vector<uint64_t>();
  }

 private Q_SLOTS:
  void noGroupStraddles() {
    Random random({2026});
    int drew = 0;
    for (int round = 0; round < 300; ++round) {
      size_t classes = 0;
      auto samples = randomSamples(random, classes);
      const Named dataset(std::move(samples), classes);
      const auto groups = dataset.groups();
      Drawer drawer(dataset, dataset.all(), groups, static_cast<uint64_t>(round));
      const double share = random.uniform(0.05, 0.4);
      const auto test = drawer.draw(share, Part::Test, "data.test");
      const auto validation = drawer.draw(share, Part::Validation, "data.validation");
      const auto train = drawer.rest();
      std::vector<uint64_t> all = train;
      std::map<uint32_t, std::set<int>> parts;
      for (const uint64_t i : train) parts[groups[i]].insert(0);
      for (const auto& [part, indices] : {std::pair{1, &validation}, {2, &test}}) {
        if (!*indices) continue;
        ++drew;
        QVERIFY(std::is_sorted((*indices)->begin(), (*indices)->end()) && !(*indices)->empty());
        for (const uint64_t i : **indices) parts[groups[i]].insert(part);
        all.insert(all.end(), (*indices)->begin(), (*indices)->end());
      }
      for (const auto& [group, in] : parts) QVERIFY2(in.size() == 1, qPrintable(QString("round %1, group %2").arg(round).arg(group)));
      std::sort(all.begin(), all.end());
      QCOMPARE(all, dataset.all());
      // Every class that there is can be learned.
      const auto there = classCounts(dataset, dataset.all()), left = classCounts(dataset, train);
      for (size_t c = 0; c < classes; ++c) QVERIFY(there[c] == 0 || left[c] > 0);
    }
    QVERIFY(drew > 400);
  }

  // Groups of one class each: no class misses its share by more than half of its largest group, unless it has too few groups to give any.
  void sharesAreNear() {
    Random random({7});
    for (int round = 0; round < 200; ++round) {
      std::vector<Sample> samples;
      std::vector<int64_t> largest(4), whole(4);
      for (uint32_t group = 0; group < 80; ++group) {
        const auto count = static_cast<int64_t>(1 + random.below(15));
        const size_t c = group % 4;
        largest[c] = std::max(largest[c], count);
        whole[c] += count;
        for (int64_t i = 0; i < count; ++i) samples.push_back({std::to_string(group) + "-" + std::to_string(i), static_cast<int>(c), group});
      }
      const Named dataset(samples, 4);
      const double share = random.uniform(0.05, 0.5);
      const auto counts = classCounts(dataset, drawn(dataset, share, static_cast<uint64_t>(round)));
      for (size_t c = 0; c < 4; ++c) {
        const double missed = std::abs(static_cast<double>(counts[c]) - share * static_cast<double>(whole[c]));
        QVERIFY2(missed <= 0.5 * static_cast<double>(largest[c]) + 0.5, qPrintable(QString("round %1, class %2: %3").arg(round).arg(c).arg(missed)));
      }
    }
  }

  void ungroupedSharesAreExact() {
    Random random({8});
    for (int round = 0; round < 200; ++round) {
      size_t classes = 0;
      auto samples = randomSamples(random, classes);
      const Named dataset(std::move(samples), classes);
      const double share = random.uniform(0.1, 0.6);
      const auto whole = classCounts(dataset, dataset.all()), counts = classCounts(dataset, drawn(dataset, share, 3, false));
      uint64_t sum = 0;
      for (size_t c = 0; c < classes; ++c) sum += static_cast<uint64_t>(std::llround(share * static_cast<double>(whole[c])));
      for (size_t c = 0; c < classes && sum > 0; ++c) {
        const double missed = std::abs(static_cast<double>(counts[c]) - share * static_cast<double>(whole[c]));
        QVERIFY(whole[c] <= 1 || missed <= 1.0);
      }
    }
  }

  // The same names give the same parts, in whatever order they come; another seed gives others; one file more changes little.
  void partsFollowTheNames() {
    Random random({9});
    for (const bool grouped : {false, true}) {
      size_t classes = 0;
      std::vector<Sample> samples;
      while (samples.size() < 200) samples = randomSamples(random, classes);
      const Named dataset(samples, classes);
      const auto names = namesOf(dataset, drawn(dataset, 0.3, 5, grouped));
      for (size_t i = samples.size(); i > 1; --i) std::swap(samples[i - 1], samples[random.below(i)]);
      for (Sample& sample : samples) sample.group = 1000 - sample.group;
      const Named shuffled(samples, classes);
      QVERIFY(namesOf(shuffled, drawn(shuffled, 0.3, 5, grouped)) == names);
      QVERIFY(namesOf(shuffled, drawn(shuffled, 0.3, 6, grouped)) != names);
      samples.push_back({"one more", samples[0].label, 2000});
      const Named more(samples, classes);
      std::vector<std::string> both;
      const auto now = namesOf(more, drawn(more, 0.3, 5, grouped));
      std::set_intersection(names.begin(), names.end(), now.begin(), now.end(), std::back_inserter(both));
      QVERIFY2(both.size() + 12 >= names.size(), qPrintable(QString("%1 of %2").arg(both.size()).arg(names.size())));
    }
  }

  void aClassOfOneGroupStays() {
    std::vector<Sample> samples;
    for (int i = 0; i < 30; ++i) samples.push_back({"a" + std::to_string(i), 0, 0});
    for (int i = 0; i < 30; ++i) samples.push_back({"b" + std::to_string(i), 1, static_cast<uint32_t>(1 + i / 5)});
    const Named dataset(samples, 2);
    const auto counts = classCounts(dataset, drawn(dataset, 0.3, 1));
    QCOMPARE(counts, (std::vector<uint64_t>{0, 10}));
  }

  // Groups far larger than the share: one is held out all the same.
  void largeGroups() {
    std::vector<Sample> samples;
    for (int i = 0; i < 100; ++i) samples.push_back({"a" + std::to_string(i), 0, static_cast<uint32_t>(i / 50)});
    const Named dataset(samples, 1);
    QCOMPARE(drawn(dataset, 0.1, 1).size(), size_t{50});
    for (Sample& sample : samples) sample.group = 0;
    const Named single(samples, 1);
    Drawer drawer(single, single.all(), single.groups(), 1);
    compareError(drawer.draw(0.1, Part::Test, "data.test").error(), ErrorCode::Data,
                 {"no group can be held out", "1 group in 1 class", "data.test", "data.group"});
  }

  // Labels and numbers have no class to go by: a share of all.
  void otherTasks() {
    std::vector<Sample> samples;
    for (int i = 0; i < 50; ++i) samples.push_back({std::to_string(i), 0, 0});
    for (const Task task : {Task::Labels, Task::Numbers}) QCOMPARE(drawn(Named(samples, 3, task), 0.2, 1, false).size(), size_t{10});
  }

  void byFolderAndName_data() {
    QTest::addColumn<QString>("group");
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("groups");  // samples of one group have one letter
    QTest::newRow("folder") << "folder"
                            << ""
                            << "aabca";
    QTest::newRow("patient") << "name"
                             << "^([^_]+)_"
                             << "aabac";
    QTest::newRow("whole match") << "name"
                                 << "p[0-9]"
                                 << "aabac";
    QTest::newRow("an optional group that is not there") << "name"
                                                         << "p1(x)?"
                                                         << "aabac";
    QTest::newRow("nothing matches") << "name"
                                     << "zzz"
                                     << "abcde";
    QTest::newRow("none") << "none"
                          << ""
                          << "";
  }

  void byFolderAndName() {
    QFETCH(QString, group);
    QFETCH(QString, pattern);
    QFETCH(QString, groups);
    const Named dataset({{"a/x/p1_1.png"}, {"a/x/p1_2.png"}, {"a/y/p2_1.png"}, {"b/x/p1_3.png"}, {"a/x/q.png"}}, 1);
    recipe::Data data;
    data.group = group.toStdString();
    data.group_pattern = pattern.toStdString();
    const auto found = groupsOf(dataset, dataset.all(), data);
    TRAINYARD_VERIFY(found);
    QString shown;
    std::map<uint32_t, char> letters;
    for (const uint32_t number : *found) shown += QChar(letters.emplace(number, static_cast<char>('a' + letters.size())).first->second);
    QCOMPARE(shown, groups);
  }

  void refused() {
    const Named dataset({{"a/1.png"}, {"a/2.png"}}, 1);
    recipe::Data data;
    data.group = "name";
    compareError(groupsOf(dataset, dataset.all(), data).error(), ErrorCode::Recipe, {"data.group_pattern"});
    data.group_pattern = "([";
    compareError(groupsOf(dataset, dataset.all(), data).error(), ErrorCode::Recipe, {"data.group_pattern", "(["});
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    write(root / "train-images", idx({3, 1, 1}, counting(3)));
    write(root / "train-labels", idx({3}, {0, 1, 2}));
    data = dataOf("idx", root, 0.5);
    data.group = "folder";
    compareError(openWithSplit(data, 1).error(), ErrorCode::Recipe, {"data.group", "not files"});
    write(root / "t.csv", "x,label\n1,a\n2,b\n");
    data = dataOf("table", root / "t.csv", 0.5);
    data.group = "folder";
    compareError(openWithSplit(data, 1).error(), ErrorCode::Recipe, {"data.group", "table"});
  }

  // Chained: the first and the last are more than a minute apart. Pictures without a time stand for themselves.
  void byTime() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path()) / "pictures";
    qputenv("XDG_DATA_HOME", (temporary.path() + "/home").toUtf8());
    const char* times[] = {"2026:11:30 23:59:10", "2026:12:01 00:00:10", "2026:12:01 00:01:00", "2026:12:01 00:02:01", "2026:11:30 23:59:30"};
    for (int i = 0; i < 5; ++i) write(root / (i == 2 ? "b" : "a") / (std::to_string(i) + ".png"), takenAt(times[i]));
    for (int i = 5; i < 7; ++i) write(root / "b" / (std::to_string(i) + ".png"), png(2, 2, {1, 2, 3}));
    recipe::Data data = dataOf("image-folder", root);
    data.group = "time";
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    const auto groups = groupsOf(**dataset, {0, 1, 2, 3, 4, 5, 6}, data);
    TRAINYARD_VERIFY(groups);
    std::map<std::string, uint32_t> of;
    for (uint64_t i = 0; i < 7; ++i) of[(*dataset)->name(i)] = (*groups)[i];
    QCOMPARE(of["a/0.png"], of["a/1.png"]);
    QCOMPARE(of["a/0.png"], of["b/2.png"]);
    QCOMPARE(of["a/0.png"], of["a/4.png"]);
    std::set<uint32_t> different;
    for (const auto& [name, group] : of) different.insert(group);
    QCOMPARE(different.size(), size_t{4});  // the chain; 3.png, a second too late; two without a time
  }

  // Three versions of each picture are one group, whatever folder they are in; and no split parts them.
  void bySight() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path()) / "pictures";
    qputenv("XDG_DATA_HOME", (temporary.path() + "/home").toUtf8());
    constexpr int kPictures = 24;
    for (int i = 0; i < kPictures; ++i) {
      const auto save = [&](const char* version, const cv::Mat& picture) {
        write(root / (i % 2 ? "a" : "b") / (std::to_string(i) + version + ".png"), *encodePng(picture));
      };
      const cv::Mat picture = scene(i, 200);
      cv::Mat small, brighter;
      cv::resize(picture, small, cv::Size(100, 100), 0, 0, cv::INTER_AREA);
      picture.convertTo(brighter, -1, 0.9, 20);
      save("", picture);
      save(" small", small);
      save(" bright", brighter);
    }
    // Copies of a picture with nothing to see belong together too.
    for (const char* file : {"a/100.png", "b/100.png", "a/100 again.png"}) write(root / file, png(8, 8, {255, 255, 255}));
    write(root / "a/broken.png", "x");
    recipe::Data data = dataOf("image-folder", root, 0.25);
    data.group = "similar";
    const auto opened = openWithSplit(data, 1);
    TRAINYARD_VERIFY(opened);
    std::map<int, std::set<int>> parts;
    for (const auto& [part, indices] : {std::pair{0, &opened->parts.train}, {1, &opened->parts.validation}}) {
      for (const uint64_t i : *indices) {
        const std::string file = fs::path(opened->dataset->name(i)).filename().string();
        if (file != "broken.png") parts[std::stoi(file)].insert(part);
      }
    }
    QCOMPARE(parts.size(), size_t{kPictures + 1});
    for (const auto& [picture, in] : parts) QVERIFY2(in.size() == 1, qPrintable(QString::number(picture)));
    for (const uint64_t count : classCounts(*opened->dataset, opened->parts.validation)) QVERIFY(count >= 8 && count <= 11);
  }

  // Whole way: bursts of one folder each never end up in two parts.
  void foldersInASplit() {
    QTemporaryDir temporary;
    const fs::path root = pathOf(temporary.path());
    for (int i = 0; i < 48; ++i)
      write(root / (i % 2 ? "cat" : "dog") / ("burst " + std::to_string(i / 4)) / (std::to_string(i) + ".png"), png(1, 1, {1, 2, 3}));
    recipe::Data data = dataOf("image-folder", root, 0.25);
    data.test = 0.25;
    data.group = "folder";
    const auto opened = openWithSplit(data, 3);
    TRAINYARD_VERIFY(opened);
    std::map<std::string, std::set<int>> parts;
    const std::vector<uint64_t>* indices[] = {&opened->parts.train, &opened->parts.validation, &opened->parts.test};
    for (int part = 0; part < 3; ++part) {
      for (const uint64_t i : *indices[part]) parts[fs::path(opened->dataset->name(i)).parent_path().string()].insert(part);
    }
    QCOMPARE(parts.size(), size_t{24});
    for (const auto& [folder, in] : parts) QCOMPARE(in.size(), size_t{1});
    QCOMPARE(classCounts(*opened->dataset, opened->parts.test), (std::vector<uint64_t>{6, 6}));
    QCOMPARE(classCounts(*opened->dataset, opened->parts.validation), (std::vector<uint64_t>{6, 6}));
  }
};

QTEST_APPLESS_MAIN(TestGroups)
#include "tst_groups.moc"
