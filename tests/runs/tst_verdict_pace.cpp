#include <QTest>

#include "tests/runs/verdict_recording.h"

using namespace trainyard;
using namespace trainyard::runs;
using test::Recording;

class TestVerdictPace : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void silent_data();
  void silent();
  void stalled_data();
  void stalled();
  void stalledNotByAnEvaluation();
  void stalledNotByTheEndOfAnEpoch();
  void stalledNotByTheFirstSteps();
  void waitingForData_data();
  void waitingForData();
  void gpuIdle_data();
  void gpuIdle();
  void gpuIdleNeedsAMinute();
  void slowed_data();
  void slowed();
  void slowedNamesTheCause_data();
  void slowedNamesTheCause();
  void uneven_data();
  void uneven();
  void firstRuleWins();
  void holdsForThreeAndSix();
  void holdShowsTheFirstAtOnce();
  void holdLetsTheWorseInEarlier();
  void holdClearsAFlicker();
  void smoothing_data();
  void smoothing();
  void namesAreDistinct();
};

void TestVerdictPace::silent_data() {
  QTest::addColumn<double>("after");
  QTest::addColumn<bool>("live");
  QTest::addColumn<bool>("expected");
  QTest::newRow("30 s") << 30.0 << true << false;
  QTest::newRow("30.5 s") << 30.5 << true << true;
  QTest::newRow("paused or over") << 1e5 << false << false;
}

void TestVerdictPace::silent() {
  QFETCH(double, after);
  QFETCH(bool, live);
  QFETCH(bool, expected);
  Recording run;
  run.steps(30, 1);
  run.add("device", {}, {{"device", "cpu"}});
  VerdictContext context;
  context.live = live;
  const Judgement found = run.judged(context, after, true);
  COMPARE_VERDICT(found, expected ? Verdict::Silent : Verdict::Steady);
  if (expected) QCOMPARE(found.values.at("seconds"), Json(after));
  Recording started;  // counts from the start of the session, too
  COMPARE_VERDICT(started.judged(context, after, true), expected ? Verdict::Silent : Verdict::TooEarly);
}

void TestVerdictPace::stalled_data() {
  QTest::addColumn<double>("usual");
  QTest::addColumn<double>("after");
  QTest::addColumn<bool>("live");
  QTest::addColumn<bool>("expected");
  QTest::newRow("60 s") << 1.0 << 60.0 << true << false;
  QTest::newRow("61 s") << 1.0 << 61.0 << true << true;
  QTest::newRow("20 × 5 s") << 5.0 << 100.0 << true << false;
  QTest::newRow("more than 20 × 5 s") << 5.0 << 101.0 << true << true;
  QTest::newRow("paused or over") << 1.0 << 1e5 << false << false;
}

void TestVerdictPace::stalled() {
  QFETCH(double, usual);
  QFETCH(double, after);
  QFETCH(bool, live);
  QFETCH(bool, expected);
  Recording run;
  run.steps(30, 1, Json::object(), usual);
  VerdictContext context;
  context.live = live;
  const Judgement found = run.judged(context, after);
  COMPARE_VERDICT(found, expected ? Verdict::Stalled : Verdict::Steady);
  if (expected) QCOMPARE(found.values.at("step"), Json(30));
}

void TestVerdictPace::stalledNotByAnEvaluation() {
  Recording run;
  run.steps(30, 1);
  run.now += 40;
  run.eval(1);
  run.steps(5, 1);
  COMPARE_VERDICT(run.judged({}, 100), Verdict::Steady);  // another one may take as long
  COMPARE_VERDICT(run.judged({}, 101), Verdict::Stalled);
  run.now += 90;
  run.add("checkpoint", run.step);
  COMPARE_VERDICT(run.judged({}, 60), Verdict::Steady);
}

void TestVerdictPace::stalledNotByTheEndOfAnEpoch() {
  Recording run(500, 5);  // 100 updates of 1 s each: the evaluation may take 100 s more
  run.steps(99, 1);
  COMPARE_VERDICT(run.judged({}, 160), Verdict::Steady);
  COMPARE_VERDICT(run.judged({}, 161), Verdict::Stalled);
  run.steps(1, 1).eval(1);
  COMPARE_VERDICT(run.judged({}, 61), Verdict::Stalled);
}

