// The Train page: presets, a field for every key, groups of parameters, the search for a rate.
#include <QComboBox>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "tests/ui/page_bench.h"
#include "tests/ui/sandbox.h"
#include "ui/forms/choice_fields.h"
#include "ui/pages/train/parameter_groups.h"
#include "ui/pages/train/preset_bar.h"
#include "ui/pages/train/rate_card.h"
#include "ui/pages/train/rate_finder.h"
#include "ui/pages/train/train_page.h"
#include "ui/plots/line_chart.h"
#include "ui/plots/ticks.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

Json photos() {
  return {{"run", {{"name", "flowers"}}},
          {"data", {{"format", "image-folder"}, {"path", "/p"}, {"size", 64}}},
          {"augment", Json::array({{{"op", "random_resized_crop"}, {"size", 64}}})},
          {"model", {{"arch", "resnet18"}}},
          {"train", {{"epochs", 7}, {"batch_size", 32}}}};
}

Json digits() {
  return {{"run", {{"name", "digits"}}}, {"data", {{"format", "idx"}, {"path", "/p"}}}, {"model", {{"arch", "smallcnn"}}}, {"train", {{"epochs", 7}}}};
}

Json table() {
  return {{"run", {{"name", "wine"}}}, {"data", {{"format", "table"}, {"path", "/p.csv"}}}, {"model", {{"arch", "mlp"}}}, {"train", {{"epochs", 7}}}};
}


bool hasOp(const Json& given, const std::string& op) {
  const Json steps = given.value("augment", Json::array());
  return std::any_of(steps.begin(), steps.end(), [&](const Json& step) { return step.at("op") == op; });
}

}  // namespace

class TrainPageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void presetsAreKnownAgain_data();
  void presetsAreKnownAgain();
  void bestStartsFromPublishedWeights();
  void bestOfATableHasNoPictures();
  void handMadeIsCustom();
  void nothingOfOnePresetStaysInTheNext();
  void everyKeyHasAField();
  void groupsOfParameters();
  void wrongGroupIsTold();
  void rateIsFound();
  void rateSearchThatFails();
  void rateSearchNeedsASoundRecipe();
  void decadesAreWrittenAsRates();

 private:
  RecipeDocument& recipe() { return bench_->recipe(); }
  std::unique_ptr<tests::PageBench> bench_;
  std::unique_ptr<TrainPage> page_;
};

void TrainPageTest::init() {
  page_.reset();
  bench_.reset();
  bench_ = std::make_unique<tests::PageBench>(photos());
  page_ = bench_->show<TrainPage>();
}

void TrainPageTest::presetsAreKnownAgain_data() {
  QTest::addColumn<int>("recipe");
  QTest::addColumn<int>("preset");
  const char* const names[] = {"photos", "digits", "table"};
  for (int recipe = 0; recipe < 3; ++recipe) {
    for (int preset = 0; preset < 3; ++preset) QTest::addRow("%s %d", names[recipe], preset) << recipe << preset;
  }
}

void TrainPageTest::presetsAreKnownAgain() {
  QFETCH(int, recipe);
  QFETCH(int, preset);
  const Json given = recipe == 0 ? photos() : recipe == 1 ? digits() : table();
  QVERIFY(!presetOf(given));
  const Json next = withPreset(given, Preset(preset), {50});
  const auto checked = recipe::check(next);
  QVERIFY2(checked.problems.empty(), checked.problems.empty() ? "" : toText(checked.problems.front().error).c_str());
  const auto known = presetOf(next, {50});
  QVERIFY(known.has_value());
  QCOMPARE(int(*known), preset);
  QCOMPARE(int(presetOf(next, {80}).value_or(Preset::Quick)), preset);  // other data, the same preset
  COMPARE_JSON(withPreset(next, Preset(preset), {50}), next);
  COMPARE_JSON(valueAt(next, "run.name"), valueAt(given, "run.name"));
  COMPARE_JSON(valueAt(next, "train.batch_size"), valueAt(given, "train.batch_size"));
}

