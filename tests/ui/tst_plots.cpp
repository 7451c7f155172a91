// Charts: what is drawn of a curve, which range, which labels, which keys.
#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <limits>

#include "core/runs/verdict.h"
#include "ui/plots/decimate.h"
#include "ui/plots/line_chart.h"
#include "ui/plots/ticks.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

QVector<double> counted(int size) {
  QVector<double> values(size);
  for (int i = 0; i < size; ++i) values[i] = i;
  return values;
}

}  // namespace

class TestPlots : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fewPointsStayAsTheyAre();
  void everyColumnKeepsItsExtremes();
  void decimationKeepsOrderAndNeighbours();
  void gapsInDenseColumns();
  void robustRange_data();
  void robustRange();
  void spikesAreFoundOncePerColumn();
  void tickTexts_data();
  void tickTexts();
  void tickSteps_data();
  void tickSteps();
  void nearest();
  void chartCutsSpikesAndMarksThem();
  void chartSmoothsTheWholeCurveBeforeThinning();
  void chartOffersLog();
  void chartKeys();
  void chartFollows();
  void spanHoldsThePlan();
  void hiddenChartDrawsWhenShown();
  void constantCurve();
  void nothingFinite();
};

void TestPlots::fewPointsStayAsTheyAre() {
  const QVector<double> x{0, 1, 2, 3}, y{5, kNan, 7, 8};
  const Points points = decimate(x, y, 0, 3, 100);
  QCOMPARE(points.x, x);
  QCOMPARE(points.y.size(), 4);
  QVERIFY(std::isnan(points.y[1]));
  QCOMPARE(points.y[3], 8.0);
}

void TestPlots::everyColumnKeepsItsExtremes() {
  constexpr int kSize = 10007, kColumns = 200;
  const QVector<double> x = counted(kSize);
  QVector<double> y(kSize);
  for (int i = 0; i < kSize; ++i) y[i] = std::sin(i * 12.9898) * 43.0 + (i == 4321 ? 500 : 0);
  const double from = 0, to = kSize - 1;
  const Points points = decimate(x, y, from, to, kColumns);
  QVERIFY(points.x.size() <= 2 * kColumns + 2);
  const auto column = [&](double at) { return std::min(kColumns - 1, static_cast<int>(at / to * kColumns)); };
  QVector<double> low(kColumns, kInf), high(kColumns, -kInf), drawn_low(kColumns, kInf), drawn_high(kColumns, -kInf);
  for (int i = 0; i < kSize; ++i) {
    low[column(x[i])] = std::min(low[column(x[i])], y[i]);
    high[column(x[i])] = std::max(high[column(x[i])], y[i]);
  }
  for (qsizetype i = 0; i < points.x.size(); ++i) {
    drawn_low[column(points.x[i])] = std::min(drawn_low[column(points.x[i])], points.y[i]);
    drawn_high[column(points.x[i])] = std::max(drawn_high[column(points.x[i])], points.y[i]);
  }
  QCOMPARE(drawn_low, low);
  QCOMPARE(drawn_high, high);
}

void TestPlots::decimationKeepsOrderAndNeighbours() {
  const QVector<double> x = counted(1000);
  const Points points = decimate(x, x, 100, 199, 10);
  QVERIFY(std::is_sorted(points.x.begin(), points.x.end()));
  QCOMPARE(points.x.first(), 99.0);
  QCOMPARE(points.x.last(), 200.0);
  QCOMPARE(points.x.size(), 22);
  QVERIFY(decimate({}, {}, 0, 1, 10).x.isEmpty());
}

void TestPlots::gapsInDenseColumns() {
  const QVector<double> x{0, 1, 2, 3, 4, 5}, y{kNan, 3, kInf, kNan, kNan, kNan};
  const Points points = decimate(x, y, 0, 6, 2);  // columns {0 1 2} and {3 4 5}
  QCOMPARE(points.x.size(), 2);
  QCOMPARE(points.y[0], 3.0);
  QVERIFY(std::isnan(points.y[1]));
}

void TestPlots::robustRange_data() {
  QTest::addColumn<QVector<double>>("values");
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QVector<double> plain = counted(101), spiked = counted(1001);
  QTest::newRow("extremes nearby are kept") << plain << 0.0 << 100.0;
  spiked[500] = 1e6;
  QTest::newRow("one spike is cut") << spiked << 0.0 << 991.0;
  spiked[400] = -1e6;
  QTest::newRow("both sides") << spiked << 9.0 << 991.0;
  QTest::newRow("few points are all kept") << QVector<double>{4, 1, 3} << 1.0 << 4.0;
  QTest::newRow("not finite is passed over") << QVector<double>{kNan, 2, kInf, -kInf, 5} << 2.0 << 5.0;
}

void TestPlots::robustRange() {
  QFETCH(QVector<double>, values);
  QFETCH(double, low);
  QFETCH(double, high);
  const auto range = ui::robustRange(counted(static_cast<int>(values.size())), values, 0, 1e9);
  QVERIFY(range.valid);
  QCOMPARE(range.low, low);
  QCOMPARE(range.high, high);
  QVERIFY(!ui::robustRange({0}, {kNan}, 0, 1).valid);
}

