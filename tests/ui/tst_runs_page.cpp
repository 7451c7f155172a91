// The page of all runs: table, filter, overlay of checked runs, opening one.
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "fake_engine.h"
#include "ui/engine_link/engine_link.h"
#include "ui/models/runs_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/plots/line_chart.h"
#include "ui/theme/theme.h"

using namespace trainyard;
using namespace trainyard::ui;

class TestRunsPage : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { page_.reset(); }
  void emptyFolder();
  void listsFiltersAndSorts();
  void overlaysCheckedRuns();
  void doubleClickOpens();
  void hiddenPageDoesNothing();

 private:
  void open();
  QString add(const QString& id, const QString& name, int steps);

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Theme> theme_;
  std::unique_ptr<EngineLink> engine_;
  std::unique_ptr<RunsModel> runs_;
  Context context_;
  std::unique_ptr<RunsPage> page_;
};

void TestRunsPage::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  test::useFolder(folder_->path());
  theme_ = std::make_unique<Theme>();
  theme_->choose(ThemeChoice::Light);
  engine_ = std::make_unique<EngineLink>();
  runs_ = std::make_unique<RunsModel>();
  context_ = {};
  context_.theme = theme_.get();
  context_.engine = engine_.get();
  context_.runs = runs_.get();
}

QString TestRunsPage::add(const QString& id, const QString& name, int steps) {
  const QString dir = folder_->filePath("runs/" + id);
  test::writeFinishedRun(dir, name, steps);
  return dir;
}

void TestRunsPage::open() {
  page_ = std::make_unique<RunsPage>(context_);
  page_->resize(1192, 752);
  page_->show();
  QTRY_VERIFY_WITH_TIMEOUT(page_->settled(), 5000);
}

void TestRunsPage::emptyFolder() {
  open();
  QVERIFY(!page_->table()->isVisible());
  bool said = false;
  for (const QLabel* label : page_->findChildren<QLabel*>()) said = said || (label->isVisible() && label->text() == QLatin1String("Nothing trained yet"));
  QVERIFY(said);
}

void TestRunsPage::listsFiltersAndSorts() {
  add(QStringLiteral("20260101-120000-a"), QStringLiteral("tulips"), 40);
  add(QStringLiteral("20260102-120000-b"), QStringLiteral("roses"), 80);
  QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("runs/20260103-120000-broken")));
  open();
  auto* model = page_->table()->model();
  QTRY_COMPARE(model->rowCount(), 3);
  page_->filter()->setText(QStringLiteral("rose FINISHED"));
  QCOMPARE(model->rowCount(), 1);
  QCOMPARE(model->index(0, RunsModel::Name).data().toString(), QStringLiteral("roses"));
  page_->filter()->setText(QStringLiteral("c++ ("));
  QCOMPARE(model->rowCount(), 0);
  page_->filter()->clear();
  page_->table()->sortByColumn(RunsModel::LastLoss, Qt::AscendingOrder);
  QCOMPARE(model->index(1, RunsModel::Name).data().toString(), QStringLiteral("roses"));  // 2 / (1 + 80 / 50) is the lower loss
  QCOMPARE(model->index(2, RunsModel::Name).data().toString(), QStringLiteral("tulips"));
  QVERIFY(!model->index(0, 0).data(RunsModel::ProblemRole).toString().isEmpty());
}

void TestRunsPage::overlaysCheckedRuns() {
  const QString first = add(QStringLiteral("20260101-120000-a"), QStringLiteral("tulips"), 40),
                second = add(QStringLiteral("20260102-120000-b"), QStringLiteral("roses"), 80);
  open();
  QTRY_COMPARE(runs_->rowCount(), 2);
  QVERIFY(!page_->overlay(0)->isVisible());
  runs_->setChecked(first, true);
  runs_->setChecked(second, true);
  QTRY_VERIFY(page_->overlay(0)->isVisible());
  QTRY_COMPARE(page_->overlay(0)->drawnPoints(QStringLiteral("roses")), 80);
  QTRY_COMPARE(page_->overlay(0)->drawnPoints(QStringLiteral("tulips")), 40);
  const QColor color = page_->overlay(0)->seriesColor(QStringLiteral("tulips"));
  runs_->setChecked(second, false);
  QTRY_COMPARE(page_->overlay(0)->seriesNames(), QStringList{QStringLiteral("tulips")});
  QCOMPARE(page_->overlay(0)->seriesColor(QStringLiteral("tulips")), color);
  QCOMPARE(page_->overlaid(), QStringList{first});
}

void TestRunsPage::doubleClickOpens() {
  const QString dir = add(QStringLiteral("20260101-120000-a"), QStringLiteral("tulips"), 40);
  open();
  QTRY_COMPARE(page_->table()->model()->rowCount(), 1);
  QSignalSpy navigated(page_.get(), &Page::navigate);
  const QPoint at = page_->table()->visualRect(page_->table()->model()->index(0, RunsModel::State)).center();
  QTest::mouseClick(page_->table()->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(page_->table()->viewport(), Qt::LeftButton, {}, at);
  QTRY_COMPARE(navigated.count(), 1);
  QCOMPARE(navigated.first().at(0).toString(), QStringLiteral("run"));
  QCOMPARE(navigated.first().at(1).toString(), dir);
}

void TestRunsPage::hiddenPageDoesNothing() {
  const QString dir = add(QStringLiteral("20260101-120000-a"), QStringLiteral("tulips"), 40);
  open();
  QTRY_COMPARE(runs_->rowCount(), 1);
  runs_->setChecked(dir, true);
  QTRY_COMPARE(page_->overlaid().size(), 1);
  page_->hide();
  QVERIFY(page_->overlaid().isEmpty());
  QSignalSpy refreshed(runs_.get(), &RunsModel::refreshed);
  QVERIFY(!refreshed.wait(1500));
  page_->show();
  QTRY_COMPARE(page_->overlaid().size(), 1);
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  QApplication app(argc, argv);
  TestRunsPage test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_runs_page.moc"
