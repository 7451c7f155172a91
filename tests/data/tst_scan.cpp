// The data doctor: what it counts, and what it finds.
#include <QTemporaryDir>
#include <cmath>

#include "core/data/scan_parts.h"
#include "tests/data/scan_support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

namespace {

// Three columns, 40 rows: a number with gaps, one that never varies, a category; row 7 is row 3 again, and six of the rows with gaps repeat.
class Table : public Dataset {
 public:
  Table() {
    for (int i = 0; i < 40; ++i) rows_.push_back({i % 4 == 1 ? NAN : static_cast<float>(i), 2.5F, static_cast<float>(i % 3)});
    rows_[7] = rows_[3];
  }
  uint64_t size() const override { return rows_.size(); }
  Part part(uint64_t) const override { return Part::Unassigned; }
  std::string name(uint64_t i) const override { return "row " + std::to_string(i + 2); }
  int label(uint64_t i) const override { return i < 36 ? 0 : 1; }
  const std::vector<std::string>& classes() const override { return classes_; }
  Result<cv::Mat> picture(uint64_t i) const override { return fail(ErrorCode::Usage, "is a row of a table", name(i)); }
  bool inMemory() const override { return true; }
  const std::vector<Column>* columns() const override { return &columns_; }
  std::span<const float> row(uint64_t i) const override { return rows_[i]; }

 private:
  std::vector<Column> columns_ = {{"height", {}}, {"always", {}}, {"colour", {"red", "green", "blue"}}};
  std::vector<std::string> classes_ = {"yes", "no"};
  std::vector<std::array<float, 3>> rows_;
};

}  // namespace