void TestPlots::spikesAreFoundOncePerColumn() {
  QVector<double> y(1000, 1.0);
  y[100] = y[101] = y[102] = 50;
  y[700] = kInf;
  y[900] = -50;
  const auto found = spikes(counted(1000), y, 0, 999, 100, 0, 2);
  QCOMPARE(found.size(), 3);
  QCOMPARE(found[0].x, 100.0);
  QVERIFY(found[0].above);
  QCOMPARE(found[1].x, 700.0);
  QVERIFY(found[1].above);
  QCOMPARE(found[2].x, 900.0);
  QVERIFY(!found[2].above);
}

void TestPlots::tickTexts_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<int>("unit");
  QTest::addColumn<double>("step");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* text, double value, AxisUnit unit, double step) {
    QTest::newRow(text) << value << static_cast<int>(unit) << step << QString::fromUtf8(text);
  };
  row("0", 0, AxisUnit::Updates, 1000);
  row("3k", 3000, AxisUnit::Updates, 1000);
  row("18k", 18000, AxisUnit::Updates, 3000);
  row("1.5k", 1500, AxisUnit::Updates, 500);
  row("2M", 2e6, AxisUnit::Updates, 1e6);
  row("0.05", 0.05, AxisUnit::Number, 0.05);
  row("2e-4", 2e-4, AxisUnit::Number, 2e-4);
  row("1.5", 1.5, AxisUnit::Number, 0.5);
  row("50 %", 0.5, AxisUnit::Percent, 0.5);
  row("92.5 %", 0.925, AxisUnit::Percent, 0.025);
  row("1 h", 3600, AxisUnit::Seconds, 3600);
  row("1:30", 5400, AxisUnit::Seconds, 1800);
  row("10 min", 600, AxisUnit::Seconds, 600);
  row("30 s", 30, AxisUnit::Seconds, 10);
  row("2 d", 2 * 86400, AxisUnit::Seconds, 86400);
  row("2 GiB", 2147483648.0, AxisUnit::Bytes, 1073741824.0);
}

void TestPlots::tickTexts() {
  QFETCH(double, value);
  QFETCH(int, unit);
  QFETCH(double, step);
  QFETCH(QString, text);
  QCOMPARE(tickText(value, static_cast<AxisUnit>(unit), step), text);
}

void TestPlots::tickSteps_data() {
  QTest::addColumn<double>("span");
  QTest::addColumn<int>("unit");
  QTest::addColumn<double>("step");
  QTest::newRow("numbers") << 4.0 << static_cast<int>(AxisUnit::Number) << 1.0;
  QTest::newRow("small") << 0.1 << static_cast<int>(AxisUnit::Number) << 0.02;
  QTest::newRow("whole updates") << 2.0 << static_cast<int>(AxisUnit::Updates) << 1.0;
  QTest::newRow("updates") << 18000.0 << static_cast<int>(AxisUnit::Updates) << 5000.0;
  QTest::newRow("an hour") << 3600.0 << static_cast<int>(AxisUnit::Seconds) << 900.0;
  QTest::newRow("bytes") << 8.0 * 1024 * 1024 * 1024 << static_cast<int>(AxisUnit::Bytes) << 2147483648.0;
  QTest::newRow("no span") << 0.0 << static_cast<int>(AxisUnit::Number) << 1.0;
}

void TestPlots::tickSteps() {
  QFETCH(double, span);
  QFETCH(int, unit);
  QFETCH(double, step);
  QCOMPARE(tickStep(span, 5, static_cast<AxisUnit>(unit)), step);
}

void TestPlots::nearest() {
  const QVector<double> x{0, 10, 20};
  QCOMPARE(nearestIndex(x, -5), 0);
  QCOMPARE(nearestIndex(x, 14), 1);
  QCOMPARE(nearestIndex(x, 16), 2);
  QCOMPARE(nearestIndex(x, 99), 2);
  QCOMPARE(nearestIndex({}, 1), -1);
}

void TestPlots::chartCutsSpikesAndMarksThem() {
  LineChart chart;
  chart.resize(600, 300);
  chart.show();
  QVector<double> y(2000);
  for (int i = 0; i < y.size(); ++i) y[i] = 1 + 0.1 * std::sin(i);
  y[1000] = 300;
  chart.setSeries("loss", counted(2000), y, SeriesKind::Training);
  chart.refresh();
  QVERIFY2(chart.view().y_to < 2, qPrintable(QString::number(chart.view().y_to)));
  QCOMPARE(chart.cutSpikes(), 1);
  y[1000] = 1;
  chart.setSeries("loss", counted(2000), y, SeriesKind::Training);
  chart.refresh();
  QCOMPARE(chart.cutSpikes(), 0);
}

