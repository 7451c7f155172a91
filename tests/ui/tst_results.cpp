// What a run says about its pictures: samples, confusion matrix, classes; and its curves of averaged weights and loss scale.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "core/recipe/recipe.h"
#include "tests/ui/sandbox.h"
#include "ui/models/run_series.h"
#include "ui/pages/run/class_table.h"
#include "ui/pages/run/confusion_view.h"
#include "ui/pages/run/results_tab.h"
#include "ui/pages/run/sample_list.h"
#include "ui/theme/theme.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

Json sample(int index, const std::string& name, int target, int answer, double probability, double loss) {
  return {{"index", index}, {"name", name}, {"target", target}, {"loss", loss}, {"top", {{{"index", answer}, {"probability", probability}}}}};
}

Json samplesDocument() {
  return {{"step", 120}, {"epoch", 3}, {"split", "validation"}, {"task", "classes"}, {"classes", {"daisies", "roses"}},
          {"confusion", {{8, 2}, {1, 9}}},
          {"samples", {sample(0, "daisies/0.png", 0, 0, 0.6, 0.5), sample(1, "daisies/1.png", 0, 1, 0.9, 2.3), sample(4, "roses/0.png", 1, 0, 0.7, 1.2),
                       sample(5, "roses/1.png", 1, 1, 0.55, 0.6), sample(6, "daisies/2.png", 0, 1, 0.99, 4.6)}}};
}

runs::Event happened(const std::string& type, int64_t step, Json fields) {
  runs::Event one;
  one.type = type;
  one.step = step;
  one.time = 1000 + double(step);
  one.fields = std::move(fields);
  return one;
}

}  // namespace

class ResultsTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;

  QString run(const Json& document) {
    box_.write("runs/r/samples/best.json", QByteArray::fromStdString(document.dump()));
    return box_.path("runs/r");
  }

 private Q_SLOTS:
  void samplesAreRead() {
    const RunSamples read = readSamples(run(samplesDocument()), true);
    QCOMPARE(read.step, 120);
    QCOMPARE(read.samples.size(), size_t{5});
    // Mistakes first, the largest loss first.
    QCOMPARE(read.samples[0].name, QString("daisies/2.png"));
    QCOMPARE(read.samples[2].name, QString("roses/0.png"));
    QVERIFY(read.samples[2].wrong() && !read.samples[3].wrong());
    QCOMPARE(read.samples[3].name, QString("roses/1.png"));
  }

  void whatCannotBeReadIsLeftOut() {
    QVERIFY(!readSamples(box_.path("nowhere"), true).known());
    box_.write("runs/r/samples/best.json", "{\"step\": 3, \"classes");
    QVERIFY(!readSamples(box_.path("runs/r"), true).known());
    Json document = samplesDocument();
    document["confusion"] = {{1, 2, 3}, {4, 5, 6}};
    document["samples"].push_back("nonsense");
    document["samples"].push_back({{"index", -4}});
    const RunSamples read = readSamples(run(document), true);
    QVERIFY(read.confusion.empty());
    QCOMPARE(read.samples.size(), size_t{6});
    QVERIFY(classFigures(read).empty());
    QCOMPARE(accuracyOf(read).all, uint64_t{0});
  }

  void figuresOfClasses() {
    const RunSamples read = readSamples(run(samplesDocument()), true);
    const auto figures = classFigures(read);
    QCOMPARE(figures.size(), size_t{2});
    QCOMPARE(figures[0].samples, uint64_t{10});
    QCOMPARE(figures[0].precision, 8.0 / 9);
    QCOMPARE(figures[0].recall, 0.8);
    QCOMPARE(figures[0].f1, 16.0 / 19);
    QCOMPARE(figures[1].precision, 9.0 / 11);
    const Accuracy accuracy = accuracyOf(read);
    QCOMPARE(accuracy.right, uint64_t{17});
    QCOMPARE(accuracy.all, uint64_t{20});
    QCOMPARE(accuracy.error, std::sqrt(0.85 * 0.15 / 20));
    // Wilson's range of 17 in 20, from its formula.
    QVERIFY(std::fabs(accuracy.low - 0.639581) < 1e-5 && std::fabs(accuracy.high - 0.947631) < 1e-5);
    RunSamples empty = read;
    empty.confusion = {{0, 0}, {3, 0}};
    QVERIFY(std::isnan(classFigures(empty)[0].recall) && classFigures(empty)[0].precision == 0);
  }

  void aCellShowsItsPictures() {
    RunFacts facts;
    facts.recipe = recipe::toRecipe(recipe::check({{"run", {{"name", "f"}}}, {"data", {{"path", box_.makePictures("flowers", {"daisies", "roses"}, 4).toStdString()}}},
                                                    {"model", {{"arch", "mlp"}}}}).document);
    ResultsTab tab;
    tab.setTokens(lightTokens());
    tab.resize(1100, 600);
    tab.setVisible(true);
    tab.retranslate();
    tab.setRun(run(samplesDocument()), facts);
    QVERIFY2(tab.summary().startsWith("17 of 20 right: 85.0 % ± 8.0 % 95 % range 64.0–94.8."), qPrintable(tab.summary()));
    SampleModel* pictures = tab.pictures()->samples();
    const QAbstractItemModelTester tester(pictures, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(pictures->rowCount(), 5);
    const QPoint cell = tab.confusion()->cellRect(0, 1).center();
    QTest::mouseClick(tab.confusion()->viewport(), Qt::LeftButton, Qt::NoModifier, cell);
    QCOMPARE(tab.confusion()->chosenTruth(), 0);
    QCOMPARE(tab.confusion()->chosenAnswer(), 1);
    QCOMPARE(pictures->rowCount(), 2);
    QCOMPARE(pictures->index(0).data(SampleModel::TargetRole).toString(), QString("daisies"));
    QCOMPARE(pictures->index(0).data(SampleModel::AnswerRole).toString(), QString("roses"));
    QCOMPARE(pictures->index(0).data(SampleModel::ProbabilityRole).toDouble(), 0.99);
    // The picture itself, found by its name though its index is another one's.
    pictures->index(0).data(Qt::DecorationRole);
    QTRY_VERIFY_WITH_TIMEOUT(!pictures->index(0).data(Qt::DecorationRole).value<QPixmap>().isNull(), 10000);
    QTest::mouseClick(tab.confusion()->viewport(), Qt::LeftButton, Qt::NoModifier, cell);  // again: all of them
    QCOMPARE(pictures->rowCount(), 5);
    QTest::keyClick(tab.confusion(), Qt::Key_Right);
    QCOMPARE(tab.confusion()->chosenAnswer(), 1);
    QCOMPARE(tab.classes()->model()->rowCount(), 2);
    QCOMPARE(tab.classes()->model()->index(0, 0).data().toString(), QString("daisies"));  // the weakest first
  }

  void manyClassesScroll() {
    ConfusionView view;
    view.setTokens(darkTokens());
    view.resize(300, 300);
    QStringList names;
    std::vector<std::vector<uint64_t>> matrix(100, std::vector<uint64_t>(100, 1));
    for (int i = 0; i < 100; ++i) names << QString("class number %1").arg(i);
    view.setMatrix(matrix, names);
    view.show();
    QVERIFY(!view.grab().isNull());
    view.setMatrix({{1}}, {"one"});
    QVERIFY(!view.grab().isNull());
  }

  void averagedWeightsHaveCurvesOfTheirOwn() {
    RunSeries series;
    series.add(happened("run_started", 0, {{"steps_total", 100}, {"epochs", 10}}));
    series.add(happened("eval", 10, {{"split", "validation"}, {"loss", 1.0}, {"metrics", {{"accuracy", 0.5}}}, {"samples", 10}}));
    series.add(happened("eval", 10, {{"split", "validation_ema"}, {"loss", 0.8}, {"metrics", {{"accuracy", 0.9}}}, {"samples", 10}}));
    QCOMPARE(series.eval_loss.value, QVector<double>{1.0});
    QCOMPARE(series.average_loss.value, QVector<double>{0.8});
    QCOMPARE(series.average_metric.value, QVector<double>{0.9});
    QCOMPARE(series.best, 0.5);
    series.add(happened("resumed", 5, Json::object()));
    QVERIFY(series.average_loss.isEmpty() && series.evals.empty());
  }

  void dataWithoutAccuracyIsJudgedByItsLoss() {
    RunSeries series;
    series.add(happened("eval", 10, {{"split", "validation"}, {"loss", 4.0}, {"metrics", {{"rmse", 2.0}, {"mae", 1.5}}}, {"samples", 10}}));
    series.add(happened("eval", 20, {{"split", "validation"}, {"loss", 1.0}, {"metrics", {{"rmse", 1.0}, {"mae", 0.5}}}, {"samples", 10}}));
    series.add(happened("eval", 30, {{"split", "validation"}, {"loss", 2.0}, {"metrics", {{"rmse", 1.4}, {"mae", 0.4}}}, {"samples", 10}}));
    QCOMPARE(QString::fromStdString(series.metric_name), QString("loss"));
    QCOMPARE(QString::fromStdString(series.shown_metric), QString("mae"));
    QCOMPARE(series.best, 1.0);
    QCOMPARE(series.metric.value, (QVector<double>{1.5, 0.5, 0.4}));
    RunSeries by_error;
    by_error.metric_name = "mae";
    for (const auto& [step, error] : {std::pair{10, 1.5}, {20, 0.4}, {30, 0.9}})
      by_error.add(happened("eval", step, {{"split", "validation"}, {"loss", 1.0}, {"metrics", {{"mae", error}}}, {"samples", 10}}));
    QCOMPARE(by_error.best, 0.4);  // lower is better
    QCOMPARE(by_error.best_step, 20);
  }

  void skippedUpdatesAreMarked() {
    RunSeries series;
    series.add(happened("step", 10, {{"loss", 1.0}, {"loss_scale", 65536.0}, {"skipped", 0}}));
    series.add(happened("step", 20, {{"loss", 1.0}, {"loss_scale", 8192.0}, {"skipped", 3}}));
    QCOMPARE(series.loss_scale.value, (QVector<double>{65536, 8192}));
    QCOMPARE(series.marks.size(), size_t{1});
    QVERIFY(series.marks[0].kind == RunMarkKind::Skipped);
    QCOMPARE(series.marks[0].to, 3.0);
    // A stretch of broken losses is one mark, a later one another.
    for (const auto& [step, loss] : {std::pair{30, std::nan("")}, {40, std::nan("")}, {50, 1.0}, {60, std::nan("")}}) series.add(happened("step", step, {{"loss", jsonNumber(loss)}}));
    QCOMPARE(std::count_if(series.marks.begin(), series.marks.end(), [](const RunMark& mark) { return mark.kind == RunMarkKind::NonFinite; }), 2);
  }
};

QTEST_MAIN(ResultsTest)
#include "tst_results.moc"
