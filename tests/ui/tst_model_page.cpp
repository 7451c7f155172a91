// The Model page: a card for every architecture, starting points, downloads, layers.
#include <QAbstractItemModelTester>
#include <QtTest>

#include "core/catalogue/catalogue.h"
#include "tests/ui/page_bench.h"
#include "tests/ui/sandbox.h"
#include "ui/engine_link/recipe_file.h"
#include "ui/forms/choice_fields.h"
#include "ui/pages/model/layer_table.h"
#include "ui/pages/model/model_page.h"
#include "ui/pages/model/start_card.h"

using namespace trainyard;
using namespace trainyard::ui;

class ModelPageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void everyArchitectureHasACard();
  void startingPoints();
  void weightsAreFetched();
  void namesOfWeightsAreNoFiles();
  void layersAreListed();
  void layersAreFrozen();
  void wrongNetworkIsTold();
  void countsAreShort();

 private:
  RecipeDocument& recipe() { return bench_->recipe(); }
  std::unique_ptr<tests::PageBench> bench_;
  std::unique_ptr<ModelPage> page_;
};

void ModelPageTest::init() {
  page_.reset();
  bench_.reset();
  bench_ = std::make_unique<tests::PageBench>(Json({{"run", {{"name", "flowers"}}}, {"data", {{"path", "/p"}, {"size", 64}}}, {"model", {{"arch", "resnet18"}}}}));
  page_ = bench_->show<ModelPage>();
}

void ModelPageTest::everyArchitectureHasACard() {
  for (const auto& entry : catalogue::architectures()) {
    ChoiceCard* card = page_->card(QString::fromStdString(entry.id));
    QVERIFY2(card != nullptr, entry.id.c_str());
    card->click();
    COMPARE_JSON(recipe().value("model.arch"), entry.id);
    QVERIFY(card->isChecked());
    card->click();  // again: stays chosen
    QVERIFY(card->isChecked());
  }
  page_->card("resnet18")->click();
  QVERIFY(!page_->card("resnet34")->isChecked());
}

void ModelPageTest::startingPoints() {
  Segments* ways = page_->start()->ways();
  QCOMPARE(page_->start()->way(), StartCard::Scratch);
  ways->button(StartCard::Published)->click();
  COMPARE_JSON(recipe().value("model.weights"), "resnet18");
  QCOMPARE(ways->current(), int(StartCard::Published));
  ways->button(StartCard::File)->click();
  QVERIFY(!recipe().isGiven("model.weights"));
  QCOMPARE(ways->current(), int(StartCard::File));
  recipe().set("model.weights", "/home/me/mine.safetensors");
  QCOMPARE(page_->start()->way(), StartCard::File);
  ways->button(StartCard::Scratch)->click();
  QVERIFY(!recipe().isGiven("model.weights"));
  page_->card("smallcnn")->click();
  QVERIFY(!ways->button(StartCard::Published)->isEnabled());
}

void ModelPageTest::weightsAreFetched() {
  page_->shown();
  page_->start()->ways()->button(StartCard::Published)->click();
  auto* fetch = page_->findChild<QPushButton*>("fetchWeights");
  QTRY_VERIFY_WITH_TIMEOUT(!fetch->isHidden(), 20000);
  QVERIFY2(fetch->text().startsWith("Download 44.7"), qPrintable(fetch->text()));
  fetch->click();
  QTRY_VERIFY_WITH_TIMEOUT(fetch->isHidden(), 20000);
}

void ModelPageTest::namesOfWeightsAreNoFiles() {
  QVERIFY(isWeightsName("resnet50") && isWeightsName("resnet50_v2"));
  QVERIFY(!isWeightsName("") && !isWeightsName("mine.pt") && !isWeightsName("folder/mine") && !isWeightsName("~/mine"));
  recipe().set("model.weights", "resnet18");
  QVERIFY(recipe().whole());
  COMPARE_JSON(recipe().whole()->document["model"]["weights"], "resnet18");
  const auto file = writeRecipeFor({{"model", {{"weights", "mine.pt"}}}, {"data", {{"path", "pictures"}}}}, "/base", "test");
  QVERIFY(file);
  const auto text = readFile(file->toStdString());
  QVERIFY(text && text->find("/base/mine.pt") != std::string::npos && text->find("/base/pictures") != std::string::npos);
}

void ModelPageTest::layersAreListed() {
  page_->showLayers(true);
  LayerModel* layers = page_->layers()->layers();
  const QAbstractItemModelTester tester(layers, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QTRY_COMPARE_WITH_TIMEOUT(layers->rowCount(), 2, 20000);
  QCOMPARE(layers->index(0, LayerModel::Kind).data().toString(), QString("linear"));
  QCOMPARE(layers->index(0, LayerModel::Output).data().toString(), QString("128"));
  QCOMPARE(layers->index(0, LayerModel::Parameters).data().toString(), QString("8.3 k"));
  QCOMPARE(layers->index(1, LayerModel::Frozen).data().toString(), QString("frozen"));
  QCOMPARE(layers->index(0, LayerModel::Frozen).data().toString(), QString());
  QVERIFY2(page_->layers()->totals().startsWith("9.6 k parameters"), qPrintable(page_->layers()->totals()));
}

void ModelPageTest::layersAreFrozen() {
  page_->showLayers(true);
  QTRY_COMPARE_WITH_TIMEOUT(page_->layers()->layers()->rowCount(), 2, 20000);
  page_->layers()->freeze(0, true);
  COMPARE_JSON(recipe().value("model.freeze"), Json::array({"1.*"}));
  page_->layers()->freeze(0, true);
  COMPARE_JSON(recipe().value("model.freeze"), Json::array({"1.*"}));
  page_->layers()->freeze(0, false);
  QVERIFY(!recipe().isGiven("model.freeze"));
}

void ModelPageTest::wrongNetworkIsTold() {
  QFile answer(bench_->path("answer"));
  QVERIFY(answer.open(QIODevice::WriteOnly));
  answer.write(R"({"error": {"code": "recipe", "what": "layer c2 gets 8 channels, wants 16", "where": "model.layers[1]", "hint": ""}})");
  answer.close();
  qputenv("FAKE_ANSWER", answer.fileName().toUtf8());
  page_->showLayers(true);
  const auto told = [this] {
    for (const auto* label : page_->layers()->findChildren<QLabel*>()) {
      if (label->text().contains("layer c2 gets 8 channels")) return true;
    }
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(told(), 20000);
  QCOMPARE(page_->layers()->layers()->rowCount(), 0);
}

void ModelPageTest::countsAreShort() {
  QCOMPARE(shortCount(0), QString("0"));
  QCOMPARE(shortCount(999), QString("999"));
  QCOMPARE(shortCount(11689512), QString("11.7 M"));
  QCOMPARE(shortCount(138365992), QString("138 M"));
  QCOMPARE(shortCount(1.814e9), QString("1.8 G"));
}

int main(int argc, char** argv) {
  if (test::isEngineCall(argc, argv)) return test::playEngine(argc, argv);
  QApplication app(argc, argv);
  ModelPageTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_model_page.moc"