void TestPlots::chartSmoothsTheWholeCurveBeforeThinning() {
  LineChart chart;
  chart.resize(600, 300);
  chart.show();
  chart.setSeries("loss", counted(100000), QVector<double>(100000, 2.0), SeriesKind::Training);
  chart.setHalfLife(500);
  chart.refresh();
  QCOMPARE(chart.smoothing(), 500.0);
  QVERIFY(chart.drawnPoints("loss") > 100);
  QVERIFY(chart.drawnPoints("loss") <= 2 * 600 + 4);
  chart.setSmoothingFactor(2);
  QCOMPARE(chart.smoothing(), 1000.0);
  // The rule itself: half of the weight lies within one half-life.
  const std::vector<double> jump{0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  const auto smooth = runs::smooth(jump, 1);
  QVERIFY(std::fabs(smooth[8] - 0.5) < 0.01);
  QVERIFY(std::fabs(smooth[9] - 0.75) < 0.01);
}

void TestPlots::chartOffersLog() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSeries("loss", {1, 2, 3}, {40, 10, 2.1});
  chart.refresh();
  QVERIFY(!chart.logOffered());
  QTest::keyClick(&chart, Qt::Key_L);
  QVERIFY(!chart.logScale());
  chart.setSeries("loss", {1, 2, 3}, {40, 10, 1.9});
  chart.refresh();
  QVERIFY(chart.logOffered());
  QTest::keyClick(&chart, Qt::Key_L);
  QVERIFY(chart.logScale());
  chart.refresh();
  QVERIFY(chart.view().y_from > 0);
  chart.setSeries("loss", {1, 2, 3}, {40, 10, 0});
  chart.refresh();
  QVERIFY2(!chart.logOffered(), "zero has no logarithm");
}

void TestPlots::chartKeys() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSeries("loss", {0, 10, 20}, {3, 2, 1});
  chart.refresh();
  QSignalSpy axis(&chart, &LineChart::axisCycled), big(&chart, &LineChart::maximizeRequested), smoothing(&chart, &LineChart::smoothingStepped),
      cross(&chart, &LineChart::crosshairMoved);
  QTest::keyClick(&chart, Qt::Key_X);
  QCOMPARE(axis.count(), 1);
  QTest::keyClick(&chart, Qt::Key_2);
  QCOMPARE(big.takeFirst().at(0).toInt(), 2);
  QTest::keyClick(&chart, Qt::Key_BracketLeft);
  QTest::keyClick(&chart, Qt::Key_BracketRight);
  QCOMPARE(smoothing.at(0).at(0).toDouble(), 0.5);
  QCOMPARE(smoothing.at(1).at(0).toDouble(), 2.0);
  QTest::keyClick(&chart, Qt::Key_Left);
  QCOMPARE(chart.crosshair(), 20.0);
  QTest::keyClick(&chart, Qt::Key_Left);
  QCOMPARE(chart.crosshair(), 10.0);
  QTest::keyClick(&chart, Qt::Key_Right);
  QCOMPARE(chart.crosshair(), 20.0);
  QCOMPARE(cross.count(), 3);
  QTest::keyClick(&chart, Qt::Key_End);
  QVERIFY(chart.following());
  QTest::keyClick(&chart, Qt::Key_F);
  QVERIFY(!chart.following());
}

void TestPlots::chartFollows() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSeries("loss", counted(1001), counted(1001));
  chart.setFollowing(true);
  chart.refresh();
  QCOMPARE(chart.view().x_to, 1000.0);
  QCOMPARE(chart.view().x_from, 750.0);
  chart.setSeries("loss", counted(2001), counted(2001));
  chart.refresh();
  QCOMPARE(chart.view().x_to, 2000.0);
}

void TestPlots::spanHoldsThePlan() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSpan(0, 18000);
  chart.setSeries("loss", {10, 20}, {3.9, 3.1});
  chart.refresh();
  QCOMPARE(chart.view().x_from, 0.0);
  QCOMPARE(chart.view().x_to, 18000.0);
  QVERIFY(chart.view().y_from <= 3.1 && chart.view().y_to >= 3.9);
}

void TestPlots::hiddenChartDrawsWhenShown() {
  LineChart chart;
  chart.resize(400, 300);
  chart.setSeries("loss", {0, 1}, {1, 2});
  QCOMPARE(chart.refresh(), 0.0);
  QCOMPARE(chart.drawnPoints("loss"), 0);
  chart.show();
  QTRY_COMPARE(chart.drawnPoints("loss"), 2);
}

void TestPlots::constantCurve() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSeries("lr", {0, 1}, {0.1, 0.1});
  chart.refresh();
  QVERIFY(chart.view().y_from < 0.1 && chart.view().y_to > 0.1);
  chart.setSeries("lr", {5}, {0});
  chart.refresh();
  QVERIFY(chart.view().y_from < chart.view().y_to);
  QVERIFY(chart.view().x_from < chart.view().x_to);
}

void TestPlots::nothingFinite() {
  LineChart chart;
  chart.resize(400, 300);
  chart.show();
  chart.setSeries("loss", {0, 1, 2}, {kNan, kInf, -kInf}, SeriesKind::Training);
  chart.setHalfLife(10);
  chart.setMarks({{1, MarkKind::NonFinite, "not finite"}});
  chart.setLabelsAtEnds(true);
  chart.setCrosshair(1);
  chart.refresh();
  QVERIFY(!chart.grab().isNull());
  QVERIFY(!chart.logOffered());
}

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"
