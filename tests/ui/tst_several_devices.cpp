// Several devices in the window: devices, strategies, stages and machines on the Train page; what each rank does on a run's page.
#include <QApplication>
#include <QClipboard>
#include <QProgressBar>
#include <QtTest>

#include "core/catalogue/catalogue.h"
#include "core/runs/event_log.h"
#include "core/runs/run_directory.h"
#include "tests/ui/page_bench.h"
#include "tests/ui/sandbox.h"
#include "ui/models/run_series.h"
#include "ui/models/runs_model.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/event_text.h"
#include "ui/pages/run/run_cards.h"
#include "ui/pages/run/run_facts.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/time_card.h"
#include "ui/pages/run/verdict_text.h"
#include "ui/pages/train/device_list.h"
#include "ui/pages/train/machines_card.h"
#include "ui/pages/train/own_address.h"
#include "ui/pages/train/stage_bar.h"
#include "ui/pages/train/stage_editor.h"
#include "ui/pages/train/strategy_cards.h"
#include "ui/pages/train/train_page.h"
#include "ui/plots/chart_card.h"
#include "ui/widgets/choice_card.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kWait_ms = 20000;

Json photos() {
  return {{"run", {{"name", "flowers"}}}, {"data", {{"path", "/p"}, {"size", 64}}}, {"model", {{"arch", "resnet18"}}}, {"train", {{"batch_size", 32}}}};
}

runs::Event made(const char* type, int64_t step, Json fields) {
  runs::Event one;
  one.type = type;
  one.step = step;
  one.time = 1000 + double(step);
  one.fields = std::move(fields);
  return one;
}

Json rank(int rank, const char* device, double compute, double comm, double wait, double idle) {
  return {{"rank", rank}, {"device", device}, {"compute_ms", compute}, {"comm_ms", comm}, {"data_wait_ms", wait}, {"idle_ms", idle}};
}

}  // namespace

class SeveralDevicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void gpusAreListedWithTheirMemory();
  void secondDeviceChoosesAStrategy();
  void processorInRanks();
  void absentDeviceIsShown();
  void oneDeviceStaysChosen();
  void strategiesSayWhatTheyTake();
  void strategiesAreChosen();
  void everySettingOfAStrategyIsFound();
  void planThatFailsIsTold();
  void planOfAFaultyRecipeIsNotAsked();
  void epochsMakeNoNewPlan();
  void planMayLeaveThingsOut();
  void stagesAreListed();
  void cutsMoveByKeys();
  void cutsMoveByMouse();
  void cutsOfTheRecipe();
  void commandsForMachines();
  void ranksAreAveraged();
  void timeBars();
  void runPageShowsRanksAndDevices();
  void batchIsShared();
  void severalDevicesInTheChip();
  void manyDevicesInASmallWindow();
  void failedRankIsNamed();
  void liveChangesInWords();

 private:
  RecipeDocument& recipe() { return bench_->recipe(); }
  DeviceList* devices() { return page_->findChild<DeviceList*>(); }
  StrategyCards* strategies() { return page_->findChild<StrategyCards*>(); }
  StageEditor* stages() { return page_->findChild<StageEditor*>(); }
  void answerWith(const QByteArray& text);
  void openStages();
  std::unique_ptr<tests::PageBench> bench_;
  std::unique_ptr<TrainPage> page_;
};

void SeveralDevicesTest::init() {
  page_.reset();
  bench_.reset();
  bench_ = std::make_unique<tests::PageBench>(photos());
  page_ = bench_->show<TrainPage>();
}

void SeveralDevicesTest::answerWith(const QByteArray& text) {
  QFile answer(bench_->path("answer"));
  QVERIFY(answer.open(QIODevice::WriteOnly));
  answer.write(text);
  answer.close();
  qputenv("FAKE_ANSWER", answer.fileName().toUtf8());
}