class TestScan : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  int count_ = 0;
  fs::path root_, cache_;

  ScanOptions options() const {
    ScanOptions options;
    options.cache = cache_;
    return options;
  }
  Result<ScanReport> scanned(Json validation = "auto") const { return scan(dataOf("image-folder", root_, std::move(validation)), 42, options()); }
  // `count` different pictures in a class folder.
  void fill(const std::string& folder, int count, uint64_t seed) const {
    for (int i = 0; i < count; ++i) write(root_ / folder / (std::to_string(i) + ".jpg"), jpeg(scene(seed * 1000 + static_cast<uint64_t>(i))));
  }

 private Q_SLOTS:
  void init() {
    root_ = pathOf(temporary_.path()) / std::to_string(count_++) / "pictures";
    cache_ = root_.parent_path() / "cache";
    fs::create_directories(root_);
  }

  void countsAndSizes() {
    fill("a", 12, 1);
    write(root_ / "b/1.png", encoded(".png", scene(50, 30, 90)));
    write(root_ / "b/2.jpg", jpeg(scene(51, 200, 40)));
    const auto report = scanned(0.2);
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->format, std::string("image-folder"));
    QCOMPARE(report->samples, uint64_t{14});
    QCOMPARE(report->unreadable, uint64_t{0});
    QCOMPARE(report->train + report->validation, uint64_t{14});
    QVERIFY(report->validation > 0);
    QCOMPARE(report->classes.size(), size_t{2});
    QCOMPARE(report->classes[1].name, std::string("b"));
    QCOMPARE(report->classes[1].index, 1);
    QCOMPARE(report->classes[1].samples, uint64_t{2});
    QCOMPARE(report->width.smallest, 40);
    QCOMPARE(report->width.median, 64);
    QCOMPARE(report->width.largest, 90);
    QCOMPARE(report->height.largest, 200);
    QVERIFY(report->kinds == (std::vector<std::pair<std::string, uint64_t>>{{"jpeg", 13}, {"png", 1}}));
    QVERIFY(report->bits == (std::vector<std::pair<std::string, uint64_t>>{{"8", 14}}));
    uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) bytes += entry.is_regular_file() ? entry.file_size() : 0;
    QCOMPARE(report->bytes, bytes);
  }

  // Against sums in the plainest way; pictures of different sizes count by their pixels.
  void meanAndDeviation() {
    std::vector<double> sums(3), squares(3);
    double pixels = 0;
    for (int i = 0; i < 12; ++i) {
      const cv::Mat picture = scene(static_cast<uint64_t>(i), 20 + i * 7, 33 + i * 31);
      write(root_ / (i % 2 ? "a" : "b") / (std::to_string(i) + ".png"), encoded(".png", picture));
      for (int y = 0; y < picture.rows; ++y) {
        for (int x = 0; x < picture.cols; ++x) {
          for (int c = 0; c < 3; ++c) {
            const double value = picture.at<cv::Vec3b>(y, x)[c];
            sums[c] += value;
            squares[c] += value * value;
          }
          ++pixels;
        }
      }
    }
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(report->unreadable == 0, findingsText(*report));
    QCOMPARE(report->mean.size(), size_t{3});
    for (int c = 0; c < 3; ++c) {
      const double mean = sums[c] / pixels;
      QVERIFY2(std::abs(report->mean[c] - mean / 255) < 1e-12, qPrintable(QString("%1: %2, not %3").arg(c).arg(report->mean[c]).arg(mean / 255)));
      QVERIFY(std::abs(report->std[c] - std::sqrt(squares[c] / pixels - mean * mean) / 255) < 1e-9);
    }
  }

  void greyAndColour() {
    write(root_ / "a/1.png", encoded(".png", cv::Mat(10, 10, CV_8UC1, cv::Scalar(51))));
    write(root_ / "b/1.png", encoded(".png", cv::Mat(10, 10, CV_8UC1, cv::Scalar(153))));
    auto report = scanned();
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->mean.size(), size_t{1});
    QVERIFY(std::abs(report->mean[0] - 0.4) < 1e-12 && std::abs(report->std[0] - 0.2) < 1e-12);
    write(root_ / "b/2.png", encoded(".png", cv::Mat(10, 20, CV_8UC3, cv::Scalar(255, 0, 102))));
    report = scanned();
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->mean.size(), size_t{3});  // grey counts in all three
    for (const auto& [channel, mean] : {std::pair{0, 0.7}, {1, 0.2}, {2, 0.4}}) QVERIFY(std::abs(report->mean[channel] - mean) < 1e-12);
    auto data = dataOf("image-folder", root_);
    data.channels = 1;
    report = scan(data, 42, options());
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->mean.size(), size_t{1});  // as the network gets them
  }

  // A cut JPEG and an empty file are named before anything starts; the others are used. Bytes behind a JPEG's end do no harm.
  void damagedFilesAreNamed() {
    fill("a", 10, 1);
    fill("b", 10, 2);
    const std::string whole = jpeg(scene(77, 200, 300));
    write(root_ / "a/cut.jpg", whole.substr(0, whole.size() / 2));
    write(root_ / "b/nothing.jpg", "");
    write(root_ / "b/words.png", "not a picture at all, but long enough to have been one");
    write(root_ / "b/longer.jpg", whole + std::string(100'000, 'x'));
    fs::create_symlink(root_ / "gone", root_ / "b/link.jpg");
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->samples, uint64_t{25});
    QCOMPARE(report->unreadable, uint64_t{4});
    for (const auto& [code, file] :
         {std::pair{"truncated", "a/cut.jpg"}, {"empty", "b/nothing.jpg"}, {"unreadable", "b/words.png"}, {"unreadable", "b/link.jpg"}}) {
      const Finding* finding = findingOf(*report, code, file);
      QVERIFY2(finding != nullptr, findingsText(*report));
      QVERIFY(finding->severity == Severity::Bad && !finding->text.empty() && finding->sample >= 0);
    }
    QVERIFY(findingOf(*report, "unreadable", "b/longer.jpg") == nullptr && findingOf(*report, "truncated", "b/longer.jpg") == nullptr);
    QCOMPARE(std::count_if(report->findings.begin(), report->findings.end(), [](const auto& finding) { return finding.severity == Severity::Bad; }), 4);
    QVERIFY(std::is_sorted(report->findings.begin(), report->findings.end(), [](const auto& a, const auto& b) { return a.severity < b.severity; }));
  }

  void folderWithoutPermission() {
    if (geteuid() == 0) QSKIP("the administrator may read everything");
    fill("a", 2, 1);
    fill("b", 2, 2);
    fs::permissions(root_ / "a/1.jpg", fs::perms::none);
    auto report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "unreadable", "a/1.jpg") != nullptr, findingsText(*report));
    fs::permissions(root_ / "a/1.jpg", fs::perms::owner_all);
    report = scanned();
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->unreadable, uint64_t{0});
  }

  // A file that is there when the folder is listed and gone when it is read.
  void vanishedFile() {
    fill("a", 3, 1);
    fill("b", 3, 2);
    const auto data = dataOf("image-folder", root_);
    const auto dataset = open(data);
    TRAINYARD_VERIFY(dataset);
    fs::remove(root_ / "a/1.jpg");
    const auto looks = lookAtAll(**dataset, data, options());
    TRAINYARD_VERIFY(looks);
    QCOMPARE(looks->problems.size(), size_t{1});
    QCOMPARE((*dataset)->name(looks->problems[0].first), std::string("a/1.jpg"));
    QVERIFY(textOf(looks->problems[0].second).contains("No such file"));
  }

  void howFilesAreStored() {
    fill("a", 10, 1);
    fill("b", 10, 2);
    cv::Mat deep, clear;
    scene(60).convertTo(deep, CV_16U, 257);
    cv::cvtColor(scene(61), clear, cv::COLOR_RGB2RGBA);
    write(root_ / "a/deep.png", encoded(".png", deep));
    write(root_ / "a/clear.png", encoded(".png", clear));
    write(root_ / "b/upright.jpg", turnedJpeg(scene(62, 40, 80)));
    write(root_ / "b/strip.png", encoded(".png", scene(63, 20, 101)));
    write(root_ / "b/other strip.png", encoded(".png", scene(64, 120, 20)));
    write(root_ / "b/fits.png", encoded(".png", scene(65, 20, 100)));
    write(root_ / "b/liar.jpg", encoded(".png", scene(66)));
    write(root_ / "b/liar too.jpg", encoded(".png", scene(67)));
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    const auto check = [&](const char* code, Severity severity, const std::vector<std::string>& files) {
      const Finding* finding = findingOf(*report, code);
      QVERIFY2(finding != nullptr, findingsText(*report));
      QVERIFY(finding->severity == severity);
      std::vector<std::string> all = {finding->file};
      all.insert(all.end(), finding->files.begin(), finding->files.end());
      QVERIFY2(all == files, findingsText(*report));
    };
    check("bits16", Severity::Note, {"a/deep.png"});
    check("alpha", Severity::Note, {"a/clear.png"});
    check("rotated", Severity::Note, {"b/upright.jpg"});
    check("aspect", Severity::Caution, {"b/other strip.png", "b/strip.png"});
    check("wrong_extension", Severity::Caution, {"b/liar too.jpg", "b/liar.jpg"});
    QVERIFY(findingOf(*report, "wrong_extension")->text.find(".jpg but hold PNG") != std::string::npos);
    QCOMPARE(report->height.largest, 120);
    QCOMPARE(report->width.largest, 101);
  }

  void copies() {
    fill("a", 10, 1);
    fill("b", 10, 2);
    fs::copy_file(root_ / "a/3.jpg", root_ / "a/copy.jpg");
    fs::copy_file(root_ / "a/3.jpg", root_ / "a/copy again.jpg");
    fs::copy_file(root_ / "b/4.jpg", root_ / "a/strayed.jpg");
    const auto report = scanned(Json(0.0));
    TRAINYARD_VERIFY(report);
    const Finding* same = findingOf(*report, "duplicate");
    QVERIFY2(same != nullptr, findingsText(*report));
    QCOMPARE(same->file, std::string("a/3.jpg"));
    QVERIFY(same->files == (std::vector<std::string>{"a/copy again.jpg", "a/copy.jpg"}));
    const Finding* conflict = findingOf(*report, "conflicting_labels");
    QVERIFY2(conflict != nullptr, findingsText(*report));
    QCOMPARE(conflict->file, std::string("a/strayed.jpg"));
    QVERIFY(conflict->files == (std::vector<std::string>{"b/4.jpg"}));
    QVERIFY(conflict->text.find("a, b") != std::string::npos);
    QVERIFY(findingOf(*report, "leak") == nullptr && findingOf(*report, "near_duplicate") == nullptr);
  }

  void leaks() {
    fill("train/a", 10, 1);
    fill("train/b", 10, 2);
    fill("val/a", 4, 3);
    fill("val/b", 4, 4);
    fs::copy_file(root_ / "train/a/3.jpg", root_ / "val/a/seen.jpg");
    write(root_ / "val/b/seen.png", encoded(".png", scene(2005)));  // train/b/5.jpg, uncompressed
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->train, uint64_t{20});
    QCOMPARE(report->validation, uint64_t{10});
    const Finding* leak = findingOf(*report, "leak");
    QVERIFY2(leak != nullptr, findingsText(*report));
    QVERIFY(leak->severity == Severity::Bad);
    QCOMPARE(leak->file, std::string("train/a/3.jpg"));
    QVERIFY(leak->files == (std::vector<std::string>{"val/a/seen.jpg"}));
    QVERIFY(leak->text.find("training and validation") != std::string::npos);
    const Finding* near = findingOf(*report, "near_leak");
    QVERIFY2(near != nullptr, findingsText(*report));
    QCOMPARE(near->file, std::string("train/b/5.jpg"));
    QVERIFY(near->files == (std::vector<std::string>{"val/b/seen.png"}));
    QVERIFY(findingOf(*report, "duplicate") == nullptr && findingOf(*report, "near_duplicate") == nullptr);
  }

  void nearCopies() {
    fill("a", 30, 1);
    fill("b", 30, 2);
    cv::Mat smaller, mirrored;
    cv::resize(scene(1007), smaller, cv::Size(48, 48), 0, 0, cv::INTER_AREA);
    cv::flip(scene(1008), mirrored, 1);
    write(root_ / "a/smaller.jpg", jpeg(smaller));
    write(root_ / "a/harder.jpg", jpeg(scene(1007), 40));
    write(root_ / "a/mirrored.jpg", jpeg(mirrored));
    const auto report = scanned(Json(0.0));
    TRAINYARD_VERIFY(report);
    const Finding* near = findingOf(*report, "near_duplicate");
    QVERIFY2(near != nullptr, findingsText(*report));
    QCOMPARE(near->file, std::string("a/7.jpg"));
    QVERIFY2(near->files == (std::vector<std::string>{"a/harder.jpg", "a/smaller.jpg"}), findingsText(*report));
    QCOMPARE(std::count_if(report->findings.begin(), report->findings.end(), [](const auto& finding) { return finding.code == "near_duplicate"; }), 1);
  }

  // Handwritten digits look much alike and are no copies.
  void digitsAreNoCopies() {
    const auto report = scan(dataOf("idx", fs::path(std::getenv("TRAINYARD_RESOURCES")) / "digits"), 42, options());
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->samples, uint64_t{1797});
    QCOMPARE(report->classes.size(), size_t{10});
    QCOMPARE(report->mean.size(), size_t{1});
    QVERIFY(report->kinds.empty());
    QVERIFY2(report->findings.size() <= 5, findingsText(*report));
    QVERIFY(!fs::exists(cache_));
  }

  void classBalance() {
    fill("large", 60, 1);
    fill("small", 6, 2);
    fill("single", 1, 3);
    auto report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "tiny_class", "small") && findingOf(*report, "tiny_class", "single"), findingsText(*report));
    QVERIFY(findingOf(*report, "tiny_class", "large") == nullptr);
    const Finding* uneven = findingOf(*report, "uneven_classes");
    QVERIFY(uneven != nullptr && uneven->text.find("60 times") != std::string::npos);
    fs::remove_all(root_ / "small");
    fs::remove_all(root_ / "single");
    report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "one_class", "large") != nullptr, findingsText(*report));
    QVERIFY(findingOf(*report, "uneven_classes") == nullptr);
    fill("broken", 3, 3);
    for (int i = 0; i < 3; ++i) write(root_ / "broken" / (std::to_string(i) + ".jpg"), "");
    report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "empty_class", "broken") != nullptr, findingsText(*report));
    QCOMPARE(report->classes[0].samples, uint64_t{3});
  }

  void classFoldersWithoutPictures() {
    fill("a", 12, 1);
    fill("c", 12, 2);
    fs::create_directories(root_ / "b");
    write(root_ / "d/notes.txt", "nothing yet");
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "empty_class", "b") && findingOf(*report, "empty_class", "d"), findingsText(*report));
    QVERIFY(findingOf(*report, "split") == nullptr);
    QCOMPARE(report->samples, uint64_t{24});
    QCOMPARE(report->train + report->validation, uint64_t{24});
    QVERIFY(findingOf(*report, "empty_class", "b")->severity == Severity::Bad);
  }

  void tables() {
    const Table table;
    ScanReport report;
    reportTable(table, report);
    reportClasses(table, {}, report);
    QCOMPARE(report.columns.size(), size_t{3});
    QCOMPARE(report.columns[0].missing, uint64_t{10});
    QCOMPARE(report.columns[0].smallest, 0.0);
    QCOMPARE(report.columns[0].largest, 39.0);
    QVERIFY(std::abs(report.columns[0].mean - 586.0 / 30) < 1e-9);
    QCOMPARE(report.columns[2].categories, uint64_t{3});
    const Finding* missing = findingOf(report, "missing_values");
    QVERIFY2(missing != nullptr && missing->file == "height" && missing->text.find("10 rows (25 %)") != std::string::npos, findingsText(report));
    QVERIFY2(findingOf(report, "constant_column", "always") != nullptr && findingOf(report, "constant_column", "height") == nullptr, findingsText(report));
    const Finding* repeated = findingOf(report, "repeated_rows");
    QVERIFY2(repeated != nullptr && repeated->file == "row 9" && repeated->files.size() == 6, findingsText(report));
    QCOMPARE(report.classes[0].samples, uint64_t{36});
    QVERIFY2(findingOf(report, "tiny_class", "no") != nullptr, findingsText(report));
  }

  void namesInEveryScript() {
    fill("été ñ/図", 3, 1);
    write(root_ / "花 \"'/🌷.jpg", "");
    const auto report = scanned();
    TRAINYARD_VERIFY(report);
    QVERIFY2(findingOf(*report, "empty", "花 \"'/🌷.jpg") != nullptr, findingsText(*report));
    const Json json = Json::parse(compactJson(toJson(*report)));
    QVERIFY(json.at("classes").at(0).at("name") == "été ñ");
  }

  // A folder too small to split is looked at all the same.
  void splitThatCannotBe() {
    fill("a", 1, 1);
    const auto report = scanned(Json(0.5));
    TRAINYARD_VERIFY(report);
    QCOMPARE(report->samples, uint64_t{1});
    const Finding* split = findingOf(*report, "split");
    QVERIFY2(split != nullptr && split->severity == Severity::Bad, findingsText(*report));
    QCOMPARE(report->train + report->validation, uint64_t{0});
    QVERIFY(!scan(dataOf("image-folder", root_ / "nowhere"), 42, options()));
  }

  void shapeOfTheJson() {
    fill("a", 12, 1);
    fs::copy_file(root_ / "a/0.jpg", root_ / "a/copy.jpg");
    const auto report = scanned(Json(0.0));
    TRAINYARD_VERIFY(report);
    const Json json = toJson(*report);
    QVERIFY(json.at("format") == "image-folder" && json.at("samples") == 13 && json.at("unreadable") == 0);
    QVERIFY(json.at("classes") == Json::parse(R"([{"name": "a", "index": 0, "samples": 13}])"));
    for (const auto& finding : json.at("findings")) {
      for (const char* key : {"severity", "code", "file", "text"}) QVERIFY(finding.at(key).is_string());
      QVERIFY(finding.at("files").is_array());
    }
    QVERIFY(json.at("findings").at(0).at("severity") == "caution");
    QVERIFY(json.at("mean").size() == 3 && json.at("kinds").at("jpeg") == 13 && json.at("width").at("median") == 64);
  }
};

QTEST_APPLESS_MAIN(TestScan)
#include "tst_scan.moc"
