// The table of runs as a model, and the curves gathered from events.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "fake_engine.h"
#include "tests/ui/sandbox.h"
#include "ui/models/run_series.h"
#include "ui/models/run_text.h"
#include "ui/models/runs_model.h"
#include "ui/pages/home/recipe_list.h"
#include "ui/recipe_document.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

runs::RunSummary summary(const std::string& id, int64_t step) {
  runs::RunSummary run;
  run.id = id;
  run.name = "flowers";
  run.dir = "/runs/" + id;
  run.step = step;
  run.steps_total = 100;
  run.epochs = 4;
  run.metric = "accuracy";
  run.best = 0.912;
  run.last_loss = 0.25;
  run.seen.state.state = runs::State::Running;
  return run;
}

runs::Event made(const char* type, double time, int64_t step, Json fields = Json::object()) {
  runs::Event one;
  one.type = type;
  one.time = time;
  one.step = step;
  one.fields = std::move(fields);
  return one;
}

}  // namespace

class TestRunsModel : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void obeysTheRulesOfModels();
  void showsWhatASummarySays();
  void unreadableRunTellsWhy();
  void checksChooseRuns();
  void readsTheFolder();
  void seriesGathersCurves();
  void resumeDropsWhatItUndoes();
  void pausesDoNotCount();
  void bestFollowsTheMetric();
  void bestOfARecipe_data();
  void bestOfARecipe();
  void durations_data();
  void durations();
};

void TestRunsModel::obeysTheRulesOfModels() {
  RunsModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setRuns({summary("b", 1), summary("a", 1)});
  QCOMPARE(model.rowCount(), 2);
  QSignalSpy changed(&model, &RunsModel::dataChanged), inserted(&model, &RunsModel::rowsInserted), removed(&model, &RunsModel::rowsRemoved);
  model.setRuns({summary("b", 1), summary("a", 2)});
  QCOMPARE(changed.count(), 1);
  QCOMPARE(changed.first().at(0).toModelIndex().row(), 1);
  model.setRuns({summary("c", 1), summary("b", 1), summary("a", 2)});
  QCOMPARE(inserted.count(), 1);
  model.setRuns({summary("c", 1), summary("a", 2)});
  QCOMPARE(removed.count(), 1);
  QCOMPARE(QString::fromStdString(model.at(1).id), QStringLiteral("a"));
  model.setRuns({});
  QCOMPARE(model.rowCount(), 0);
}

void TestRunsModel::showsWhatASummarySays() {
  RunsModel model;
  model.setRuns({summary("a", 25)});
  const auto text = [&](int column) { return model.index(0, column).data().toString(); };
  QCOMPARE(text(RunsModel::Name), QStringLiteral("flowers"));
  QCOMPARE(text(RunsModel::State), QStringLiteral("Training"));
  QCOMPARE(text(RunsModel::Best), QStringLiteral("91.2 %"));
  QCOMPARE(text(RunsModel::LastLoss), QStringLiteral("0.25"));
  QCOMPARE(text(RunsModel::Progress), QStringLiteral("epoch 1 of 4"));
  QCOMPARE(model.index(0, RunsModel::Progress).data(RunsModel::ProgressRole).toDouble(), 0.25);
  QCOMPARE(model.index(0, 0).data(RunsModel::DirRole).toString(), QStringLiteral("/runs/a"));
}

void TestRunsModel::unreadableRunTellsWhy() {
  RunsModel model;
  auto broken = summary("a", 0);
  broken.problem = "state.json is empty";
  model.setRuns({broken});
  QCOMPARE(model.index(0, RunsModel::State).data().toString(), QStringLiteral("Unreadable"));
  QCOMPARE(model.index(0, RunsModel::Architecture).data().toString(), QStringLiteral("state.json is empty"));
  QVERIFY(!model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole));
}

