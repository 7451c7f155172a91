// The window's parts against the real engine: start the practice recipe, watch it, pause, change the rate, stop, resume, kill, close and attach.
#include <signal.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/recipe/recipe.h"
#include "core/runs/run_directory.h"
#include "ui/engine_link/engine_link.h"
#include "ui/models/runs_model.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/verdict_bar.h"
#include "ui/theme/theme.h"

using namespace trainyard;
using namespace trainyard::ui;

class TestRealEngine : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void startedWatchedPausedStopped();
  void closedInMidRunAndAttachedAgain();
  void killedShowsAsFailedAndGoesOn();
  void unsoundRecipeIsTold();

 private:
  Json recipe(uint64_t epochs) const;
  QString start(uint64_t epochs);
  std::unique_ptr<RunPage> openPage(const QString& dir);
  static runs::SeenState seen(const QString& dir) { return *runs::readState({dir.toStdString()}); }
  static void click(RunPage& page, const char* name) { QTest::mouseClick(page.findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton); }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Theme> theme_;
  std::unique_ptr<EngineLink> engine_;
  std::unique_ptr<RunsModel> runs_;
  Context context_;
};

void TestRealEngine::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  qputenv("XDG_DATA_HOME", folder_->filePath("data").toUtf8());
  qputenv("TRAINYARD_RUNS", folder_->filePath("runs").toUtf8());
  qunsetenv("TRAINYARD_ENGINE");
  qunsetenv("DBUS_SESSION_BUS_ADDRESS");
  theme_ = std::make_unique<Theme>();
  engine_ = std::make_unique<EngineLink>();
  runs_ = std::make_unique<RunsModel>();
  context_ = {};
  context_.theme = theme_.get();
  context_.engine = engine_.get();
  context_.runs = runs_.get();
}

void TestRealEngine::cleanup() {
  for (const QString& dir : engine_->liveRuns()) ::kill(static_cast<pid_t>(seen(dir).state.pid), SIGKILL);
  QTRY_VERIFY(engine_->liveRuns().isEmpty());
}

Json TestRealEngine::recipe(uint64_t epochs) const {
  const auto loaded = recipe::load(resourcesFolder() / "recipes/digits.toml", {"train.epochs=" + std::to_string(epochs), "train.log_every=2"});
  if (!loaded) qFatal("%s", toText(loaded.error()).c_str());
  return loaded->document;
}

QString TestRealEngine::start(uint64_t epochs) {
  QSignalSpy started(engine_.get(), &EngineLink::started);
  const auto dir = engine_->start(recipe(epochs));
  if (!dir || !started.wait(30000)) qFatal("the run did not start");
  return *dir;
}

std::unique_ptr<RunPage> TestRealEngine::openPage(const QString& dir) {
  auto page = std::make_unique<RunPage>(context_);
  page->resize(1192, 752);
  page->show();
  page->open(dir);
  return page;
}

void TestRealEngine::startedWatchedPausedStopped() {
  const QString dir = start(400);
  auto page = openPage(dir);
  LineChart* loss = page->curves()->lossChart();
  QTRY_VERIFY_WITH_TIMEOUT(loss->drawnPoints(QStringLiteral("training")) > 5, 30000);
  const int before = loss->drawnPoints(QStringLiteral("training"));
  QTRY_VERIFY_WITH_TIMEOUT(loss->drawnPoints(QStringLiteral("training")) > before + 10, 30000);

  click(*page, "pause");
  QTRY_VERIFY_WITH_TIMEOUT(seen(dir).state.state == runs::State::Paused, 30000);
  QTRY_COMPARE_WITH_TIMEOUT(page->verdictBar()->shown().title, QStringLiteral("Paused"), 10000);
  const auto held = page->series().step;
  click(*page, "pause");
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > held + 5, 30000);

  click(*page, "stop");
  QTRY_VERIFY_WITH_TIMEOUT(seen(dir).state.state == runs::State::Stopped, 30000);
  QVERIFY(QFile::exists(dir + "/checkpoints.json"));
}

void TestRealEngine::closedInMidRunAndAttachedAgain() {
  const QString dir = start(100000);
  {
    auto page = openPage(dir);
    QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 10, 30000);
  }
  engine_ = std::make_unique<EngineLink>();  // another window
  context_.engine = engine_.get();
  QCOMPARE(engine_->liveRuns(), QStringList{dir});
  auto page = openPage(dir);
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > 10, 30000);
  const auto at = page->series().step;
  QTRY_VERIFY_WITH_TIMEOUT(page->series().step > at + 10, 30000);
}

void TestRealEngine::killedShowsAsFailedAndGoesOn() {
  const QString dir = start(100000);
  auto page = openPage(dir);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(dir + "/checkpoints.json"), 30000);
  ::kill(static_cast<pid_t>(seen(dir).state.pid), SIGKILL);
  QTRY_VERIFY_WITH_TIMEOUT(seen(dir).state.state == runs::State::Failed && seen(dir).unexpected_end, 30000);
  QTRY_VERIFY_WITH_TIMEOUT(page->findChild<QPushButton*>(QLatin1String("pause"))->text() == QStringLiteral("Resume"), 30000);
  QSignalSpy started(engine_.get(), &EngineLink::started);
  click(*page, "pause");
  QVERIFY(started.wait(30000));
  QTRY_VERIFY_WITH_TIMEOUT(seen(dir).state.state == runs::State::Running, 30000);
}

void TestRealEngine::unsoundRecipeIsTold() {
  Json wrong = recipe(1);
  wrong["data"]["path"] = "/no/such/folder";
  QSignalSpy failed(engine_.get(), &EngineLink::startFailed);
  QVERIFY(engine_->start(wrong));
  QVERIFY(failed.wait(30000));
  const auto error = failed.first().first().value<Error>();
  QCOMPARE(error.code, ErrorCode::Data);
  QVERIFY2(error.where.find("/no/such/folder") != std::string::npos, toText(error).c_str());
}

QTEST_MAIN(TestRealEngine)
#include "tst_real_engine.moc"