void SeveralDevicesTest::gpusAreListedWithTheirMemory() {
  QTRY_COMPARE_WITH_TIMEOUT(devices()->shown(), QStringList({"auto", "cuda:0", "cuda:1", "cpu"}), kWait_ms);
  const QString first = devices()->figures("cuda:0");
  QVERIFY2(first.contains("GiB of") && first.contains("% busy"), qPrintable(first));
  QVERIFY2(devices()->figures("cpu").contains(" of "), qPrintable(devices()->figures("cpu")));
  QCOMPARE(devices()->figures("auto"), QString());
  QVERIFY(devices()->box("auto")->isChecked());
}

void SeveralDevicesTest::secondDeviceChoosesAStrategy() {
  QTRY_VERIFY_WITH_TIMEOUT(devices()->box("cuda:1") != nullptr, kWait_ms);
  devices()->box("cuda:1")->click();
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cuda:1"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "single");
  devices()->box("cuda:0")->click();  // in the order of the rows
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cuda:0", "cuda:1"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "data");
  QVERIFY(recipe().problems().empty());
  recipe().undo();  // one step for both
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cuda:1"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "single");
  recipe().redo();
  recipe().choose("parallel", "pipeline");
  recipe().set("parallel.cuts", Json::array({"layer3.0"}));
  devices()->box("cuda:0")->click();
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cuda:1"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "single");
  QVERIFY(recipe().problems().empty());  // the pipeline's keys are gone with it
  devices()->box("cpu")->click();
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cpu"}));
  QVERIFY(!devices()->box("cuda:1")->isChecked());
}

void SeveralDevicesTest::processorInRanks() {
  QVERIFY(!devices()->ranksField()->isVisible());
  devices()->box("cpu")->click();
  QVERIFY(devices()->ranksField()->isVisible());
  auto* edit = devices()->ranksField()->findChild<QLineEdit*>();
  QCOMPARE(edit->text(), QString("1"));
  QTest::keyClick(edit, Qt::Key_Up);
  QTest::keyClick(edit, Qt::Key_Up);
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cpu", "cpu", "cpu"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "data");
  edit->selectAll();
  QTest::keyClicks(edit, "0");
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cpu", "cpu", "cpu"}));
  QVERIFY(edit->property("invalid").toBool());
  edit->selectAll();
  QTest::keyClicks(edit, "1");
  QVERIFY(!edit->property("invalid").toBool());
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"cpu"}));
  COMPARE_JSON(recipe().value("parallel.strategy"), "single");
}

void SeveralDevicesTest::absentDeviceIsShown() {
  recipe().set("parallel.devices", Json::array({"cuda:7"}));
  QVERIFY(devices()->box("cuda:7") != nullptr && devices()->box("cuda:7")->isChecked());
  QCOMPARE(devices()->box("cuda:7")->text(), QString("GPU 7"));
  recipe().choose("parallel", "data");
  recipe().set("parallel.devices", Json::array({"cuda:7", "cpu"}));
  bool told = false;
  for (const auto* label : devices()->findChildren<QLabel*>()) told = told || (label->isVisible() && label->text().contains("cannot train together"));
  QVERIFY(told);
}

void SeveralDevicesTest::oneDeviceStaysChosen() {
  devices()->box("cpu")->click();
  devices()->box("cpu")->click();
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"auto"}));
  devices()->box("auto")->click();
  QVERIFY(devices()->box("auto")->isChecked());
  COMPARE_JSON(recipe().value("parallel.devices"), Json::array({"auto"}));
}

void SeveralDevicesTest::strategiesSayWhatTheyTake() {
  QTRY_COMPARE_WITH_TIMEOUT(strategies()->card("single")->aside(), QString("about 3.0 GiB"), kWait_ms);
  QCOMPARE(strategies()->card("data")->aside(), QString("about 2.0 GiB on each device · about 1.9 × as fast as one"));
  QCOMPARE(strategies()->card("sharded")->aside(), QString("rmsprop cannot be divided"));
  QVERIFY2(strategies()->notesText().contains("4 pictures at a time on a device, 8 parts in an update."), qPrintable(strategies()->notesText()));
  QVERIFY(strategies()->notesText().contains("Dropout differs between layouts."));
  QTRY_VERIFY_WITH_TIMEOUT(page_->settled(), kWait_ms);
}