void TestVerdictPace::stalledNotByTheFirstSteps() {
  Recording run;
  COMPARE_VERDICT(run.judged({}, 300), Verdict::TooEarly);
  COMPARE_VERDICT(run.judged({}, 301), Verdict::Stalled);
  run.steps(2, 1);
  COMPARE_VERDICT(run.judged({}, 300), Verdict::TooEarly);
  run.now += 5000;
  run.add("resumed", 2);
  COMPARE_VERDICT(run.judged({}, 300), Verdict::TooEarly);
}

void TestVerdictPace::waitingForData_data() {
  QTest::addColumn<double>("wait_ms");
  QTest::addColumn<bool>("headline");
  QTest::addColumn<bool>("note");
  QTest::newRow("14 %") << 14.0 << false << false;
  QTest::newRow("15 %") << 15.0 << false << true;
  QTest::newRow("29 %") << 29.0 << false << true;
  QTest::newRow("30 %") << 30.0 << true << false;
}

void TestVerdictPace::waitingForData() {
  QFETCH(double, wait_ms);
  QFETCH(bool, headline);
  QFETCH(bool, note);
  Recording run;
  run.steps(40, 1, {{"step_ms", 100}, {"data_wait_ms", 90}});  // long ago
  run.steps(24, 1, {{"step_ms", 100}, {"data_wait_ms", 0}}).steps(26, 1, {{"step_ms", 100}, {"data_wait_ms", wait_ms}});
  const Judgement found = run.judged();
  COMPARE_VERDICT(found, headline ? Verdict::WaitingForData : Verdict::Steady);
  QCOMPARE(found.values.contains("waiting_share"), note);
  if (note) QCOMPARE(found.values.at("waiting_share"), Json(wait_ms / 100));
  if (headline) QCOMPARE(found.values.at("share"), Json(0.3));
}

void TestVerdictPace::gpuIdle_data() {
  QTest::addColumn<QByteArray>("device");
  QTest::addColumn<double>("use");
  QTest::addColumn<double>("wait_ms");
  QTest::addColumn<bool>("expected");
  QTest::newRow("59 %") << QByteArray("cuda:0") << 0.59 << 9.0 << true;
  QTest::newRow("60 %") << QByteArray("cuda:0") << 0.60 << 9.0 << false;
  QTest::newRow("waits for data 10 %") << QByteArray("cuda:0") << 0.59 << 10.0 << false;
  QTest::newRow("a processor") << QByteArray("cpu") << 0.1 << 0.0 << false;
}

void TestVerdictPace::gpuIdle() {
  QFETCH(QByteArray, device);
  QFETCH(double, use);
  QFETCH(double, wait_ms);
  QFETCH(bool, expected);
  Recording run;
  run.gpus = {{device.toStdString(), use}};
  run.steps(100, 1, {{"step_ms", 100}, {"data_wait_ms", wait_ms}});
  COMPARE_VERDICT(run.judged(), expected ? Verdict::GpuIdle : Verdict::Steady);
}

void TestVerdictPace::gpuIdleNeedsAMinute() {
  Recording run;
  run.gpus = {{"cuda:0", 0.2}};
  run.steps(60, 1, {{"step_ms", 100}, {"data_wait_ms", 0}});
  COMPARE_VERDICT(run.judged(), Verdict::Steady);
  run.steps(1, 1, {{"step_ms", 100}, {"data_wait_ms", 0}});
  COMPARE_VERDICT(run.judged(), Verdict::GpuIdle);
  VerdictContext ended;
  ended.live = false;
  COMPARE_VERDICT(run.judged(ended), Verdict::Steady);
}

void TestVerdictPace::slowed_data() {
  QTest::addColumn<double>("speed");
  QTest::addColumn<int>("points");
  QTest::addColumn<bool>("expected");
  QTest::newRow("71 % for long") << 71.0 << 100 << false;
  QTest::newRow("69 % for 59 s") << 69.0 << 60 << false;
  QTest::newRow("69 % for 60 s") << 69.0 << 61 << true;
}

