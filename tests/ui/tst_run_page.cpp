// The page of a run against a living engine's stand-in: curves grow, pause, resume, stop, close and attach again, a killed engine.
#include <signal.h>

#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/recipe/recipe.h"
#include "fake_engine.h"
#include "ui/engine_link/engine_link.h"
#include "ui/models/runs_model.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/rate_editor.h"
#include "ui/pages/run/run_header.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/run_texts.h"
#include "ui/pages/run/try_view.h"
#include "ui/pages/run/verdict_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

using namespace trainyard;
using namespace trainyard::ui;

class TestRunPage : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void curvesGrowPauseResumeStop();
  void closedAndAttachedAgain();
  void killedEngineOffersResume();
  void brokenLossOffersLowerRate();
  void finishedRunIsExtended();
  void picturesCanBeTried();
  void liveLearningRate();
  void refusedRequestIsTold();
  void failedStartIsTold();
  void finishedRunIsARecord();
  void unreadableRecipe();
  void keysOfTheCharts();
  void plannedRateIsDashed();
  void reportHoldsWhatHelpersNeed();
  void situations_data();
  void situations();
  void verdictsHaveWords();

 private:
  QString start(const QString& name = QStringLiteral("flowers"));
  std::unique_ptr<RunPage> openPage(const QString& dir);
  QPushButton* button(RunPage& page, const char* name) { return page.findChild<QPushButton*>(QLatin1String(name)); }
  QString title(RunPage& page) { return page.verdictBar()->shown().title; }
  QString sentence(RunPage& page) { return page.verdictBar()->shown().sentence; }
  runs::RunState stateOf(const QString& dir) { return runs::readState(runs::Layout{dir.toStdString()})->state; }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Theme> theme_;
  std::unique_ptr<EngineLink> engine_;
  std::unique_ptr<RunsModel> runs_;
  Context context_;
};

