// The Data page: what the scan found, what is left out, normalisation.
#include <QApplication>
#include <QElapsedTimer>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <atomic>
#include <thread>

#include "tests/ui/data_bench.h"
#include "ui/pages/data/exclusions_card.h"
#include "ui/pages/data/findings_card.h"
#include "ui/pages/data/normalise.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pages/data/source_card.h"
#include "ui/pages/data/split_card.h"

using namespace trainyard;
using namespace trainyard::ui;
using tests::finding;

class DataPageTest : public QObject, protected tests::DataBench {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { makeFolder(); }
  void init() { openWindow(); }
  void cleanup() { closeWindow(); }

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

  // With the scan itself: a picture cut at half its length and a file of 0 bytes are named, and Show leads to them.
  void theScanItself() {
    const QString folder = box_.makePictures("real", {"a", "b"}, 30);
    QFile whole(folder + "/a/3.png");
    QVERIFY(whole.open(QIODevice::ReadWrite));
    QVERIFY(whole.resize(whole.size() / 2));
    QVERIFY(!box_.write("real/b/empty.jpg", "").isEmpty() || QFileInfo(folder + "/b/empty.jpg").exists());
    QVERIFY(QFile::copy(folder + "/a/5.png", folder + "/a/copy.png"));
    bench_ = std::make_unique<Workbench>(tests::quiet(), box_.settingsFile());
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
    openWindow();
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