void TestVerdictPace::slowed() {
  QFETCH(double, speed);
  QFETCH(int, points);
  QFETCH(bool, expected);
  Recording run;
  run.steps(30, 1, {{"samples_per_s", 100}}).steps(1, 1, {{"samples_per_s", 500}});  // one lucky point is no best
  run.steps(20, 1, {{"samples_per_s", 100}}).steps(points, 1, {{"samples_per_s", speed}});
  const Judgement found = run.judged();
  COMPARE_VERDICT(found, expected ? Verdict::Slowed : Verdict::Steady);
  if (!expected) return;
  QCOMPARE(found.values.at("best"), Json(100.0));
  QCOMPARE(found.values.at("share"), Json(0.69));
  QCOMPARE(found.values.at("step"), Json(52));
  run.add("resumed", run.step);  // perhaps on another device: a new best
  run.steps(70, 1, {{"samples_per_s", speed}});
  COMPARE_VERDICT(run.judged(), Verdict::Steady);
}

void TestVerdictPace::slowedNamesTheCause_data() {
  QTest::addColumn<double>("wait_ms");
  QTest::addColumn<double>("compute_ms");
  QTest::addColumn<double>("comm_ms");
  QTest::addColumn<double>("temperature");
  QTest::addColumn<QByteArray>("cause");
  QTest::newRow("data") << 40.0 << 90.0 << 5.0 << 60.0 << QByteArray("data");
  QTest::newRow("computing") << 10.0 << 180.0 << 5.0 << 60.0 << QByteArray("compute");
  QTest::newRow("heat") << 10.0 << 180.0 << 5.0 << 90.0 << QByteArray("heat");
  QTest::newRow("communication") << 10.0 << 90.0 << 95.0 << 90.0 << QByteArray("communication");
  QTest::newRow("unknown") << 5.0 << 80.0 << 5.0 << 90.0 << QByteArray("unknown");
}

void TestVerdictPace::slowedNamesTheCause() {
  QFETCH(double, wait_ms);
  QFETCH(double, compute_ms);
  QFETCH(double, comm_ms);
  QFETCH(double, temperature);
  QFETCH(QByteArray, cause);
  Recording run;
  run.steps(50, 1, {{"samples_per_s", 100}, {"data_wait_ms", 5}, {"compute_ms", 90}, {"comm_ms", 5}});
  run.steps(70, 1, {{"samples_per_s", 50}, {"data_wait_ms", wait_ms}, {"compute_ms", compute_ms}, {"comm_ms", comm_ms}});
  run.add("device", {}, {{"device", "cuda:0"}, {"temperature_c", temperature}});
  const Judgement found = run.judged();
  COMPARE_VERDICT(found, Verdict::Slowed);
  QCOMPARE(found.values.at("cause"), Json(cause.toStdString()));
}

void TestVerdictPace::uneven_data() {
  QTest::addColumn<double>("second");
  QTest::addColumn<bool>("expected");
  QTest::newRow("14 %") << 0.86 << false;
  QTest::newRow("16 %") << 0.84 << true;
}

void TestVerdictPace::uneven() {
  QFETCH(double, second);
  QFETCH(bool, expected);
  Recording run;
  run.gpus = {{"cuda:0", 1.0}, {"cuda:1", second}, {"cuda:2", 0.95}};
  run.steps(100, 1, {{"step_ms", 100}, {"data_wait_ms", 0}});
  const Judgement found = run.judged();
  COMPARE_VERDICT(found, expected ? Verdict::Uneven : Verdict::Steady);
  if (expected) QCOMPARE(found.values.at("idlest"), Json("cuda:1"));
}

void TestVerdictPace::firstRuleWins() {
  Recording run;
  run.steps(30, 1, {{"step_ms", 100}, {"data_wait_ms", 50}}).steps(5, std::nan(""), {{"step_ms", 100}, {"data_wait_ms", 50}});
  COMPARE_VERDICT(run.judged(), Verdict::Broken);
  COMPARE_VERDICT(run.judged({}, 61), Verdict::Stalled);
  COMPARE_VERDICT(run.judged({}, 61, true), Verdict::Silent);
}

namespace {

Verdict checked(VerdictHold& hold, Verdict verdict, int times = 1) {
  Verdict shown = Verdict::TooEarly;
  for (int i = 0; i < times; ++i) shown = hold.check({verdict, {{"i", i}}}).verdict;
  return shown;
}

}  // namespace