void SeveralDevicesTest::strategiesAreChosen() {
  for (const auto& entry : catalogue::strategies()) {
    ChoiceCard* card = strategies()->card(QString::fromStdString(entry.id));
    QVERIFY2(card != nullptr, entry.id.c_str());
    card->click();
    COMPARE_JSON(recipe().value("parallel.strategy"), entry.id);
    QVERIFY(card->isChecked());
    card->click();  // again: stays chosen
    QVERIFY(card->isChecked());
  }
  QVERIFY(!strategies()->card("single")->isChecked());
}

void SeveralDevicesTest::everySettingOfAStrategyIsFound() {
  for (const auto& entry : catalogue::strategies()) {
    recipe().choose("parallel", QString::fromStdString(entry.id));
    for (const auto& spec : entry.params) {
      const QString key = QStringLiteral("parallel.") + QString::fromStdString(spec.key);
      QTRY_VERIFY2(page_->reveal(key), qPrintable(key));
    }
  }
  QVERIFY(page_->reveal("parallel.strategy"));
}

void SeveralDevicesTest::planThatFailsIsTold() {
  answerWith(R"({"error": {"code": "recipe", "what": "5 stages are more than 4 blocks", "where": "parallel.stages", "hint": "take fewer"}})");
  recipe().choose("parallel", "pipeline");
  auto* problem = strategies()->findChild<QLabel*>("planProblem");
  QTRY_COMPARE_WITH_TIMEOUT(problem->text(), QString("5 stages are more than 4 blocks – parallel.stages – take fewer"), kWait_ms);
  QTRY_VERIFY(problem->isVisible());
  QCOMPARE(strategies()->card("data")->aside(), QString());
}

void SeveralDevicesTest::planOfAFaultyRecipeIsNotAsked() {
  recipe().set("train.batch_size", 0);
  auto* problem = strategies()->findChild<QLabel*>("planProblem");
  QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible() && problem->text().startsWith("Known once every value is fine"), kWait_ms);
  recipe().set("train.batch_size", 8);
  QTRY_COMPARE_WITH_TIMEOUT(strategies()->card("single")->aside(), QString("about 3.0 GiB"), kWait_ms);
  QVERIFY(!problem->isVisible());
}

void SeveralDevicesTest::epochsMakeNoNewPlan() {
  QTRY_VERIFY_WITH_TIMEOUT(!strategies()->card("single")->aside().isEmpty() && page_->settled(), kWait_ms);
  recipe().set("train.epochs", 99);
  QVERIFY(page_->settled());
  recipe().set("train.batch_size", 64);
  QVERIFY(!page_->settled());
}

void SeveralDevicesTest::planMayLeaveThingsOut() {
  for (const char* text : {"{}", "[]", "3", R"({"strategies": "none", "blocks": [1, null], "stages": {}, "notes": 4, "devices": null})"}) {
    const PlanFigures plan = readPlan(Json::parse(text));
    QVERIFY(plan.strategy("data") == nullptr);
    QVERIFY(std::isnan(plan.idle_share) && plan.micro_batches == 0);
  }
  const PlanFigures plan = readPlan({{"strategies", {{{"id", "data"}}}}});
  QVERIFY(plan.strategy("data") != nullptr && plan.strategy("data")->possible);
}

void SeveralDevicesTest::openStages() {
  recipe().replaceAll([this] {
    Json given = recipe().given();
    given["parallel"] = {{"devices", {"cpu", "cpu"}}, {"strategy", "pipeline"}};
    return given;
  }());
  QTRY_COMPARE_WITH_TIMEOUT(stages()->bar()->cuts(), QVector<int>({2}), kWait_ms);
}