void TrainPageTest::bestStartsFromPublishedWeights() {
  const Json next = withPreset(photos(), Preset::Best, {100});
  COMPARE_JSON(valueAt(next, "model.weights"), "resnet18");
  COMPARE_JSON(valueAt(next, "data.size"), 224);
  COMPARE_JSON(valueAt(next, "augment[0].size"), 224);
  QVERIFY(hasOp(next, "mixup") && hasOp(next, "normalize"));
  COMPARE_JSON(next["augment"].back()["op"], "normalize");
  COMPARE_JSON(valueAt(next, "schedule.type"), "cosine");
  COMPARE_JSON(valueAt(next, "schedule.warmup"), 150);  // a twentieth of 30 epochs of 100 updates
  COMPARE_JSON(valueAt(next, "train.ema_decay"), 0.99);
  COMPARE_JSON(valueAt(withPreset(photos(), Preset::Best, {1000}), "train.ema_decay"), 0.999);
  COMPARE_JSON(valueAt(next, "train.label_smoothing"), 0.1);
  // A list of pictures may be of numbers: only classes can be smoothed.
  Json listed = photos();
  listed["data"]["format"] = "image-csv";
  QVERIFY(valueAt(withPreset(listed, Preset::Best, {100}), "train.label_smoothing").is_null());
  listed["data"]["task"] = "classes";
  COMPARE_JSON(valueAt(withPreset(listed, Preset::Best, {100}), "train.label_smoothing"), 0.1);
  // Tiny pictures: what photos taught is of no use.
  const Json small = withPreset(digits(), Preset::Best, {100});
  QVERIFY(valueAt(small, "model.weights").is_null());
  COMPARE_JSON(valueAt(small, "model.arch"), "smallcnn");
}

void TrainPageTest::bestOfATableHasNoPictures() {
  const Json next = withPreset(table(), Preset::Best, {100});
  QVERIFY(!hasOp(next, "mixup") && !hasOp(next, "normalize"));
  COMPARE_JSON(valueAt(next, "model.arch"), "mlp");
  COMPARE_JSON(valueAt(withPreset(table(), Preset::Quick), "model.arch"), "mlp");
}

void TrainPageTest::handMadeIsCustom() {
  auto* bar = page_->findChild<PresetBar*>();
  QCOMPARE(bar->segments()->current(), -1);
  QTest::mouseClick(bar->segments()->button(1), Qt::LeftButton);
  QCOMPARE(bar->segments()->current(), 1);
  COMPARE_JSON(recipe().value("train.epochs"), 20);
  recipe().set("train.epochs", 21);
  QCOMPARE(bar->segments()->current(), -1);
  recipe().undo();
  QCOMPARE(bar->segments()->current(), 1);
  recipe().undo();  // one step for the whole preset
  COMPARE_JSON(recipe().value("train.epochs"), 7);
}

void TrainPageTest::nothingOfOnePresetStaysInTheNext() {
  auto* bar = page_->findChild<PresetBar*>();
  const Json before = recipe().given();
  bar->segments()->button(2)->click();
  COMPARE_JSON(recipe().value("model.weights"), "resnet18");
  bar->segments()->button(1)->click();
  COMPARE_JSON(recipe().given(), withPreset(before, Preset::Balanced));
  QVERIFY(recipe().value("model.weights").is_null());
  bar->segments()->button(0)->click();
  COMPARE_JSON(recipe().given(), withPreset(before, Preset::Quick));
}

void TrainPageTest::everyKeyHasAField() {
  for (const auto* name : {"train", "checkpoint", "parallel", "run"}) {
    for (const auto& spec : catalogue::findSection(name)->params) {
      const QString key = QString("%1.%2").arg(name, QString::fromStdString(spec.key));
      QVERIFY2(page_->reveal(key), qPrintable(key));
    }
  }
  for (const auto* name : {"optimizer", "schedule", "precision", "loss"}) {
    const auto* section = catalogue::findSection(name);
    for (const auto& entry : section->choices) {
      recipe().choose(name, QString::fromStdString(entry.id));
      QTest::qWait(0);
      for (const auto& spec : entry.params) {
        const QString key = QString("%1.%2").arg(name, QString::fromStdString(spec.key));
        QTRY_VERIFY2(page_->reveal(key), qPrintable(key));
      }
    }
  }
}

