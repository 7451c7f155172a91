// Several devices on the Train page: the list of devices, strategies with their figures, a pipeline's stages, commands for machines.
#include <QApplication>
#include <QClipboard>
#include <QtTest>

#include "core/catalogue/catalogue.h"
#include "tests/ui/page_bench.h"
#include "tests/ui/sandbox.h"
#include "ui/pages/train/device_list.h"
#include "ui/pages/train/machines_card.h"
#include "ui/pages/train/own_address.h"
#include "ui/pages/train/stage_bar.h"
#include "ui/pages/train/stage_editor.h"
#include "ui/pages/train/strategy_cards.h"
#include "ui/pages/train/train_page.h"
#include "ui/widgets/choice_card.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kWait_ms = 20000;

Json photos() {
  return {{"run", {{"name", "flowers"}}}, {"data", {{"path", "/p"}, {"size", 64}}}, {"model", {{"arch", "resnet18"}}}, {"train", {{"batch_size", 32}}}};
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
  void batchIsShared();
  void ownAddressIsForOthers();

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
  QVERIFY(strategies()->notesText().contains("Dropout repeats for this number of devices"));
  QVERIFY(strategies()->notesText().contains("Something else."));
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
  for (const auto* label : stages()->findChildren<QLabel*>())
    told = told || label->text() == "With 8 parts of a batch a stage waits about 11 % of the time for the others.";
  QVERIFY(told);
  QVERIFY(stages()->resetButton()->isHidden());
}

void SeveralDevicesTest::cutsMoveByKeys() {
  openStages();
  StageBar* bar = stages()->bar();
  QTest::keyClick(bar, Qt::Key_Right);
  COMPARE_JSON(recipe().value("parallel.cuts"), Json::array({"head"}));
  QCOMPARE(stages()->stageText(1), QString("Stage 2 on CPU | head | 20 % of the work | 5.1 k parameters | –"));  // not planned yet
  QTest::keyClick(bar, Qt::Key_Right);                                                                           // a stage keeps a block
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

void SeveralDevicesTest::ownAddressIsForOthers() { QVERIFY(!ownAddress().startsWith("127.")); }

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

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  qputenv("TRAINYARD_NVML_LIBRARY", FAKE_NVML_LIBRARY);
  QApplication app(argc, argv);
  SeveralDevicesTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_several_devices.moc"