void SeveralDevicesTest::stagesAreListed() {
  QVERIFY(stages()->isHidden());
  openStages();
  QVERIFY(!stages()->isHidden());
  QCOMPARE(stages()->stageText(0), QString("Stage 1 on CPU | stem to layer1 | 40 % of the work | 157 k parameters | 1.0 GiB"));
  QCOMPARE(stages()->stageText(1), QString("Stage 2 on CPU | layer2 to head | 60 % of the work | 531 k parameters | 1.5 GiB"));
  QCOMPARE(stages()->stageText(2), QString());
  bool told = false;
  for (const auto* label : stages()->findChildren<QLabel*>()) told = told || label->text() == "With 8 parts of a batch a stage waits about 11 % of the time for the others.";
  QVERIFY(told);
  QVERIFY(stages()->resetButton()->isHidden());
}

void SeveralDevicesTest::cutsMoveByKeys() {
  openStages();
  StageBar* bar = stages()->bar();
  QTest::keyClick(bar, Qt::Key_Right);
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
  QCOMPARE(stages()->stageText(1), QString("Stage 2 on CPU | head | 20 % of the work | 5.1 k parameters | –"));  // not planned yet
  QTest::keyClick(bar, Qt::Key_Right);  // a stage keeps a block
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
  QTest::keyClick(bar, Qt::Key_Home);
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"layer1"}));
  QTest::keyClick(bar, Qt::Key_Left);
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"layer1"}));
  QTest::keyClick(bar, Qt::Key_End);
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
  QVERIFY(!stages()->resetButton()->isHidden());
  stages()->resetButton()->click();
  QVERIFY(!recipe().isGiven("parallel.cuts"));
  QCOMPARE(bar->cuts(), QVector<int>({2}));
  bar->setCuts({1, 3});
  QTest::keyClick(bar, Qt::Key_Down);
  QCOMPARE(bar->selected(), 1);
  QTest::keyClick(bar, Qt::Key_Left);
  QCOMPARE(recipe().value("parallel.cuts").dump(), std::string(R"(["layer1","layer2"])"));
}

void SeveralDevicesTest::cutsMoveByMouse() {
  openStages();
  StageBar* bar = stages()->bar();
  const int y = bar->height() - 20;
  const double from = bar->cutX(0);
  bar->setCuts({3});
  const double right = bar->cutX(0);
  bar->setCuts({2});
  QTest::mousePress(bar, Qt::LeftButton, {}, QPoint(int(from), y));
  QTest::mouseMove(bar, QPoint(int(right) - 3, y));
  QCOMPARE(bar->cuts(), QVector<int>({3}));
  QVERIFY(stages()->stageText(0).contains("80 % of the work"));  // told while it is dragged
  QVERIFY(!recipe().isGiven("parallel.cuts"));
  QTest::mouseRelease(bar, Qt::LeftButton, {}, QPoint(int(right) - 3, y));
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
  // Beside a cut nothing is grasped.
  QTest::mousePress(bar, Qt::LeftButton, {}, QPoint(int(from) - 40, y));
  QTest::mouseMove(bar, QPoint(int(from) - 90, y));
  QTest::mouseRelease(bar, Qt::LeftButton, {}, QPoint(int(from) - 90, y));
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
}

void SeveralDevicesTest::cutsOfTheRecipe() {
  openStages();
  recipe().set("parallel.cuts", Json::array({"layer1"}));
  QCOMPARE(stages()->bar()->cuts(), QVector<int>({1}));  // before any plan says so
  recipe().set("parallel.cuts", Json::array({"nothing"}));
  QCOMPARE(stages()->bar()->cuts(), QVector<int>({2}));
  stages()->bar()->setCuts({3, 1});  // must ascend
  QCOMPARE(stages()->bar()->cuts(), QVector<int>({2}));
}