void TestVerdictPace::holdsForThreeAndSix() {
  VerdictHold hold;
  QVERIFY(checked(hold, Verdict::LearningWell) == Verdict::LearningWell);  // nothing to hold among the calm ones
  QVERIFY(checked(hold, Verdict::WaitingForData, 2) == Verdict::LearningWell);
  QVERIFY(checked(hold, Verdict::LearningWell) == Verdict::LearningWell);
  QVERIFY(checked(hold, Verdict::WaitingForData, 2) == Verdict::LearningWell);  // not in a row
  QVERIFY(checked(hold, Verdict::WaitingForData) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::LearningWell, 5) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::WaitingForData) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::LearningWell, 5) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::LearningWell) == Verdict::LearningWell);
  checked(hold, Verdict::LearningWell);
  QCOMPARE(hold.check({Verdict::LearningWell, {{"loss", 0.5}}}).values, (Json{{"loss", 0.5}}));  // the numbers stay fresh
}

void TestVerdictPace::holdShowsTheFirstAtOnce() {
  VerdictHold hold;
  QVERIFY(checked(hold, Verdict::Overfitting) == Verdict::Overfitting);
  QVERIFY(checked(hold, Verdict::Steady, 5) == Verdict::Overfitting);
}

void TestVerdictPace::holdLetsTheWorseInEarlier() {
  VerdictHold hold;
  QVERIFY(checked(hold, Verdict::WaitingForData, 3) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::Broken, 2) == Verdict::WaitingForData);
  QVERIFY(checked(hold, Verdict::Broken) == Verdict::Broken);
  QVERIFY(checked(hold, Verdict::WaitingForData, 5) == Verdict::Broken);
  QVERIFY(checked(hold, Verdict::WaitingForData) == Verdict::WaitingForData);
}

void TestVerdictPace::holdClearsAFlicker() {
  VerdictHold hold;
  QVERIFY(checked(hold, Verdict::Slowed, 3) == Verdict::Slowed);
  for (int i = 0; i < 5; ++i) QVERIFY(checked(hold, i % 2 ? Verdict::Uneven : Verdict::LearningWell) == Verdict::Slowed);
  QVERIFY(checked(hold, Verdict::Uneven) == Verdict::Steady);
}

void TestVerdictPace::smoothing_data() {
  QTest::addColumn<QList<double>>("values");
  QTest::addColumn<double>("half_life");
  QTest::addColumn<QList<double>>("expected");
  const double nan = std::nan(""), inf = HUGE_VAL;
  QTest::newRow("empty") << QList<double>{} << 1.0 << QList<double>{};
  QTest::newRow("constant") << QList<double>{3, 3, 3} << 5.0 << QList<double>{3, 3, 3};
  QTest::newRow("half-life of one point") << QList<double>{0, 3, 7} << 1.0 << QList<double>{0, 2, 34.0 / 7};
  QTest::newRow("half-life of two points") << QList<double>{1, 1, 0} << 2.0 << QList<double>{1, 1, (0.5 + M_SQRT1_2) / (1.5 + M_SQRT1_2)};
  QTest::newRow("none") << QList<double>{1, 5, 2} << 0.0 << QList<double>{1, 5, 2};
  QTest::newRow("not finite") << QList<double>{nan, 2, inf, -inf, 2} << 3.0 << QList<double>{nan, 2, 2, 2, 2};
}

void TestVerdictPace::smoothing() {
  QFETCH(QList<double>, values);
  QFETCH(double, half_life);
  QFETCH(QList<double>, expected);
  const auto smoothed = smooth(std::vector<double>(values.begin(), values.end()), half_life);
  QCOMPARE(smoothed.size(), size_t(expected.size()));
  for (size_t i = 0; i < smoothed.size(); ++i) {
    const double want = expected[qsizetype(i)];
    QVERIFY2(std::isnan(want) ? std::isnan(smoothed[i]) : std::fabs(smoothed[i] - want) < 1e-12, qPrintable(QString::number(smoothed[i], 'g', 17)));
  }
}

void TestVerdictPace::namesAreDistinct() {
  QSet<QByteArray> names;
  for (int i = 0; i <= int(Verdict::Steady); ++i) names.insert(QByteArray(verdictName(Verdict(i)).data()));
  QCOMPARE(names.size(), 14);
  QCOMPARE(verdictName(Verdict::Silent), std::string_view("silent"));
  QCOMPARE(verdictName(Verdict::WaitingForData), std::string_view("waiting_for_data"));
  QCOMPARE(verdictName(Verdict::Steady), std::string_view("steady"));
}

QTEST_APPLESS_MAIN(TestVerdictPace)
#include "tst_verdict_pace.moc"