void TestRunsModel::checksChooseRuns() {
  RunsModel model;
  model.setRuns({summary("b", 1), summary("a", 1)});
  QSignalSpy checked(&model, &RunsModel::checkedChanged);
  QVERIFY(model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
  QCOMPARE(model.checkedRuns(), QStringList{QStringLiteral("/runs/a")});
  QCOMPARE(checked.count(), 1);
  model.setRuns({summary("b", 1)});
  QVERIFY(model.checkedRuns().isEmpty());
  QCOMPARE(checked.count(), 2);
}

void TestRunsModel::readsTheFolder() {
  QTemporaryDir folder;
  test::useFolder(folder.path());
  test::writeFinishedRun(folder.filePath("runs/20260101-120000-one"), "one", 40);
  test::writeFinishedRun(folder.filePath("runs/20260102-120000-two"), "two", 40);
  QVERIFY(QDir(folder.path()).mkpath("runs/20260103-120000-broken"));
  RunsModel model;
  QSignalSpy refreshed(&model, &RunsModel::refreshed);
  model.refresh();
  QVERIFY(refreshed.wait(5000));
  QCOMPARE(model.rowCount(), 3);
  QVERIFY(!model.at(0).problem.empty());
  QCOMPARE(QString::fromStdString(model.at(1).name), QStringLiteral("two"));
  QCOMPARE(model.at(1).step, 40);
  QCOMPARE(model.at(2).seen.state.state, runs::State::Finished);
}

void TestRunsModel::seriesGathersCurves() {
  RunSeries series;
  series.add(made("run_started", 1000, 0, {{"steps_total", 100}, {"epochs", 4}}));
  series.add(made("step", 1010, 10, {{"loss", 2.0}, {"lr", 0.1}, {"step_ms", 10.0}, {"data_wait_ms", 3.0}, {"samples_per_s", 500.0}}));
  series.add(made("step", 1020, 20, {{"loss", "nan"}, {"lr", 0.1}}));
  series.add(made("device", 1021, 20, {{"device", "cuda:0"}, {"memory_used_bytes", 1000.0}}));
  QCOMPARE(series.loss.step, (QVector<double>{10, 20}));
  QCOMPARE(series.loss.epoch, (QVector<double>{0.4, 0.8}));
  QCOMPARE(series.loss.seconds, (QVector<double>{10, 20}));
  QVERIFY(std::isnan(series.loss.value[1]));
  QCOMPARE(series.waiting.value, QVector<double>{0.3});
  QCOMPARE(series.speed.value, QVector<double>{500.0});
  QVERIFY(series.gradient.isEmpty());
  QCOMPARE(series.memory.at("cuda:0").value, QVector<double>{1000.0});
  QVERIFY(std::isnan(series.devices.front().temperature_c));
  QCOMPARE(series.marks.back().kind, RunMarkKind::NonFinite);
  QCOMPARE(series.secondsLeft(), 80.0);
  QCOMPARE(series.halfLife(), 0.05);
}

void TestRunsModel::resumeDropsWhatItUndoes() {
  RunSeries series;
  series.add(made("run_started", 1000, 0, {{"steps_total", 100}, {"epochs", 4}}));
  for (int step = 1; step <= 30; ++step) series.add(made("step", 1000 + step, step, {{"loss", 1.0}, {"lr", 0.1}}));
  series.add(made("eval", 1030, 25, {{"split", "validation"}, {"loss", 1.0}, {"metrics", {{"accuracy", 0.9}}}}));
  QCOMPARE(series.best, 0.9);
  series.add(made("resumed", 5000, 20, {{"steps_total", 100}, {"epochs", 4}}));
  QCOMPARE(series.loss.step.last(), 20.0);
  QCOMPARE(series.rate.value.size(), 20);
  QVERIFY(series.evals.empty() && series.metric.isEmpty() && std::isnan(series.best));
  QCOMPARE(series.step, 20);
  series.add(made("step", 5001, 21, {{"loss", 0.5}}));
  QCOMPARE(series.loss.step.last(), 21.0);
  QCOMPARE(series.loss.seconds.last(), 31.0);  // the night between does not count
}

void TestRunsModel::pausesDoNotCount() {
  RunSeries series;
  series.add(made("run_started", 1000, 0, {{"steps_total", 100}, {"epochs", 4}}));
  series.add(made("step", 1010, 10, {{"loss", 1.0}}));
  series.add(made("paused", 1010, 10));
  series.add(made("device", 1500, 10, {{"device", "cpu"}}));
  QCOMPARE(series.seconds, 10.0);
  series.add(made("continued", 2010, 10));
  series.add(made("step", 2020, 20, {{"loss", 1.0}}));
  QCOMPARE(series.loss.seconds.last(), 20.0);
}

void TestRunsModel::bestFollowsTheMetric() {
  for (const bool by_loss : {false, true}) {
    RunSeries series;
    series.metric_name = by_loss ? "loss" : "accuracy";
    series.add(made("run_started", 1000, 0, {{"steps_total", 100}, {"epochs", 4}}));
    const double losses[] = {1.0, 0.4, 0.6}, accuracies[] = {0.5, 0.8, 0.9};
    for (int i = 0; i < 3; ++i)
      series.add(made("eval", 1000 + i, 10 * (i + 1), {{"split", "validation"}, {"loss", losses[i]}, {"metrics", {{"accuracy", accuracies[i]}}}}));
    QCOMPARE(series.best, by_loss ? 0.4 : 0.9);
    QCOMPARE(series.best_step, by_loss ? 20 : 30);
    QCOMPARE(std::count_if(series.marks.begin(), series.marks.end(), [](const RunMark& mark) { return mark.kind == RunMarkKind::Best; }), 1);
  }
}

void TestRunsModel::bestOfARecipe_data() {
  QTest::addColumn<QString>("newer");  // metrics of two runs
  QTest::addColumn<QString>("older");
  QTest::addColumn<double>("best");  // the newer one has 0.3, the older 0.2
  QTest::newRow("accuracy") << "accuracy" << "accuracy" << 0.3;
  QTest::newRow("F1") << "f1_macro" << "f1_macro" << 0.3;
  QTest::newRow("R2") << "r2" << "r2" << 0.3;
  QTest::newRow("loss") << "loss" << "loss" << 0.2;
  QTest::newRow("absolute error") << "mae" << "mae" << 0.2;
  QTest::newRow("squared error") << "rmse" << "rmse" << 0.2;
  QTest::newRow("the newest one's metric") << "accuracy" << "loss" << 0.3;
}

void TestRunsModel::bestOfARecipe() {
  QFETCH(QString, newer);
  QFETCH(QString, older);
  const tests::Sandbox box;
  auto first = summary("b", 1), second = summary("a", 1);
  first.metric = newer.toStdString();
  first.best = 0.3;
  second.metric = older.toStdString();
  second.best = 0.2;
  RunsModel model;
  model.setRuns({first, second});
  const auto entries = listRecipes(model, RecipeDocument());
  const auto found = std::find_if(entries.begin(), entries.end(), [](const RecipeEntry& entry) { return entry.name == "flowers"; });
  QVERIFY(found != entries.end());
  QTEST(found->best, "best");
  QCOMPARE(QString::fromStdString(found->metric), newer);
}

void TestRunsModel::durations_data() {
  QTest::addColumn<double>("seconds");
  QTest::addColumn<QString>("text");
  QTest::newRow("seconds") << 42.0 << QStringLiteral("42 s");
  QTest::newRow("minutes") << 185.0 << QStringLiteral("3 min 05 s");
  QTest::newRow("many minutes") << 1800.0 << QStringLiteral("30 min");
  QTest::newRow("hours") << 4440.0 << QStringLiteral("1 h 14 min");
  QTest::newRow("days") << 180000.0 << QStringLiteral("2 d 2 h");
  QTest::newRow("unknown") << std::nan("") << QStringLiteral("–");
}

void TestRunsModel::durations() {
  QFETCH(double, seconds);
  QFETCH(QString, text);
  QCOMPARE(durationText(seconds), text);
}

QTEST_GUILESS_MAIN(TestRunsModel)
#include "tst_runs_model.moc"