void SeveralDevicesTest::commandsForMachines() {
  auto* card = page_->findChild<MachinesCard*>();
  QVERIFY(!card->unfolded());
  card->foldButton()->click();
  QVERIFY(card->unfolded());
  card->setMachines(3);
  card->setMeeting("10.0.0.5", 29501);
  const QStringList lines = card->commands();
  QCOMPARE(lines.size(), 3);
  QVERIFY2(lines[2].startsWith("trainyard train ") && lines[2].endsWith(".toml --nnodes 3 --node-rank 2 --rendezvous 10.0.0.5:29501"), qPrintable(lines[2]));
  QVERIFY(lines[0].contains(recipe().file()));
  card->copyButton(1)->click();
  QCOMPARE(QApplication::clipboard()->text(), lines[1]);
  card->setMeeting("", 29501);
  QVERIFY(card->commands().first().endsWith("HOST:29501"));
  bool told = false, refused = false;
  for (const auto* label : card->findChildren<QLabel*>()) {
    told = told || (label->isVisible() && label->text().contains("private network"));
    refused = refused || (label->isVisible() && label->text().startsWith("With one device there is no work to share"));
  }
  QVERIFY(told && refused);
}

void SeveralDevicesTest::ranksAreAveraged() {
  RunSeries series;
  QVERIFY(series.rankTimes().empty());
  series.add(made("ranks", 1, {{"ranks", Json::array({rank(0, "cuda:0", 10, 2, 0, 4), rank(1, "cuda:1", 8, 2, 2, 4)})}}));
  series.add(made("ranks", 2, {{"ranks", Json::array({rank(0, "cuda:0", 20, 4, 0, 0), rank(1, "cuda:1", 8, 2, 2, -4)})}}));
  auto times = series.rankTimes();
  QCOMPARE(times.size(), size_t{2});
  QCOMPARE(times[0].compute, 15.0);
  QCOMPARE(times[0].communication, 3.0);
  QCOMPARE(times[1].idle, 2.0);  // never below nothing
  QCOMPARE(times[1].device, std::string("cuda:1"));
  for (int i = 3; i < 13; ++i) series.add(made("ranks", i, {{"ranks", Json::array({rank(0, "cuda:0", 1, 0, 0, 0), rank(1, "cuda:1", 1, 0, 0, 0)})}}));
  QCOMPARE(series.rankTimes()[0].compute, 1.0);  // the newest ten
  series.add(made("ranks", 13, {{"ranks", Json::array({rank(0, "cpu", 3, 0, 0, 0)})}}));
  QCOMPARE(series.rankTimes().size(), size_t{1});
  series.add(made("resumed", 10, Json::object()));
  QVERIFY(series.rankTimes().empty());
  series.add(made("ranks", 11, {{"ranks", "none"}}));
  QVERIFY(series.rankTimes().empty());
  QCOMPARE(eventText(made("ranks", 1, {{"ranks", Json::array()}})), QString());  // no line of the log
}

void SeveralDevicesTest::timeBars() {
  TimeCard card;
  card.retranslate();
  card.show({{0, "cpu", 6, 2, 1, 1}, {1, "cpu", 5, 0, 0, 5}});
  TimeBars* bars = card.bars();
  QVERIFY(!card.isHidden());
  QCOMPARE(bars->rowName(0), QString("CPU, rank 0"));
  QCOMPARE(bars->shares(0), QVector<double>({0.6, 0.2, 0.1, 0.1}));
  QCOMPARE(bars->tip(1), QString("CPU, rank 1: 10.0 ms an update\nComputing: 50 % (5.00 ms)\nCommunication: 0 % (0.00 ms)\nWaiting for data: 0 % (0.00 ms)\nIdle: 50 % (5.00 ms)"));
  // The colours of the parts, as they are seen.
  card.resize(400, 200);
  bars->resize(360, bars->sizeHint().height());
  const QImage seen = bars->grab().toImage();
  const int y = QFontMetrics(bars->font()).height() / 2 + 4, left = int(360 * 0.32) + 10, room = 360 - left;
  QCOMPARE(seen.pixelColor(left + room * 3 / 10, y), bars->partColor(0));
  QCOMPARE(seen.pixelColor(left + room * 7 / 10, y), bars->partColor(1));
  QCOMPARE(seen.pixelColor(left + room * 97 / 100, y), bars->partColor(3));
  card.show({{0, "cuda:0", 0, 0, 0, 0}, {1, "cuda:1", 1, 0, 0, 0}});
  QCOMPARE(bars->rowName(1), QString("GPU 1"));
  QCOMPARE(bars->shares(0), QVector<double>({0, 0, 0, 0}));
  card.show({});
  QVERIFY(card.isHidden());
}