void TestRunPage::init() {
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

void TestRunPage::cleanup() {
  for (const QString& dir : engine_->liveRuns()) ::kill(static_cast<pid_t>(stateOf(dir).pid), SIGKILL);
  QTRY_VERIFY(engine_->liveRuns().isEmpty());
}

QString TestRunPage::start(const QString& name) {
  QSignalSpy started(engine_.get(), &EngineLink::started);
  const auto dir = engine_->start(recipe::parseToml(test::recipeToml(name).toStdString(), "test.toml")->document);
  if (!dir || !started.wait(10000)) qFatal("the run did not start");
  return *dir;
}

std::unique_ptr<RunPage> TestRunPage::openPage(const QString& dir) {
  auto page = std::make_unique<RunPage>(context_);
  page->resize(1192, 752);
  page->show();
  page->open(dir);
  return page;
}

void TestRunPage::curvesGrowPauseResumeStop() {
  qputenv("FAKE_STEPS", "4000");
  const QString dir = start();
  auto page = openPage(dir);
  LineChart* loss = page->curves()->lossChart();
  QTRY_VERIFY_WITH_TIMEOUT(loss->drawnPoints(QStringLiteral("training")) > 5, 10000);
  const int before = loss->drawnPoints(QStringLiteral("training"));
  QTRY_VERIFY_WITH_TIMEOUT(loss->drawnPoints(QStringLiteral("training")) > before + 10, 10000);
  QCOMPARE(loss->view().x_to, 4000.0);
  QVERIFY(page->progress() > 0 && page->progress() < 1);

  QTest::mouseClick(button(*page, "pause"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Paused"), 10000);
  QCOMPARE(button(*page, "pause")->text(), QStringLiteral("Resume"));
  QVERIFY2(sentence(*page).contains(QStringLiteral("still holding 100")), qPrintable(sentence(*page)));
  QCOMPARE(button(*page, "verdictAction")->text(), QStringLiteral("Save and free the memory"));
  QTest::mouseClick(button(*page, "verdictAction"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(sentence(*page).contains(QStringLiteral("memory given back")), 10000);
  const auto held = page->series().step;
  QTest::qWait(300);
  QCOMPARE(page->series().step, held);

  QTest::mouseClick(button(*page, "pause"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > held + 5, 10000);
  QCOMPARE(button(*page, "pause")->text(), QStringLiteral("Pause"));

  QTest::mouseClick(button(*page, "stop"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Stopped"), 10000);
  QVERIFY(!button(*page, "stop")->isVisible());
  QCOMPARE(button(*page, "pause")->text(), QStringLiteral("Resume"));
  QTRY_COMPARE(stateOf(dir).state, runs::State::Stopped);
  QTRY_VERIFY(page->log()->toPlainText().contains(QStringLiteral("stopped at step")));
  QVERIFY(std::isnan(page->progress()));
}

void TestRunPage::closedAndAttachedAgain() {
  qputenv("FAKE_STEPS", "100000");
  const QString dir = start();
  {
    auto page = openPage(dir);
    QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 10, 10000);
  }
  engine_ = std::make_unique<EngineLink>();  // another window
  context_.engine = engine_.get();
  QCOMPARE(engine_->liveRuns(), QStringList{dir});
  auto page = openPage(dir);
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 20, 10000);
  QCOMPARE(page->series().loss.step.first(), 1.0);
  QTRY_VERIFY_WITH_TIMEOUT(button(*page, "pause")->isEnabled(), 5000);
}

void TestRunPage::killedEngineOffersResume() {
  const QString dir = start();
  auto page = openPage(dir);
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 110, 20000);
  ::kill(static_cast<pid_t>(stateOf(dir).pid), SIGKILL);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Ended unexpectedly"), 10000);
  QVERIFY2(sentence(*page).contains(QStringLiteral("Last good checkpoint: step 100.")), qPrintable(sentence(*page)));
  QVERIFY(button(*page, "verdictAction")->isVisible());
  QTest::mouseClick(button(*page, "verdictAction"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page->log()->toPlainText().contains(QStringLiteral("Continued from step 100")), 10000);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Finished"), 20000);
  const auto& steps = page->series().loss.step;
  QCOMPARE(steps.size(), 400);
  QVERIFY(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end());
}

void TestRunPage::brokenLossOffersLowerRate() {
  qputenv("FAKE_TROUBLE", "nan");
  const QString dir = start();
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Broken"), 20000);
  QTRY_COMPARE_WITH_TIMEOUT(button(*page, "verdictAction")->text(), QStringLiteral("Continue from 100, lr ÷ 10"), 10000);
  QVERIFY(sentence(*page).startsWith(QStringLiteral("Broke at step 200: the loss is no longer finite.")));
  qunsetenv("FAKE_TROUBLE");
  QTest::mouseClick(button(*page, "verdictAction"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().rate.last(), 0.01, 10000);
  QTRY_VERIFY(page->log()->toPlainText().contains(QStringLiteral("Continued from step 100")));
  QCOMPARE(page->series().rate.value[100], 0.01);  // from its first update on
}

void TestRunPage::finishedRunIsExtended() {
  qputenv("FAKE_STEPS", "40");
  auto page = openPage(start());
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Finished"), 20000);
  QTRY_COMPARE(button(*page, "verdictAction")->text(), QStringLiteral("Train longer…"));
  QTest::mouseClick(button(*page, "verdictAction"), Qt::LeftButton);
  auto* dialog = page->findChild<QInputDialog*>(QStringLiteral("extend"));
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->intMinimum(), 5);
  QCOMPARE(dialog->intValue(), 6);
  dialog->accept();
  QTRY_COMPARE_WITH_TIMEOUT(page->series().epochs, 6, 10000);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().step, 60, 10000);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Finished"), 10000);
}

void TestRunPage::picturesCanBeTried() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 40);
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().step, 40, 10000);
  page->showTab(RunPage::TryTab);
  QVERIFY(!button(*page, "choosePictures")->isEnabled());  // no checkpoint
  page->tryView()->setRun(dir, true);
  QVERIFY(button(*page, "choosePictures")->isEnabled());
  page->tryView()->ask({"/pictures/a.png", "/pictures/b.png"});
  QTRY_COMPARE_WITH_TIMEOUT(page->tryView()->findChildren<Card*>().size(), 2, 10000);
  QVERIFY(page->tryView()->findChild<QLabel*>() != nullptr);
  bool told = false;
  for (const auto* label : page->tryView()->findChildren<QLabel*>()) told = told || label->text() == QStringLiteral("rose, 90.0 %");
  QVERIFY(told);
}

void TestRunPage::liveLearningRate() {
  qputenv("FAKE_STEPS", "100000");
  auto page = openPage(start());
  auto* field = page->findChild<QLineEdit*>(QStringLiteral("rate"));
  QTRY_COMPARE_WITH_TIMEOUT(field->text(), QStringLiteral("0.1"), 10000);
  QVERIFY(field->isVisible());
  QTest::keyClick(field, Qt::Key_Down);
  QCOMPARE(field->text(), QStringLiteral("0.05"));
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().rate.last(), 0.05, 10000);
  const auto& marks = page->series().marks;
  const auto change = std::find_if(marks.begin(), marks.end(), [](const RunMark& mark) { return mark.kind == RunMarkKind::Set; });
  QVERIFY(change != marks.end());
  QCOMPARE(change->from, 0.1);
  QCOMPARE(change->to, 0.05);
  QTRY_VERIFY(page->log()->toPlainText().contains(QStringLiteral("Learning rate changed from 0.1 to 0.05")));
  field->setText(QStringLiteral("much"));
  Q_EMIT field->textEdited(field->text());
  QVERIFY(!button(*page, "applyRate")->isEnabled());
  QVERIFY(field->property("invalid").toBool());
}

void TestRunPage::refusedRequestIsTold() {
  qputenv("FAKE_STEPS", "100000");
  auto page = openPage(start());
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 2, 10000);
  Q_EMIT page->curves()->rateEditor()->apply(11);
  QTRY_COMPARE_WITH_TIMEOUT(sentence(*page), QStringLiteral("The learning rate 11 is too high."), 10000);
  QVERIFY(page->verdictBar()->shown().why.contains(QStringLiteral("At most 10.")));
  QVERIFY(button(*page, "pause")->isEnabled());
}

