#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/augment/mix.h"
#include "core/catalogue/catalogue.h"
#include "tests/ui/sandbox.h"
#include "ui/launch.h"
#include "ui/main_window.h"
#include "ui/pages/input/chain_steps.h"
#include "ui/pages/input/input_page.h"
#include "ui/pages/input/samples_view.h"
#include "ui/pages/input/step_list.h"
#include "ui/pictures/data_doctor.h"
#include "ui/recipe_document.h"
#include "ui/workbench.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

Json op(const char* id, Json params = Json::object()) {
  params["op"] = id;
  return params;
}

QStringList opsOf(const Json& chain) {
  QStringList ops;
  for (const auto& step : chain) ops << QString::fromStdString(step.value("op", std::string()));
  return ops;
}

bool equal(const QImage& image, const cv::Mat& pixels) {
  if (image.width() != pixels.cols || image.height() != pixels.rows) return false;
  const size_t bytes = size_t(pixels.cols) * size_t(pixels.channels());
  for (int y = 0; y < pixels.rows; ++y) {
    if (std::memcmp(image.constScanLine(y), pixels.ptr(y), bytes) != 0) return false;
  }
  return true;
}

}  // namespace

class InputPageTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;
  QString folder_;
  std::unique_ptr<Workbench> bench_;

  MainWindow& window() { return bench_->window(); }
  RecipeDocument& recipe() { return *bench_->context().recipe; }
  DatasetScan& dataset() { return *bench_->context().dataset; }
  InputPage& page() { return *qobject_cast<InputPage*>(window().current()); }
  const ChainPreview::Shown& seen() { return page().preview()->shown(); }

  void setChain(const Json& chain) {
    recipe().set("augment", chain);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(page().settled() && !dataset().busy(), 10000); }

  // What training would get.
  cv::Mat expected(uint64_t epoch, bool training = true) {
    const auto part = recipe().part({"run", "data", "augment", "eval_augment"});
    if (!part) return {};
    const auto& facts = *dataset().facts();
    const auto chain = augment::Chain::make(*part, {facts.channels, facts.height, facts.width}, training);
    const auto source = facts.dataset->source(seen().wanted.sample);
    if (!chain || !source) return {};
    return chain->applyPixels(**source, {part->run.seed, epoch, seen().wanted.sample}).value_or(cv::Mat());
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(box_.valid());
    folder_ = box_.makePictures("flowers", {"daisies", "roses", "tulips"}, 12);
    // Pictures with something in them, so that a mirrored one differs.
    for (int i = 0; i < 12; ++i) {
      QImage picture(48, 36, QImage::Format_RGB32);
      for (int y = 0; y < 36; ++y) {
        for (int x = 0; x < 48; ++x) picture.setPixelColor(x, y, QColor(5 * x, 7 * y, (x * y + 20 * i) % 256));
      }
      QVERIFY(picture.save(QString("%1/daisies/%2.png").arg(folder_).arg(i)));
    }
    box_.write("config/window.ini", "[General]\n");
  }
  void init() {
    Launch launch;
    launch.language = "en";
    launch.theme = "light";
    bench_ = std::make_unique<Workbench>(launch, box_.settingsFile());
    bench_->context().doctor->setScan([](const recipe::Data&, uint64_t, const data::ScanOptions&) -> Result<data::ScanReport> {
      data::ScanReport report;
      report.mean = {0.5, 0.4, 0.3};
      report.std = {0.2, 0.2, 0.2};
      return report;
    });
    bench_->show();
    window().take(folder_);
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Ready);
    window().open("input");
    settle();
  }
  void cleanup() { bench_.reset(); }

  void editsOfTheChain() {
    setChain(Json::array({op("random_crop", {{"size", 32}}), op("random_horizontal_flip"), op("normalize", {{"mean", {0.5}}, {"std", {0.2}}})}));
    const auto steps = stepsOf(recipe().document(), "augment");
    QCOMPARE(steps.size(), size_t(3));
    QVERIFY2(steps[0].summary.startsWith("32"), qPrintable(steps[0].summary));
    QCOMPARE(moveStep(recipe(), "augment[0]", 1), QString("augment[1]"));
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_horizontal_flip", "random_crop", "normalize"}));
    QCOMPARE(moveStep(recipe(), "augment[0]", -1), QString());
    // What is added goes before the normalisation.
    QCOMPARE(addStep(recipe(), "augment", newStep("random_vertical_flip", 32)), QString("augment[2]"));
    switchStep(recipe(), "augment[2]", false);
    COMPARE_JSON(recipe().value("augment[2].enabled"), Json(false));
    switchStep(recipe(), "augment[2]", true);
    QVERIFY(!recipe().given().at("augment")[2].contains("enabled"));
    removeStep(recipe(), "augment[2]");
    QCOMPARE(recipe().value("augment").size(), size_t(3));
    for (int i = 0; i < 5; ++i) recipe().undo();
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_crop", "random_horizontal_flip", "normalize"}));
  }

  void everyEntryCanBeAddedAndIsValid() {
    setChain(Json::array());
    int added = 0;
    for (const auto& group : stepGroups(false)) {
      for (const auto& id : group.ops) {
        setChain(Json::array({newStep(id, 32)}));
        QVERIFY2(recipe().problems().empty(), id.c_str());
        QVERIFY2(page().form() != nullptr, id.c_str());
        ++added;
      }
    }
    QCOMPARE(added, int(catalogue::augmentations().size()));
  }

  void stepsInsideASteps() {
    setChain(Json::array({op("random_apply", {{"transforms", Json::array({op("random_horizontal_flip")})}})}));
    auto* list = page().steps();
    QCOMPARE(list->rows().size(), size_t(2));
    QCOMPARE(list->rows()[1]->step().path, QString("augment[0].transforms[0]"));
    QCOMPARE(list->rows()[1]->step().depth, 1);
    list->select("augment[0].transforms[0]");
    ParamRow* row = page().form()->row("augment[0].transforms[0].p");
    QVERIFY(row != nullptr);
    auto* edit = row->findChild<QLineEdit*>();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, "0.25");
    COMPARE_JSON(recipe().value("augment[0].transforms[0].p"), Json(0.25));
    QTest::keyClicks(edit, "9");
    edit->selectAll();
    QTest::keyClicks(edit, "7");
    settle();
    QVERIFY(!list->rows()[1]->fault().isEmpty());
    edit->selectAll();
    QTest::keyClicks(edit, "1");
    settle();
    QVERIFY(list->rows()[1]->fault().isEmpty());
    QCOMPARE(addStep(recipe(), "augment[0].transforms", newStep("random_vertical_flip", 32)), QString("augment[0].transforms[1]"));
    QCOMPARE(moveStep(recipe(), "augment[0].transforms[1]", 0), QString("augment[0].transforms[0]"));
    QCOMPARE(list->rows()[1]->step().op, std::string("random_vertical_flip"));
  }

  void keysAndMouseOrderTheSteps() {
    setChain(Json::array({op("random_horizontal_flip"), op("random_vertical_flip"), op("center_crop", {{"size", 20}})}));
    auto* list = page().steps();
    list->select("augment[0]");
    list->rows()[0]->setFocus();
    QTest::keyClick(list->rows()[0], Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_vertical_flip", "random_horizontal_flip", "center_crop"}));
    QCOMPARE(list->selected(), QString("augment[1]"));
    QTest::keyClick(list->rows()[1], Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(list->selected(), QString("augment[0]"));
    QTest::keyClick(list->rows()[0], Qt::Key_Down);
    QCOMPARE(list->selected(), QString("augment[1]"));
    QTest::keyClick(list->rows()[1], Qt::Key_Space);
    COMPARE_JSON(recipe().value("augment[1].enabled"), Json(false));
    QTest::mouseClick(list->rows()[1]->box(), Qt::LeftButton);
    COMPARE_JSON(recipe().value("augment[1].enabled"), Json(true));
    // Dragging the first below the last.
    StepRow* row = list->rows()[0];
    const QPoint below = row->mapFrom(list, QPoint(20, list->rows()[2]->geometry().bottom() - 2));
    QTest::mousePress(row, Qt::LeftButton, {}, QPoint(20, 10));
    QMouseEvent move(QEvent::MouseMove, below, row->mapToGlobal(below), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(row, &move);
    QTest::mouseRelease(row, Qt::LeftButton, {}, below);
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_vertical_flip", "center_crop", "random_horizontal_flip"}));
    QCOMPARE(list->selected(), QString("augment[2]"));
    QTest::keyClick(list->rows()[2], Qt::Key_Delete);
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_vertical_flip", "center_crop"}));
    QCOMPARE(list->rows().size(), size_t(2));
  }

  void theMenuAddsWhatIsChosen() {
    setChain(Json::array());
    QMenu* menu = page().steps()->addMenu();
    Q_EMIT menu->aboutToShow();
    auto* action = menu->findChild<QAction*>("augment/random_vertical_flip");
    QVERIFY(action != nullptr);
    action->trigger();
    QCOMPARE(opsOf(recipe().value("augment")), QStringList{"random_vertical_flip"});
    QCOMPARE(page().steps()->selected(), QString("augment[0]"));
  }

  void theFormEditsTheStep() {
    setChain(Json::array({op("random_crop", {{"size", 20}})}));
    page().steps()->select("augment[0]");
    auto* edit = page().form()->row("augment[0].size")->findChild<QLineEdit*>();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, "24");
    COMPARE_JSON(recipe().value("augment[0].size"), Json(24));
    settle();
    // The recipe wants another size: said, with a way out.
    QVERIFY(seen().samples.empty());
    QVERIFY(page().freeSizeButton()->isVisible());
    page().freeSizeButton()->click();
    settle();
    QCOMPARE(seen().samples.size(), size_t(8));
    QVERIFY(!page().freeSizeButton()->isVisible());
    QVERIFY(edit->hasFocus() || !window().isActiveWindow());
    QVERIFY(page().steps()->rows()[0]->step().summary.startsWith("24"));
  }

  void samplesAreWhatTrainingGets() {
    recipe().set("data.size", 0);
    setChain(Json::array({op("random_resized_crop", {{"size", 24}}), op("random_horizontal_flip"), op("normalize", {{"mean", {0.5}}, {"std", {0.2}}})}));
    page().showSample(3);
    QTRY_VERIFY(page().settled() && seen().wanted.sample == 3);
    QCOMPARE(seen().samples.size(), size_t(8));
    for (uint64_t epoch = 0; epoch < 8; ++epoch) QVERIFY2(equal(seen().samples[epoch], expected(epoch)), qPrintable(QString::number(epoch)));
    QVERIFY(seen().samples[0] != seen().samples[1]);
    QCOMPARE(page().samples()->cells().size(), 9);
    page().newSamplesButton()->click();
    QTRY_VERIFY(page().settled() && seen().wanted.epoch == 8);
    for (uint64_t i = 0; i < 8; ++i) QVERIFY(equal(seen().samples[i], expected(8 + i)));
    // Another seed, other samples.
    const QImage before = seen().samples[0];
    recipe().set("run.seed", 4711);
    settle();
    QVERIFY(equal(seen().samples[0], expected(8)));
    QVERIFY(seen().samples[0] != before);
    QCOMPARE(seen().seed, uint64_t(4711));
  }

  void aStepThatIsOffDoesNothing() {
    recipe().set("data.size", 0);
    setChain(Json::array({op("random_vertical_flip", {{"p", 1.0}}), op("center_crop", {{"size", 30}})}));
    const QImage on = seen().samples[0];
    page().steps()->rows()[0]->box()->click();
    settle();
    const QImage off = seen().samples[0];
    QVERIFY(off == on.mirrored(false, true));
    page().steps()->rows()[0]->box()->click();
    settle();
    QVERIFY(seen().samples[0] == on);
  }

  // With the picture before it in its update, and as the loader mixes them.
  void mixedSamplesSayWithWhat() {
    recipe().set("data.size", 0);
    setChain(Json::array({op("center_crop", {{"size", 30}})}));
    const uint64_t sample = dataset().facts()->parts.train[2];
    page().showSample(sample);
    settle();
    const QImage alone = seen().samples[0];
    QVERIFY(seen().mixed.empty());
    setChain(Json::array({op("center_crop", {{"size", 30}}), op("mixup", {{"alpha", 1.0}})}));
    QCOMPARE(seen().mixed.size(), size_t(8));
    const auto part = recipe().part({"run", "data", "augment", "train"});
    QVERIFY(part.has_value());
    const auto& facts = *dataset().facts();
    const auto preview = loader::Preview::make(*part, {facts.channels, facts.height, facts.width}, true);
    const auto mixer = augment::Mixer::make(*part);
    QVERIFY(preview.has_value() && mixer.has_value());
    for (uint64_t epoch = 0; epoch < 8; ++epoch) {
      const auto order = data::epochOrder(facts.parts.train.size(), part->run.seed, epoch);
      const auto at = size_t(std::find(order.begin(), order.end(), uint64_t{2}) - order.begin());
      const size_t batch = part->train.batch_size, first = at / batch * batch, end = std::min(first + batch, order.size());
      const uint64_t partner = facts.parts.train[order[at > first ? at - 1 : end - 1]];
      const double share = double(mixer->draw(part->run.seed, epoch, at / batch, preview->shape()).share);
      QCOMPARE(seen().mixed[epoch].share, share);
      QCOMPARE(seen().mixed[epoch].with, QString::fromStdString(facts.dataset->classes()[size_t(facts.dataset->label(partner))]));
      const auto own = preview->picture(*facts.dataset, sample, epoch), other = preview->picture(*facts.dataset, partner, epoch);
      const QColor seen_color = seen().samples[epoch].pixelColor(7, 11);
      const auto &a = own->at<cv::Vec3b>(11, 7), &b = other->at<cv::Vec3b>(11, 7);
      const int expected_red = int(std::lround(share * a[0] + (1 - share) * b[0]));
      QVERIFY2(std::abs(seen_color.red() - expected_red) <= 1, qPrintable(QString("%1 %2").arg(seen_color.red()).arg(expected_red)));
    }
    QVERIFY(page().samples()->cells()[1].label.contains("%"));
  }

  void aFailingStepIsNamedAndTheRestLives() {
    recipe().set("data.size", 0);
    setChain(Json::array({op("random_vertical_flip", {{"p", 1.0}}), op("random_crop", {{"size", 500}}), op("center_crop", {{"size", 30}})}));
    auto* list = page().steps();
    QVERIFY(list->rows()[0]->fault().isEmpty());
    QVERIFY2(list->rows()[1]->fault().contains("500"), qPrintable(list->rows()[1]->fault()));
    QVERIFY(list->rows()[2]->fault().isEmpty());
    QCOMPARE(seen().samples.size(), size_t(8));
    QCOMPARE(seen().samples[0].size(), QSize(30, 30));
    // A value that no recipe may hold.
    recipe().set("augment[0].p", 7);
    settle();
    QVERIFY(!list->rows()[0]->fault().isEmpty());
    QVERIFY(!list->rows()[1]->fault().isEmpty());
    QCOMPARE(seen().samples.size(), size_t(8));
    setChain(Json::array({op("center_crop", {{"size", 30}})}));
    QVERIFY(list->rows()[0]->fault().isEmpty());
  }

  void evaluationFollowsOrStandsAlone() {
    recipe().set("data.size", 0);
    setChain(Json::array({op("random_resized_crop", {{"size", 28}}), op("random_horizontal_flip"), op("normalize", {{"mean", {0.5}}, {"std", {0.2}}})}));
    page().tabs()->setCurrentIndex(1);
    settle();
    QCOMPARE(seen().samples.size(), size_t(1));
    QVERIFY(equal(seen().samples[0], expected(0, false)));
    QStringList shown;
    for (const StepRow* row : page().steps()->rows()) shown << QString::fromStdString(row->step().op);
    QCOMPARE(shown, (QStringList{"resize", "center_crop", "normalize"}));
    QVERIFY(!page().steps()->rows()[0]->box()->isVisible());
    page().ownChainButton()->click();
    settle();
    QCOMPARE(opsOf(recipe().value("eval_augment")), (QStringList{"resize", "center_crop", "normalize"}));
    QVERIFY(page().steps()->rows()[0]->box()->isVisible());
    QVERIFY(recipe().problems().empty());
    QVERIFY(equal(seen().samples[0], expected(0, false)));
    page().ownChainButton()->click();
    QVERIFY(!recipe().given().contains("eval_augment"));
  }

  void anEmptyChainComesWithSuggestions() {
    setChain(Json::array());
    QVERIFY(page().photosButton()->isVisible());
    QTRY_COMPARE(bench_->context().doctor->state(), DataDoctor::State::Ready);
    page().photosButton()->click();
    QCOMPARE(opsOf(recipe().value("augment")), (QStringList{"random_resized_crop", "random_horizontal_flip", "color_jitter", "normalize"}));
    COMPARE_JSON(recipe().value("augment[0].size"), recipe().value("data.size"));
    COMPARE_JSON(recipe().value("augment[3].mean"), Json({0.5, 0.4, 0.3}));
    QVERIFY(recipe().problems().empty());
    QVERIFY(!page().photosButton()->isVisible());
    QCOMPARE(opsOf(suggestedForSmallPictures(28, false)), QStringList{"random_crop"});
  }

  void aBrokenPictureIsSaid() {
    const QString folder = box_.makePictures("broken", {"a", "b"}, 12);
    QVERIFY(!box_.write("broken/a/0.png", "this is no picture").isEmpty());
    window().take(folder);
    QTRY_VERIFY(dataset().state() == DatasetScan::State::Ready && dataset().facts()->dataset->classes().size() == 2);
    window().open("input");
    settle();
    uint64_t broken = 0;
    while (broken < dataset().facts()->dataset->size() && dataset().facts()->dataset->name(broken) != "a/0.png") ++broken;
    page().showSample(broken);
    settle();
    QVERIFY(!seen().problem.isEmpty());
    QVERIFY(seen().samples.empty());
    page().showSample(broken + 1);
    settle();
    QVERIFY(seen().problem.isEmpty());
    QCOMPARE(seen().samples.size(), size_t(8));
  }

  void aProblemLeadsToItsField() {
    setChain(Json::array({op("random_horizontal_flip"), op("random_vertical_flip", {{"p", 3}})}));
    window().open("home");
    window().start();
    QCOMPARE(window().currentId(), QString("input"));
    QCOMPARE(page().steps()->selected(), QString("augment[1]"));
    QVERIFY(page().form()->row("augment[1].p") != nullptr);
  }
};

QTEST_MAIN(InputPageTest)
#include "tst_input_page.moc"