void SeveralDevicesTest::runPageShowsRanksAndDevices() {
  const QString dir = bench_->path("runs/20260101-120000-two");
  test::writeFinishedRun(dir, "two", 40);
  {
    auto writer = runs::EventWriter::open(runs::Layout{dir.toStdString()}.events());
    QVERIFY(writer);
    for (int step = 1; step <= 40; ++step) {
      for (const char* device : {"cuda:0", "cuda:1"}) {
        QVERIFY((*writer)->append(made("device", step, {{"device", device}, {"memory_used_bytes", 1e9 + step}, {"memory_total_bytes", 8e9}, {"utilization", 0.9}})));
      }
      QVERIFY((*writer)->append(made("ranks", step, {{"ranks", Json::array({rank(0, "cuda:0", 8, 1, 1, 0), rank(1, "cuda:1", 6, 1, 1, 2)})}})));
    }
  }
  RunsModel runs;
  bench_->context().runs = &runs;
  RunPage page(bench_->context());
  page.resize(1192, 752);
  page.show();
  page.open(dir);
  auto* card = page.findChild<TimeCard*>();
  QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), kWait_ms);
  QCOMPARE(card->bars()->rowName(1), QString("GPU 1"));
  QCOMPARE(card->bars()->shares(1), QVector<double>({0.6, 0.1, 0.1, 0.2}));
  for (const auto tab : {CurvesView::MemoryTab, CurvesView::UseTab}) {
    page.curves()->showDetail(tab);
    LineChart* chart = page.curves()->detailChart(tab);
    QTRY_COMPARE_WITH_TIMEOUT(chart->seriesNames(), QStringList({"GPU 0", "GPU 1"}), kWait_ms);
    QVERIFY(chart->seriesColor("GPU 0") != chart->seriesColor("GPU 1"));
    auto legends = page.curves()->findChildren<ChartLegend*>();
    QTRY_VERIFY(std::any_of(legends.begin(), legends.end(), [&](ChartLegend* legend) { return legend->isVisible() && legend->y() > 0 && legend->parentWidget()->isAncestorOf(chart); }));
  }
}

void SeveralDevicesTest::batchIsShared() {
  const auto told = [this](const QString& text) {
    for (const auto* label : page_->findChildren<QLabel*>()) {
      if (label->text().contains(text)) return true;
    }
    return false;
  };
  QVERIFY(!told("devices ×"));
  devices()->box("cpu")->click();
  recipe().set("parallel.devices", Json::array({"cpu", "cpu"}));
  recipe().choose("parallel", "data");
  QVERIFY(told("32 = 2 devices × 16"));
  recipe().set("train.batch_size", 33);
  QVERIFY(!told("devices ×"));
  recipe().set("train.batch_size", 32);
  recipe().choose("parallel", "pipeline");
  QVERIFY(!told("devices ×"));
}

void SeveralDevicesTest::severalDevicesInTheChip() {
  RunFacts facts;
  facts.recipe = recipe().whole().value();
  QVERIFY2(chipText(facts, {"cpu", "cpu"}).contains(" · 2 × CPU · "), qPrintable(chipText(facts, {"cpu", "cpu"})));
  QVERIFY(chipText(facts, {"cuda:0", "cuda:1", "cuda:3"}).contains(" · 3 × GPU · "));
  QVERIFY(chipText(facts, {"cuda:3"}).contains(" · GPU 3 · "));
  QVERIFY(!ownAddress().startsWith("127."));
}