void TestRunPage::failedStartIsTold() {
  qputenv("FAKE_TROUBLE", "start");
  const auto dir = engine_->start(recipe::parseToml(test::recipeToml("flowers").toStdString(), "test.toml")->document);
  QVERIFY(dir);
  auto page = openPage(*dir);
  QCOMPARE(title(*page), QStringLiteral("Starting"));
  QTRY_COMPARE_WITH_TIMEOUT(sentence(*page), QStringLiteral("The folder is empty."), 10000);
}

void TestRunPage::finishedRunIsARecord() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 400);
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(title(*page), QStringLiteral("Finished"), 10000);
  QTRY_COMPARE(page->series().evals.size(), size_t{4});
  // 1 - 0.5 / 4 of 400 pictures; Wilson's range.
  QTRY_VERIFY2(sentence(*page).contains(QStringLiteral("Best: 350 of 400 right, 87.5 % (95 % range 83.9–90.4).")), qPrintable(sentence(*page)));
  QVERIFY(!button(*page, "pause")->isVisible());
  QVERIFY(!button(*page, "stop")->isVisible());
  page->showTab(RunPage::ResultsPage);
  auto* results = page->findChild<ResultsView*>();
  QCOMPARE(results->rowCount(), 4);
  QCOMPARE(results->item(0, 0)->text(), QStringLiteral("4  ★"));
  QCOMPARE(results->item(3, 4)->text(), QStringLiteral("50.0 %"));
  page->showTab(RunPage::RecipeTab);
  QVERIFY(page->findChild<RecipeView*>()->isVisible());
}

void TestRunPage::unreadableRecipe() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 40);
  QFile recipe(dir + "/recipe.toml");
  recipe.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
  QVERIFY(recipe.open(QIODevice::WriteOnly | QIODevice::Truncate));
  recipe.write("[run\n");
  recipe.close();
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().step, 40, 10000);
  QTRY_COMPARE(title(*page), QStringLiteral("Finished"));
}

void TestRunPage::keysOfTheCharts() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 400);
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().step, 400, 10000);
  LineChart* loss = page->curves()->lossChart();
  QTRY_VERIFY(loss->drawnPoints(QStringLiteral("training")) > 0);
  QTest::keyClick(loss, Qt::Key_X);
  QTRY_COMPARE(loss->view().x_to, 4.0);  // epochs
  QTest::keyClick(loss, Qt::Key_X);
  QTRY_VERIFY(loss->view().x_to < 4.0);  // time: written within a moment
  QTest::keyClick(loss, Qt::Key_X);
  QTRY_COMPARE(loss->view().x_to, 400.0);
  const double normal = loss->smoothing();
  QCOMPARE(normal, 2.0);
  QTest::keyClick(loss, Qt::Key_BracketRight);
  QCOMPARE(loss->smoothing(), 2 * normal);
  QCOMPARE(page->curves()->detailChart(CurvesView::GradientTab)->smoothingFactor(), 2.0);
  QTest::keyClick(loss, Qt::Key_Left);
  QVERIFY(!std::isnan(page->curves()->metricChart()->crosshair()));
  QTest::keyClick(loss, Qt::Key_2);
  QCOMPARE(page->curves()->maximized(), 2);
  QVERIFY(!loss->isVisible());
  QTest::keyClick(page->curves()->metricChart(), Qt::Key_2);
  QVERIFY(loss->isVisible());
}

