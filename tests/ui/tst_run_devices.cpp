// Several devices on a run's page: their curves, what each rank does with its time, how a failed one is named.
#include <QApplication>
#include <QtTest>

#include "core/runs/event_log.h"
#include "core/runs/run_directory.h"
#include "tests/ui/page_bench.h"
#include "ui/models/run_series.h"
#include "ui/models/runs_model.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/event_text.h"
#include "ui/pages/run/run_cards.h"
#include "ui/pages/run/run_facts.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/time_card.h"
#include "ui/pages/run/verdict_text.h"
#include "ui/plots/chart_card.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kWait_ms = 20000;

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

class RunDevicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void ranksAreAveraged();
  void timeBars();
  void runPageShowsRanksAndDevices();
  void severalDevicesInTheChip();
  void manyDevicesInASmallWindow();
  void failedRankIsNamed();
  void liveChangesInWords();

 private:
  std::unique_ptr<tests::PageBench> bench_;
};

void RunDevicesTest::init() {
  bench_.reset();
  bench_ =
      std::make_unique<tests::PageBench>(Json({{"run", {{"name", "flowers"}}}, {"data", {{"path", "/p"}, {"size", 64}}}, {"model", {{"arch", "resnet18"}}}}));
}

void RunDevicesTest::ranksAreAveraged() {
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

void RunDevicesTest::timeBars() {
  TimeCard card;
  card.retranslate();
  card.show({{0, "cpu", 6, 2, 1, 1}, {1, "cpu", 5, 0, 0, 5}});
  TimeBars* bars = card.bars();
  QVERIFY(!card.isHidden());
  QCOMPARE(bars->rowName(0), QString("CPU, rank 0"));
  QCOMPARE(bars->shares(0), QVector<double>({0.6, 0.2, 0.1, 0.1}));
  QCOMPARE(
      bars->tip(1),
      QString(
          "CPU, rank 1: 10.0 ms an update\nComputing: 50 % (5.00 ms)\nCommunication: 0 % (0.00 ms)\nWaiting for data: 0 % (0.00 ms)\nIdle: 50 % (5.00 ms)"));
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

void RunDevicesTest::runPageShowsRanksAndDevices() {
  const QString dir = bench_->path("runs/20260101-120000-two");
  test::writeFinishedRun(dir, "two", 40);
  {
    auto writer = runs::EventWriter::open(runs::Layout{dir.toStdString()}.events());
    QVERIFY(writer);
    for (int step = 1; step <= 40; ++step) {
      for (const char* device : {"cuda:0", "cuda:1"}) {
        QVERIFY((*writer)->append(
            made("device", step, {{"device", device}, {"memory_used_bytes", 1e9 + step}, {"memory_total_bytes", 8e9}, {"utilization", 0.9}})));
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
    QTRY_VERIFY(std::any_of(legends.begin(), legends.end(),
                            [&](ChartLegend* legend) { return legend->isVisible() && legend->y() > 0 && legend->parentWidget()->isAncestorOf(chart); }));
  }
}

void RunDevicesTest::severalDevicesInTheChip() {
  RunFacts facts;
  facts.recipe = bench_->recipe().whole().value();
  QVERIFY2(chipText(facts, {"cpu", "cpu"}).contains(" · 2 × CPU · "), qPrintable(chipText(facts, {"cpu", "cpu"})));
  QVERIFY(chipText(facts, {"cuda:0", "cuda:1", "cuda:3"}).contains(" · 3 × GPU · "));
  QVERIFY(chipText(facts, {"cuda:3"}).contains(" · GPU 3 · "));
}

// Eight devices in the smallest window: the cards scroll, none is squeezed.
void RunDevicesTest::manyDevicesInASmallWindow() {
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

void RunDevicesTest::failedRankIsNamed() {
  RunSituation now;
  now.seen.state.state = runs::State::Failed;
  now.failure = Error{ErrorCode::Failed, "out of memory", "rank 1 (cuda:1): layer3.0", "take a smaller batch"};
  QVERIFY2(situationText(now, RunSeries()).sentence.startsWith("out of memory – rank 1 (cuda:1). "), qPrintable(situationText(now, RunSeries()).sentence));
  now.failure->where = "/data/flowers/rose.jpg";
  QVERIFY(!situationText(now, RunSeries()).sentence.contains("rose.jpg"));  // behind "Why?"
  QVERIFY(situationText(now, RunSeries()).why.contains("rose.jpg"));
}

void RunDevicesTest::liveChangesInWords() {
  const auto text = eventText(made("set", 7, {{"key", "sampling"}, {"from", "shuffle"}, {"to", "balanced"}}));
  QCOMPARE(text, QString("sampling changed from shuffle to balanced at step 7"));
  QCOMPARE(eventText(made("set", 7, {{"key", "lr"}, {"from", 0.1}, {"to", 0.01}})), QString("Learning rate changed from 0.1 to 0.01 at step 7"));
  RunSeries series;
  series.add(made("set", 7, {{"key", "sampling"}, {"from", "shuffle"}, {"to", "balanced"}}));
  QCOMPARE(series.marks.back().text, std::string("balanced"));
}

QTEST_MAIN(RunDevicesTest)
#include "tst_run_devices.moc"