// Eight devices in the smallest window: the cards scroll, none is squeezed.
void SeveralDevicesTest::manyDevicesInASmallWindow() {
  const QString dir = bench_->path("runs/20260101-120000-eight");
  test::writeFinishedRun(dir, "eight", 40);
  {
    auto writer = runs::EventWriter::open(runs::Layout{dir.toStdString()}.events());
    QVERIFY(writer);
    Json ranks = Json::array();
    for (int i = 0; i < 8; ++i) {
      const std::string device = "cuda:" + std::to_string(i);
      ranks.push_back(rank(i, device.c_str(), 8, 1, 1, 0));
      QVERIFY((*writer)->append(made("device", 40, {{"device", device}, {"memory_used_bytes", 1e9}, {"memory_total_bytes", 8e9}, {"utilization", 0.9}})));
    }
    QVERIFY((*writer)->append(made("ranks", 40, {{"ranks", ranks}})));
  }
  RunsModel runs;
  bench_->context().runs = &runs;
  RunPage page(bench_->context());
  const QSize smallest(872, 552);  // of the window, without rail and bar
  page.resize(smallest);
  page.show();
  page.open(dir);
  auto* card = page.findChild<TimeCard*>();
  QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && page.settled(), kWait_ms);
  QTest::qWait(50);
  QVERIFY2(page.minimumSizeHint().height() <= smallest.height(), qPrintable(QString::number(page.minimumSizeHint().height())));
  QVERIFY2(page.minimumSizeHint().width() <= smallest.width(), qPrintable(QString::number(page.minimumSizeHint().width())));
  QCOMPARE(page.size(), smallest);
  QVERIFY(card->height() >= card->minimumSizeHint().height());
  page.curves()->showDetail(CurvesView::MemoryTab);
  const auto legends = page.curves()->findChildren<ChartLegend*>();
  const auto in_lines = [](ChartLegend* legend) { return legend->isVisible() && legend->height() > 2 * legend->fontMetrics().height(); };
  QTRY_VERIFY(std::any_of(legends.begin(), legends.end(), in_lines));  // of eight names, one line is too short
  for (const auto* label : page.findChild<NumbersCard*>()->findChildren<QLabel*>()) {
    if (!label->isHidden()) QVERIFY2(label->height() >= label->sizeHint().height(), qPrintable(label->text()));
  }
}

void SeveralDevicesTest::failedRankIsNamed() {
  RunSituation now;
  now.seen.state.state = runs::State::Failed;
  now.failure = Error{ErrorCode::Failed, "out of memory", "rank 1 on cuda:1", "take a smaller batch"};
  QVERIFY2(situationText(now, RunSeries()).sentence.startsWith("out of memory (rank 1 on cuda:1)"), qPrintable(situationText(now, RunSeries()).sentence));
  now.failure->where = "/data/flowers/rose.jpg";
  QVERIFY(!situationText(now, RunSeries()).sentence.contains("rose.jpg"));  // behind "Why?"
  QVERIFY(situationText(now, RunSeries()).why.contains("rose.jpg"));
}

void SeveralDevicesTest::liveChangesInWords() {
  const auto text = eventText(made("set", 7, {{"key", "sampling"}, {"from", "shuffle"}, {"to", "balanced"}}));
  QCOMPARE(text, QString("sampling changed from shuffle to balanced at step 7"));
  QCOMPARE(eventText(made("set", 7, {{"key", "lr"}, {"from", 0.1}, {"to", 0.01}})), QString("Learning rate changed from 0.1 to 0.01 at step 7"));
  RunSeries series;
  series.add(made("set", 7, {{"key", "sampling"}, {"from", "shuffle"}, {"to", "balanced"}}));
  QCOMPARE(series.marks.back().text, std::string("balanced"));
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  qputenv("TRAINYARD_NVML_LIBRARY", FAKE_NVML_LIBRARY);
  QApplication app(argc, argv);
  SeveralDevicesTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_several_devices.moc"
