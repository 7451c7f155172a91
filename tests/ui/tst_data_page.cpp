#include <QApplication>
#include <QCryptographicHash>
#include <QDirIterator>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include "tests/ui/sandbox.h"
#include "ui/launch.h"
#include "ui/main_window.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/exclusions_card.h"
#include "ui/pages/data/findings_card.h"
#include "ui/pages/data/normalise.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pages/data/picture_view.h"
#include "ui/pages/data/source_card.h"
#include "ui/pages/data/split_card.h"
#include "ui/pictures/data_doctor.h"
#include "ui/recipe_document.h"
#include "ui/workbench.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

data::Finding finding(data::Severity severity, const char* code, const std::string& file, std::vector<std::string> files = {}) {
  data::Finding found;
  found.severity = severity;
  found.code = code;
  found.file = file;
  found.text = std::string("text of ") + code;
  found.files = std::move(files);
  return found;
}

// Names and contents of everything below a folder.
QByteArray fingerprint(const QString& folder) {
  QCryptographicHash hash(QCryptographicHash::Sha1);
  QStringList files;
  for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) files << it.next();
  files.sort();
  for (const QString& name : files) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return {};
    hash.addData(name.toUtf8());
    hash.addData(file.readAll());
  }
  return hash.result();
}

// A hundred thousand pictures that exist only when they are asked for.
class Many : public data::Dataset {
 public:
  static constexpr uint64_t kCount = 100000;
  uint64_t size() const override { return kCount; }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t index) const override { return (index % 2 == 0 ? "even/" : "odd/") + std::to_string(index) + ".jpg"; }
  int label(uint64_t index) const override { return int(index % 2); }
  const std::vector<std::string>& classes() const override { return classes_; }
  Result<cv::Mat> picture(uint64_t) const override {
    ++decoded;
    return cv::Mat(30, 40, CV_8UC3, cv::Scalar(9, 99, 199));
  }
  bool inMemory() const override { return false; }
  mutable std::atomic<int> decoded = 0;

 private:
  std::vector<std::string> classes_ = {"even", "odd"};
};

Launch quiet(const char* language = "en") {
  Launch launch;
  launch.language = language;
  launch.theme = "light";
  return launch;
}

}  // namespace

class DataPageTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;
  QString folder_;
  std::unique_ptr<Workbench> bench_;
  std::vector<data::Finding> findings_;
  QByteArray before_;  // no test may change a file

  MainWindow& window() { return bench_->window(); }
  RecipeDocument& recipe() { return *bench_->context().recipe; }
  DatasetScan& dataset() { return *bench_->context().dataset; }
  DataDoctor& doctor() { return *bench_->context().doctor; }
  template <class T>
  T* part() {
    return window().findChild<T*>();
  }
  QStringList excluded() { return exclusionsOf(recipe()).pictures; }

  // Says what the test has put into findings_.
  DataDoctor::Scan fake() {
    return [this](const recipe::Data& data, uint64_t seed, const data::ScanOptions&) -> Result<data::ScanReport> {
      TRAINYARD_TRY(const auto opened, data::openWithSplit(data, seed));
      data::ScanReport report;
      report.samples = opened.dataset->size();
      report.kinds = {{"png", report.samples}};
      report.width = {48, 48, 640};
      report.height = {36, 36, 480};
      report.mean = {0.471234, 0.42, 0.31};
      report.std = {0.2, 0.21, 0.22};
      for (size_t c = 0; c < opened.dataset->classes().size(); ++c) report.classes.push_back({opened.dataset->classes()[c], int(c), 12});
      report.findings = findings_;
      return report;
    };
  }

  void open(std::vector<data::Finding> findings) {
    findings_ = std::move(findings);
    window().take(folder_);
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Ready);
    QTRY_COMPARE(doctor().state(), DataDoctor::State::Ready);
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(box_.valid());
    folder_ = box_.makePictures("flowers", {"daisies", "roses", "tulips"}, 12);
    box_.write("config/window.ini", "[General]\n");
    before_ = fingerprint(folder_);
    QVERIFY(!before_.isEmpty());
  }
  void init() {
    bench_ = std::make_unique<Workbench>(quiet(), box_.settingsFile());
    doctor().setScan(fake());
    bench_->show();
  }
  void cleanup() {
    QVERIFY(fingerprint(folder_) == before_);
    bench_.reset();
  }

  void everyFindingHasALine() {
    using enum data::Severity;
    open({finding(Bad, "truncated", "roses/1.png"), finding(Bad, "empty", "roses/2.png"),
          finding(Caution, "duplicate", "tulips/1.png", {"tulips/2.png", "tulips/3.png"}), finding(Caution, "tiny_class", "daisies"),
          finding(Note, "rotated", "roses/5.png", {"roses/6.png"}), finding(Note, "alpha", "roses/7.png"), finding(Caution, "brand_new_code", "roses/8.png")});
    auto* card = part<FindingsCard>();
    const QStringList lines = card->lines();
    QVERIFY2(lines.contains("2 pictures cannot be read"), qPrintable(lines.join("\n")));
    QVERIFY2(lines.contains("2 exact copies"), qPrintable(lines.join("\n")));
    QVERIFY2(lines.contains(QString::fromUtf8("“daisies” has 12 pictures")), qPrintable(lines.join("\n")));
    QVERIFY2(lines.contains("2 turned by EXIF, 1 with transparent parts"), qPrintable(lines.join("\n")));
    QVERIFY2(lines.contains("text of brand_new_code"), qPrintable(lines.join("\n")));
    QCOMPARE(lines.front(), QString("2 pictures cannot be read"));
    const auto groups = groupFindings(*doctor().report(), *dataset().facts(), {});
    QCOMPARE(scanSentence(*doctor().report(), groups), QString("5 of 36 pictures need a look: 2 unreadable, 2 duplicates, 1 other. No file was changed."));
    QCOMPARE(scanSentence(*doctor().report(), {}), QString("Nothing wrong with 36 pictures. No file was changed."));
  }

  void showFiltersTheGridAndSelects() {
    open({finding(data::Severity::Bad, "truncated", "roses/1.png"), finding(data::Severity::Caution, "duplicate", "tulips/1.png", {"tulips/2.png"})});
    auto* grid = part<PictureGrid>();
    QTRY_COMPARE(grid->model()->rowCount(), 36);
    part<FindingsCard>()->button("duplicate")->click();
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QCOMPARE(grid->model()->index(0).data(PictureModel::NameRole).toString(), QString("tulips/1.png"));
    QCOMPARE(grid->model()->index(1).data(PictureModel::NameRole).toString(), QString("tulips/2.png"));
    QTRY_COMPARE(grid->view()->currentIndex().row(), 0);
    QVERIFY(grid->leaveAllOut()->isVisible());
    grid->what()->setCurrentIndex(grid->what()->findText("Worth a look"));
    QTRY_COMPARE(grid->model()->rowCount(), 3);
    QVERIFY(!grid->leaveAllOut()->isVisible());
    // Of copies one stays.
    part<FindingsCard>()->button("duplicate")->click();
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    grid->leaveAllOut()->click();
    QCOMPARE(excluded(), QStringList{"tulips/2.png"});
    QTRY_COMPARE(dataset().facts()->dataset->size(), uint64_t(36));
    recipe().undo();
    QVERIFY(excluded().isEmpty());
  }

  void aLeakIsFixedInTheRecipeAlone() {
    open({});
    const auto& facts = *dataset().facts();
    const std::string trains = facts.dataset->name(facts.parts.train.front()), checks = facts.dataset->name(facts.parts.validation.front());
    findings_ = {finding(data::Severity::Bad, "leak", checks, {trains})};
    QSignalSpy again(&doctor(), &DataDoctor::changed);
    part<SourceCard>()->scanButton()->click();
    QTRY_VERIFY(part<FindingsCard>()->button("leak") != nullptr);
    QCOMPARE(part<FindingsCard>()->lines().front(), QString("1 copy in both parts"));
    part<FindingsCard>()->button("leak")->click();
    QCOMPARE(excluded(), QStringList{QString::fromStdString(checks)});
    QVERIFY(part<FindingsCard>()->button("leak") == nullptr);
    QVERIFY(part<ExclusionsCard>()->isVisible());
    recipe().undo();
    QVERIFY(excluded().isEmpty());
    QVERIFY(!part<ExclusionsCard>()->isVisible());
    QVERIFY(part<FindingsCard>()->button("leak") != nullptr);
  }

  void aSmallClassCanBeLeftOut() {
    open({finding(data::Severity::Caution, "tiny_class", "daisies")});
    part<FindingsCard>()->button("tiny_class")->click();
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    menu->actions().front()->trigger();
    menu->close();
    QCOMPARE(exclusionsOf(recipe()).classes, QStringList{"daisies"});
    QCOMPARE(recipe().problems().size(), size_t(0));
    QVERIFY(part<ExclusionsCard>()->isVisible());
    part<ExclusionsCard>()->putAllBackButton()->click();
    QVERIFY(exclusionsOf(recipe()).empty());
    QVERIFY(!part<ExclusionsCard>()->isVisible());
    recipe().undo();
    QCOMPARE(exclusionsOf(recipe()).classes, QStringList{"daisies"});
  }

  void leavingOutAndPuttingBack() {
    open({});
    const Json before = recipe().given();
    leaveOut(recipe(), {"roses/1.png", "roses/2.png"});
    leaveOut(recipe(), {"roses/2.png", "roses/3.png"});
    QCOMPARE(excluded(), (QStringList{"roses/1.png", "roses/2.png", "roses/3.png"}));
    auto* card = part<ExclusionsCard>();
    card->list()->selectionModel()->select(card->list()->model()->index(1, 0), QItemSelectionModel::ClearAndSelect);
    card->putBackButton()->click();
    QCOMPARE(excluded(), (QStringList{"roses/1.png", "roses/3.png"}));
    recipe().undo();
    recipe().undo();
    QCOMPARE(excluded(), (QStringList{"roses/1.png", "roses/2.png"}));
    recipe().undo();
    QVERIFY(excluded().isEmpty());
    COMPARE_JSON(recipe().given(), before);
  }

  void onePictureIsShownWithItsFacts() {
    open({finding(data::Severity::Caution, "aspect", "roses/4.png")});
    auto* grid = part<PictureGrid>();
    grid->model()->setFilter({-1, data::Part::Unassigned, "roses/4", nullptr});
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    Q_EMIT grid->opened(0);
    auto* view = part<PictureView>();
    QVERIFY(view->isVisible());
    QCOMPARE(view->name(), QString("roses/4.png"));
    QTRY_VERIFY_WITH_TIMEOUT(view->settled(), 10000);
    QTRY_VERIFY2(view->factText().contains(QString::fromUtf8("48 × 36")), qPrintable(view->factText()));
    QVERIFY2(view->factText().contains("roses"), qPrintable(view->factText()));
    QVERIFY2(view->factText().contains("Very long or tall"), qPrintable(view->factText()));
    view->leaveButton()->click();
    QCOMPARE(excluded(), QStringList{"roses/4.png"});
    QCOMPARE(view->leaveButton()->text(), QString("Put back"));
    view->leaveButton()->click();
    QVERIFY(excluded().isEmpty());
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!view->isVisible());
    QVERIFY(grid->isVisible());
  }

  void aBrokenPictureSaysWhy() {
    const QString folder = box_.makePictures("broken", {"a", "b"}, 12);
    QVERIFY(!box_.write("broken/a/0.png", "this is no picture").isEmpty());
    window().take(folder);
    QTRY_VERIFY(dataset().state() == DatasetScan::State::Ready && dataset().facts()->dataset->size() >= 23);
    auto* grid = part<PictureGrid>();
    QTRY_VERIFY(grid->model()->rowCount() >= 23);
    grid->model()->setFilter({-1, data::Part::Unassigned, "a/0", nullptr});
    QTRY_COMPARE(grid->model()->rowCount(), 1);
    Q_EMIT grid->opened(0);
    QTRY_VERIFY_WITH_TIMEOUT(part<PictureView>()->settled(), 10000);
    QTRY_VERIFY(part<PictureView>()->factText().contains("pictur"));
  }

  // With the scan itself: a picture cut at half its length and a file of 0 bytes are named, and Show leads to them.
  void theScanItself() {
    const QString folder = box_.makePictures("real", {"a", "b"}, 30);
    QFile whole(folder + "/a/3.png");
    QVERIFY(whole.open(QIODevice::ReadWrite));
    QVERIFY(whole.resize(whole.size() / 2));
    QVERIFY(!box_.write("real/b/empty.jpg", "").isEmpty() || QFileInfo(folder + "/b/empty.jpg").exists());
    QVERIFY(QFile::copy(folder + "/a/5.png", folder + "/a/copy.png"));
    bench_ = std::make_unique<Workbench>(quiet(), box_.settingsFile());
    bench_->show();
    window().take(folder);
    QTRY_VERIFY_WITH_TIMEOUT(doctor().state() == DataDoctor::State::Ready && doctor().report() && doctor().report()->samples == 62, 20000);
    auto* card = part<FindingsCard>();
    QVERIFY2(card->lines().contains("2 pictures cannot be read"), qPrintable(card->lines().join("\n")));
    card->button("unreadable")->click();
    auto* grid = part<PictureGrid>();
    QTRY_COMPARE(grid->model()->rowCount(), 2);
    QStringList names;
    for (int row = 0; row < 2; ++row) names << grid->model()->index(row).data(PictureModel::NameRole).toString();
    names.sort();
    QCOMPARE(names, (QStringList{"a/3.png", "b/empty.jpg"}));
    QVERIFY(part<SplitCard>()->useNormalisation()->isVisible());
    grid->leaveAllOut()->click();
    QStringList left_out = excluded();
    left_out.sort();
    QCOMPARE(left_out, names);
    QVERIFY(!card->lines().contains("2 pictures cannot be read"));
    QVERIFY(QFileInfo::exists(folder + "/a/3.png"));
  }

  void normalisationIsTakenOverInOneStep() {
    open({});
    auto* page = part<SplitCard>();
    const Json before = recipe().given();
    QTRY_VERIFY(page->useNormalisation()->isVisible());
    page->useNormalisation()->click();
    Json chain = recipe().value("augment");
    COMPARE_JSON(chain.back().at("op"), Json("normalize"));
    COMPARE_JSON(chain.back().at("mean"), Json({0.4712, 0.42, 0.31}));
    COMPARE_JSON(chain.back().at("std"), Json({0.2, 0.21, 0.22}));
    QVERIFY(!page->useNormalisation()->isEnabled());
    const size_t steps = chain.size();
    recipe().set(QString("augment[%1].mean").arg(steps - 1), Json({0.5, 0.5, 0.5}));
    QVERIFY(page->useNormalisation()->isEnabled());
    page->useNormalisation()->click();
    QCOMPARE(recipe().value("augment").size(), steps);
    recipe().undo();
    recipe().undo();
    recipe().undo();
    COMPARE_JSON(recipe().given(), before);
    recipe().set("data.channels", "grey");
    page->useNormalisation()->click();
    QCOMPARE(recipe().value("augment").back().at("mean").size(), size_t(1));
    QVERIFY(recipe().problems().empty());
  }

  void aScanCanBeStopped() {
    std::atomic<bool> running = false, ended = false;
    doctor().setScan([&](const recipe::Data&, uint64_t, const data::ScanOptions& options) -> Result<data::ScanReport> {
      running = true;
      options.progress(9, 36);
      while (!*options.cancelled) std::this_thread::yield();
      ended = true;
      return fail(ErrorCode::Interrupted, "stopped", "scan");
    });
    window().take(folder_);
    QTRY_VERIFY(running);
    auto* source = part<SourceCard>();
    QTRY_VERIFY2(source->summary().contains("9 of 36"), qPrintable(source->summary()));
    QCOMPARE(source->scanButton()->text(), QString("Stop"));
    QElapsedTimer timer;
    timer.start();
    source->scanButton()->click();
    QTRY_COMPARE(doctor().state(), DataDoctor::State::Stopped);
    QVERIFY(ended);
    QVERIFY(timer.elapsed() < 1000);
    QCOMPARE(source->scanButton()->text(), QString("Scan again"));
    // A window that closes takes its scan along.
    running = false;
    source->scanButton()->click();
    QTRY_VERIFY(running);
    ended = false;
    bench_.reset();
    QVERIFY(ended);
    init();
  }

  void anotherFolderOvertakesTheScan() {
    const QString other = box_.makePictures("other", {"a", "b"}, 12);
    std::atomic<int> cancelled = 0;
    doctor().setScan([&](const recipe::Data& data, uint64_t, const data::ScanOptions& options) -> Result<data::ScanReport> {
      data::ScanReport report;
      if (data.path == fs::path(other.toStdString())) return report;
      while (!*options.cancelled) std::this_thread::yield();
      ++cancelled;
      return fail(ErrorCode::Interrupted, "stopped", "scan");
    });
    window().take(folder_);
    QTRY_COMPARE(doctor().state(), DataDoctor::State::Running);
    QTRY_VERIFY(dataset().state() == DatasetScan::State::Ready && dataset().facts()->dataset->size() == 36);
    window().take(other);
    QTRY_COMPARE(doctor().state(), DataDoctor::State::Ready);
    QTRY_VERIFY(cancelled >= 1);
  }

  void aHundredThousandPicturesStayQuick() {
    auto many = std::make_shared<Many>();
    auto facts = std::make_shared<DatasetScan::Facts>();
    facts->dataset = many;
    for (uint64_t i = 0; i < Many::kCount; ++i) (i % 10 == 0 ? facts->parts.validation : facts->parts.train).push_back(i);
    facts->class_counts = {Many::kCount / 2, Many::kCount / 2};
    PictureGrid grid;
    grid.resize(800, 600);
    grid.show();
    QElapsedTimer timer;
    timer.start();
    grid.setFacts(facts, false);
    QVERIFY2(timer.elapsed() < 200, qPrintable(QString::number(timer.elapsed())));
    QTRY_COMPARE(grid.model()->rowCount(), int(Many::kCount));
    QTRY_VERIFY_WITH_TIMEOUT(grid.settled(), 10000);
    QVERIFY2(many->decoded > 0 && many->decoded < 500, qPrintable(QString::number(many->decoded)));
    timer.start();
    for (int row = 0; row < 10000; ++row) (void)grid.model()->index(row * 10).data(PictureModel::NameRole);
    QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    timer.start();
    grid.showClass(1);
    QVERIFY2(timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    QTRY_COMPARE(grid.model()->rowCount(), int(Many::kCount / 2));
    timer.start();
    grid.model()->setFilter({-1, data::Part::Unassigned, "99999", nullptr});
    QVERIFY2(timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    QTRY_COMPARE(grid.model()->rowCount(), 1);
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(many->decoded < 1000);
  }

  void theGridKeepsItsPlaceWhenSomethingIsLeftOut() {
    open({});
    auto* grid = part<PictureGrid>();
    grid->showClass(1);
    QTRY_COMPARE(grid->model()->rowCount(), 12);
    leaveOut(recipe(), {"roses/1.png"});
    QTRY_VERIFY(dataset().state() == DatasetScan::State::Ready && !dataset().busy());
    QTRY_VERIFY(!grid->model()->facts()->dataset->name(0).empty());
    for (int row = 0; row < grid->model()->rowCount(); ++row) QCOMPARE(grid->model()->index(row).data().toString(), QString("roses"));
    QVERIFY(grid->model()->rowCount() <= 12);
  }

  void picturesAsTheNetworkSeesThem() {
    open({});
    recipe().set("augment", Json::array({{{"op", "random_vertical_flip"}, {"p", 1.0}}}));
    recipe().set("data.size", 16);
    auto* grid = part<PictureGrid>();
    QTRY_COMPARE(grid->model()->rowCount(), 36);
    QTRY_VERIFY_WITH_TIMEOUT(grid->settled(), 10000);
    grid->networkSwitch()->click();
    QTRY_VERIFY_WITH_TIMEOUT(grid->settled() && !grid->model()->index(0).data(Qt::DecorationRole).value<QPixmap>().isNull(), 10000);
    // A chain that cannot be says so, and the pictures stay.
    recipe().set("augment", Json::array({{{"op", "random_crop"}, {"size", 4000}}}));
    QVERIFY2(grid->networkSwitch()->toolTip().contains("augment[0]"), qPrintable(grid->networkSwitch()->toolTip()));
    grid->networkSwitch()->click();
    QTRY_VERIFY_WITH_TIMEOUT(grid->settled(), 10000);
  }

  void anotherFormatKeepsOnlyWhatBothKnow() {
    open({});
    recipe().set("data.exclude", Json::array({"roses/1.png"}));
    const QString other = box_.makePictures("third", {"a", "b"}, 12);
    Q_EMIT part<SourceCard>()->chosen(other);
    COMPARE_JSON(recipe().value("data.path"), Json(other.toStdString()));
    QVERIFY(exclusionsOf(recipe()).empty());
    COMPARE_JSON(recipe().value("data.size"), Json(64));
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Ready);
  }
};

QTEST_MAIN(DataPageTest)
#include "tst_data_page.moc"