void TestRunPage::plannedRateIsDashed() {
  qputenv("FAKE_STEPS", "4000");
  auto page = openPage(start());
  LineChart* rate = page->curves()->detailChart(CurvesView::RateTab);
  QTRY_VERIFY_WITH_TIMEOUT(rate->seriesNames().contains(QStringLiteral("planned")), 10000);
  QVERIFY(rate->seriesDashed(QStringLiteral("planned")));
  QTRY_COMPARE(rate->view().x_to, 4000.0);
  QVERIFY(page->curves()->dropAhead());
}

void TestRunPage::reportHoldsWhatHelpersNeed() {
  const QString dir = folder_->filePath("runs/20260101-120000-old");
  test::writeFinishedRun(dir, "old", 40);
  auto page = openPage(dir);
  QTRY_COMPARE_WITH_TIMEOUT(page->series().step, 40, 10000);
  Q_EMIT page->header()->copyReport();
  const QString report = QApplication::clipboard()->text();
  for (const char* part : {"20260101-120000-old", "state: finished", "step 40 of 40", "arch = \"mlp\"", "\"type\":\"finished\""})
    QVERIFY2(report.contains(QLatin1String(part)), part);
  Q_EMIT page->header()->copyCommand();
  QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("trainyard train '")));
}

void TestRunPage::situations_data() {
  QTest::addColumn<int>("state");
  QTest::addColumn<bool>("unexpected");
  QTest::addColumn<int>("checkpoint");
  QTest::addColumn<QString>("title");
  QTest::addColumn<int>("action");
  const auto row = [](const char* name, runs::State state, bool unexpected, int checkpoint, const char* title, BarAction action) {
    QTest::newRow(name) << static_cast<int>(state) << unexpected << checkpoint << QString::fromLatin1(title) << static_cast<int>(action);
  };
  row("queued", runs::State::Queued, false, -1, "Queued", BarAction::None);
  row("starting", runs::State::Starting, false, -1, "Starting", BarAction::None);
  row("paused", runs::State::Paused, false, -1, "Paused", BarAction::Release);
  row("finished", runs::State::Finished, false, 10, "Finished", BarAction::Extend);
  row("finished without a checkpoint", runs::State::Finished, false, -1, "Finished", BarAction::None);
  row("stopped", runs::State::Stopped, false, 10, "Stopped", BarAction::Resume);
  row("stopped before a checkpoint", runs::State::Stopped, false, -1, "Stopped", BarAction::None);
  row("failed", runs::State::Failed, false, 10, "Failed", BarAction::Resume);
  row("failed without a checkpoint", runs::State::Failed, false, -1, "Failed", BarAction::None);
  row("killed", runs::State::Failed, true, 10, "Ended unexpectedly", BarAction::Resume);
}

void TestRunPage::situations() {
  QFETCH(int, state);
  QFETCH(bool, unexpected);
  QFETCH(int, checkpoint);
  QFETCH(QString, title);
  QFETCH(int, action);
  RunSituation now;
  now.seen.state.state = static_cast<runs::State>(state);
  now.seen.unexpected_end = unexpected;
  now.checkpoint_step = checkpoint;
  const BarText text = situationText(now, RunSeries());
  QCOMPARE(text.title, title);
  QCOMPARE(static_cast<int>(text.action), action);
  QVERIFY(!text.sentence.isEmpty());
}

void TestRunPage::verdictsHaveWords() {
  QSet<QString> titles;
  for (int verdict = 0; verdict <= static_cast<int>(runs::Verdict::Steady); ++verdict) {
    const BarText text = verdictText({static_cast<runs::Verdict>(verdict), Json::object()}, RunSeries());
    QVERIFY2(!text.title.isEmpty() && !text.sentence.isEmpty(), qPrintable(QString::number(verdict)));
    QCOMPARE(text.action == BarAction::None, text.action_text.isEmpty());
    titles.insert(text.title);
  }
  QCOMPARE(titles.size(), static_cast<int>(runs::Verdict::Steady) + 1);
  const BarText waiting = verdictText({runs::Verdict::WaitingForData, {{"share", 0.31}, {"speedup", 1.449}}}, RunSeries());
  QCOMPARE(waiting.sentence, QStringLiteral("Each step waits 31 % for its pictures. More loader threads could make it up to 1.4 × faster."));
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  QApplication app(argc, argv);
  TestRunPage test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_run_page.moc"