void TrainPageTest::groupsOfParameters() {
  auto* groups = page_->findChild<ParameterGroups*>();
  QTableWidget* rows = groups->table();
  QVERIFY(rows->isHidden());
  groups->addButton()->click();
  groups->addButton()->click();
  QCOMPARE(rows->rowCount(), 2);
  rows->item(0, 0)->setText("layer1.*");
  rows->item(0, 1)->setText("0.1");
  rows->item(1, 2)->setText("0");
  rows->item(1, 3)->setCheckState(Qt::Checked);
  const Json wanted = Json::array({{{"match", "layer1.*"}, {"lr_factor", 0.1}}, {{"match", "*.bias"}, {"lr_factor", 1.0}, {"weight_decay", 0}, {"frozen", true}}});
  QVERIFY2(recipe().given()["parameters"] == wanted, recipe().given()["parameters"].dump().c_str());
  const auto whole = recipe().whole();
  QVERIFY(whole);
  QCOMPARE(whole->parameters.size(), size_t{2});
  QCOMPARE(whole->parameters[0].lr_factor, 0.1);
  QVERIFY(whole->parameters[1].frozen && whole->parameters[1].weight_decay == 0.0);
  rows->item(1, 2)->setText("");
  QVERIFY(!recipe().whole()->parameters[1].weight_decay);
  rows->setCurrentCell(0, 0);
  groups->findChild<QPushButton*>("removeGroup")->click();
  QCOMPARE(rows->rowCount(), 1);
  QCOMPARE(rows->item(0, 0)->text(), QString("*.bias"));
  recipe().undo();
  QCOMPARE(rows->rowCount(), 2);
}

void TrainPageTest::wrongGroupIsTold() {
  auto* groups = page_->findChild<ParameterGroups*>();
  groups->addButton()->click();
  groups->table()->item(0, 1)->setText("-1");
  QVERIFY(!recipe().problems().empty());
  QCOMPARE(QString::fromStdString(recipe().problems().front().key), QString("parameters[0].lr_factor"));
  bool told = false;
  for (const auto* label : groups->findChildren<QLabel*>()) told = told || (!label->isHidden() && label->text().startsWith("Line 1: "));
  QVERIFY(told);
  QVERIFY(page_->reveal("parameters[0].lr_factor"));
}

void TrainPageTest::rateIsFound() {
  auto* finder = page_->findChild<RateFinder*>();
  QVERIFY(finder->useButton()->isHidden());
  finder->findButton()->click();
  QCOMPARE(finder->findButton()->text(), QString("Cancel"));
  QTRY_VERIFY_WITH_TIMEOUT(!finder->useButton()->isHidden(), 20000);
  QCOMPARE(finder->suggestion(), 0.0031);
  QCOMPARE(finder->useButton()->text(), QString("Use 0.0031"));
  auto* chart = finder->findChild<LineChart*>();
  QVERIFY(!chart->isHidden());
  QCOMPARE(std::round(chart->view().x_from), -5.0);
  QCOMPARE(std::round(chart->view().x_to), -2.0);  // where it blew up is left out
  finder->useButton()->click();
  COMPARE_JSON(recipe().value("optimizer.lr"), 0.0031);
}

void TrainPageTest::rateSearchThatFails() {
  QFile answer(bench_->path("answer"));
  QVERIFY(answer.open(QIODevice::WriteOnly));
  answer.write(R"({"error": {"code": "data", "what": "The folder is empty.", "where": "data.path", "hint": "Choose another one."}})");
  answer.close();
  qputenv("FAKE_ANSWER", answer.fileName().toUtf8());
  auto* finder = page_->findChild<RateFinder*>();
  finder->findButton()->click();
  QTRY_COMPARE_WITH_TIMEOUT(finder->findButton()->text(), QString("Find a good rate…"), 20000);
  bool told = false;
  for (const auto* label : finder->findChildren<QLabel*>()) told = told || label->text().contains("The folder is empty. – Choose another one.");
  QVERIFY(told);
  QVERIFY(finder->useButton()->isHidden());
}

void TrainPageTest::rateSearchNeedsASoundRecipe() {
  recipe().set("train.batch_size", 0);
  auto* finder = page_->findChild<RateFinder*>();
  finder->findButton()->click();
  QVERIFY(!finder->call()->running());
  bool told = false;
  for (const auto* label : finder->findChildren<QLabel*>()) told = told || label->text().startsWith("The recipe has values to fix first");
  QVERIFY(told);
}

void TrainPageTest::decadesAreWrittenAsRates() {
  QCOMPARE(tickText(-5, AxisUnit::Decades, 1), QString("1e-5"));
  QCOMPARE(tickText(0, AxisUnit::Decades, 1), QString("1"));
  QCOMPARE(tickText(-2, AxisUnit::Decades, 1), QString("0.01"));
  QCOMPARE(ui::valueText(std::log10(0.0031), AxisUnit::Decades), QString("0.0031"));
  QCOMPARE(tickStep(3, 6, AxisUnit::Decades), 1.0);
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  QApplication app(argc, argv);
  TrainPageTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_train_page.moc"
