// The Data page's pictures: the grid, one picture large.
#include <QElapsedTimer>
#include <QListView>
#include <QPushButton>
#include <atomic>

#include "tests/ui/data_bench.h"
#include "ui/pages/data/findings_card.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pages/data/picture_view.h"

using namespace trainyard;
using namespace trainyard::ui;
using tests::finding;

namespace {

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

}  // namespace

class DataGridTest : public QObject, protected tests::DataBench {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { makeFolder(); }
  void init() { openWindow(); }
  void cleanup() { closeWindow(); }

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
};

QTEST_MAIN(DataGridTest)
#include "tst_data_grid.moc"
