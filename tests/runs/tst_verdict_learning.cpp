#include <QTest>
#include <limits>

#include "tests/runs/verdict_recording.h"

using namespace trainyard;
using namespace trainyard::runs;
using test::Recording;

class TestVerdictLearning : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void brokenWhileTheLossIsNotFinite();
  void brokenNamesTheLastGoodCheckpoint();
  void brokenByAnEvaluation();
  void halfPrecisionMaySkip_data();
  void halfPrecisionMaySkip();
  void diverging_data();
  void diverging();
  void divergingLasts();
  void divergingOnlyAfterWarmUp_data();
  void divergingOnlyAfterWarmUp();
  void divergingBeyondTheNoise_data();
  void divergingBeyondTheNoise();
  void notLearning_data();
  void notLearning();
  void overfitting_data();
  void overfitting();
  void overfittingNeedsFallingTraining_data();
  void overfittingNeedsFallingTraining();
  void levelledOff_data();
  void levelledOff();
  void levelledOffCoversAFifthOfThePlan();
  void levelledOffByLoss_data();
  void levelledOffByLoss();
  void otherwise();
};

void TestVerdictLearning::brokenWhileTheLossIsNotFinite() {
  Recording run;
  run.steps(30, 1).steps(1, std::nan(""), {{"lr", 0.5}});
  COMPARE_VERDICT(run.judged(), Verdict::Broken);
  QCOMPARE(run.judged().values.at("step"), Json(31));
  QCOMPARE(run.judged().values.at("lr"), Json(0.5));
  run.steps(4, std::numeric_limits<double>::infinity());
  QCOMPARE(run.judged().values.at("step"), Json(31));
  VerdictContext ended;
  ended.live = false;
  COMPARE_VERDICT(run.judged(ended), Verdict::Broken);
  run.steps(1, 1);
  COMPARE_VERDICT(run.judged(), Verdict::Steady);
}

void TestVerdictLearning::brokenNamesTheLastGoodCheckpoint() {
  Recording run;
  run.steps(10, 1);
  run.add("checkpoint", 10, {{"path", "checkpoints/step-00000010"}});
  run.steps(10, 1);
  run.add("checkpoint", 20, {{"path", "checkpoints/step-00000020"}});
  run.steps(5, std::nan(""));
  run.add("checkpoint", 25, {{"path", "checkpoints/step-00000025"}});
  const Judgement found = run.judged();
  COMPARE_VERDICT(found, Verdict::Broken);
  QCOMPARE(found.values.at("checkpoint_step"), Json(20));
  QCOMPARE(found.values.at("checkpoint"), Json("checkpoints/step-00000020"));
  Recording none;
  none.steps(5, std::nan(""));
  QVERIFY(!none.judged().values.contains("checkpoint"));
}

void TestVerdictLearning::brokenByAnEvaluation() {
  Recording run;
  run.steps(30, 1).eval(1).steps(10, 1).eval(std::nan(""));
  COMPARE_VERDICT(run.judged(), Verdict::Broken);
  QCOMPARE(run.judged().values.at("step"), Json(40));
}

void TestVerdictLearning::halfPrecisionMaySkip_data() {
  QTest::addColumn<int>("lines");
  QTest::addColumn<int>("skipped");
  QTest::addColumn<double>("loss");
  QTest::addColumn<bool>("half");
  QTest::addColumn<bool>("is_broken");
  const double nan = std::nan("");
  QTest::newRow("10 in a row") << 2 << 5 << 1.0 << true << false;
  QTest::newRow("15 in a row") << 3 << 5 << 1.0 << true << true;
  QTest::newRow("15, but not in a row") << 5 << 3 << 1.0 << true << false;
  QTest::newRow("15, not in half precision") << 3 << 5 << 1.0 << false << false;
  QTest::newRow("skipped and not finite") << 2 << 5 << nan << true << false;
  QTest::newRow("not finite and not skipped") << 1 << 0 << nan << true << true;
}

void TestVerdictLearning::halfPrecisionMaySkip() {
  QFETCH(int, lines);
  QFETCH(int, skipped);
  QFETCH(double, loss);
  QFETCH(bool, half);
  QFETCH(bool, is_broken);
  Recording run;
  run.stride = 5;
  run.steps(30, 1, {{"skipped", 0}}).steps(lines, loss, {{"skipped", skipped}});
  VerdictContext context;
  context.half_precision = half;
  COMPARE_VERDICT(run.judged(context), is_broken ? Verdict::Broken : Verdict::Steady);
}

void TestVerdictLearning::diverging_data() {
  QTest::addColumn<double>("first");
  QTest::addColumn<double>("lowest");
  QTest::addColumn<double>("raised");
  QTest::addColumn<bool>("expected");
  QTest::newRow("below half of the lowest") << 1.0 << 1.0 << 1.49 << false;
  QTest::newRow("above half of the lowest") << 1.0 << 1.0 << 1.51 << true;
  QTest::newRow("below a tenth of the first") << 10.0 << 0.1 << 1.09 << false;
  QTest::newRow("above a tenth of the first") << 10.0 << 0.1 << 1.11 << true;
}

void TestVerdictLearning::diverging() {
  QFETCH(double, first);
  QFETCH(double, lowest);
  QFETCH(double, raised);
  QFETCH(bool, expected);
  Recording run(200);
  run.steps(20, first).steps(300, lowest).steps(100, raised);
  const Judgement found = run.judged();
  QCOMPARE(found.verdict == Verdict::Diverging, expected);
  if (!expected) return;
  QVERIFY(std::fabs(found.values.at("loss").get<double>() - raised) < 1e-6);
  QVERIFY(std::fabs(found.values.at("lowest").get<double>() - lowest) < 1e-6);
  QVERIFY(found.values.at("step").get<int64_t>() > 320 && found.values.at("step").get<int64_t>() < 330);
}

void TestVerdictLearning::divergingLasts() {
  // With a half-life of one point, 2 updates after the jump to 1.8 the smoothed loss has passed 1.5; 50 later it counts.
  Recording run(200);
  run.steps(320, 1).steps(2 + 49, 1.8);
  QVERIFY(run.judged().verdict != Verdict::Diverging);
  run.steps(1, 1.8);
  COMPARE_VERDICT(run.judged(), Verdict::Diverging);
  run.steps(5, 1);
  QVERIFY(run.judged().verdict != Verdict::Diverging);
  Recording sparse(2000);  // a line per 25 updates: the same 50 updates are two lines
  sparse.stride = 25;
  sparse.steps(320, 1).steps(2 + 1, 1.8);
  QVERIFY(sparse.judged().verdict != Verdict::Diverging);
  sparse.steps(1, 1.8);
  COMPARE_VERDICT(sparse.judged(), Verdict::Diverging);
}

void TestVerdictLearning::divergingOnlyAfterWarmUp_data() {
  QTest::addColumn<bool>("warming");
  QTest::newRow("the rate rises at first") << true;
  QTest::newRow("the rate is constant") << false;
}

void TestVerdictLearning::divergingOnlyAfterWarmUp() {
  QFETCH(bool, warming);
  Recording run(200);
  for (int i = 1; i <= 40; ++i) run.steps(1, i < 35 ? 0.5 : 2, {{"lr", warming ? i * 0.01 : 0.4}});
  run.steps(100, 2, {{"lr", 0.4}});
  QCOMPARE(run.judged().verdict == Verdict::Diverging, !warming);
}

void TestVerdictLearning::divergingBeyondTheNoise_data() {
  QTest::addColumn<double>("noise");
  QTest::addColumn<bool>("expected");
  // Residuals of ±n about the smoothed loss: σ = 1.48 n; the rise is 2.
  QTest::newRow("4σ = 1.8") << 0.30 << true;
  QTest::newRow("4σ = 2.4") << 0.40 << false;
}

void TestVerdictLearning::divergingBeyondTheNoise() {
  QFETCH(double, noise);
  QFETCH(bool, expected);
  Recording run(200 * 40);  // half-life 40 points: the smoothed loss hardly follows the noise
  for (int i = 0; i < 1000; ++i) run.steps(1, (i < 500 ? 1 : 3) + (i % 2 ? noise : -noise));
  QCOMPARE(run.judged().verdict == Verdict::Diverging, expected);
}

void TestVerdictLearning::notLearning_data() {
  QTest::addColumn<int>("steps");
  QTest::addColumn<int>("per_epoch");
  QTest::addColumn<double>("last");
  QTest::addColumn<double>("accuracy");
  QTest::addColumn<bool>("expected");
  const double none = std::nan("");
  QTest::newRow("499 updates") << 499 << 100 << 1.0 << none << false;
  QTest::newRow("500 updates") << 500 << 100 << 1.0 << none << true;
  QTest::newRow("not a whole epoch") << 599 << 600 << 1.0 << none << false;
  QTest::newRow("a whole epoch") << 600 << 600 << 1.0 << none << true;
  QTest::newRow("fell by 1.5 %") << 500 << 100 << 0.985 << none << true;
  QTest::newRow("fell by 2.5 %") << 500 << 100 << 0.975 << none << false;
  QTest::newRow("as good as the largest class") << 500 << 100 << 1.0 << 0.16 << true;
  QTest::newRow("better than the largest class") << 500 << 100 << 1.0 << 0.161 << false;
}

void TestVerdictLearning::notLearning() {
  QFETCH(int, steps);
  QFETCH(int, per_epoch);
  QFETCH(double, last);
  QFETCH(double, accuracy);
  QFETCH(bool, expected);
  Recording run(per_epoch * 10, 10);
  run.steps(20, 1).steps(steps - 20, last);
  if (!std::isnan(accuracy)) run.eval(1, accuracy);
  VerdictContext context;
  context.largest_class_share = 0.1;  // 100 pictures: two standard errors are 0.06
  const Judgement found = run.judged(context);
  QCOMPARE(found.verdict == Verdict::NotLearning, expected);
  if (expected) QCOMPARE(found.values.at("first_loss"), Json(1.0));
}

void TestVerdictLearning::overfitting_data() {
  QTest::addColumn<QList<double>>("losses");
  QTest::addColumn<bool>("expected");
  QTest::newRow("four evaluations") << QList<double>{1.0, 1.2, 1.2, 1.2} << false;
  QTest::newRow("five evaluations") << QList<double>{1.1, 1.0, 1.2, 1.2, 1.2} << true;
  QTest::newRow("best two ago") << QList<double>{1.3, 1.3, 1.0, 1.2, 1.2} << false;
  QTest::newRow("best three ago") << QList<double>{1.3, 1.0, 1.2, 1.2, 1.2} << true;
  QTest::newRow("4.9 % worse") << QList<double>{1.3, 1.0, 1.049, 1.049, 1.049} << false;
  QTest::newRow("5.1 % worse") << QList<double>{1.3, 1.0, 1.051, 1.051, 1.051} << true;
  QTest::newRow("mean of the last three") << QList<double>{1.3, 1.0, 1.3, 1.001, 1.001, 1.16} << true;
}

void TestVerdictLearning::overfitting() {
  QFETCH(QList<double>, losses);
  QFETCH(bool, expected);
  Recording run(200);
  double training = 1;
  for (const double loss : losses) run.steps(30, training *= 0.8).eval(loss);
  VerdictContext context;
  context.drop_ahead = true;
  const Judgement found = run.judged(context);
  QCOMPARE(found.verdict == Verdict::Overfitting, expected);
  if (!expected) return;
  QCOMPARE(found.values.at("epoch"), Json(1));
  QCOMPARE(found.values.at("step"), Json(60));
  QCOMPARE(found.values.at("best"), Json(1.0));
}

void TestVerdictLearning::overfittingNeedsFallingTraining_data() {
  QTest::addColumn<double>("training");
  QTest::addColumn<bool>("expected");
  QTest::newRow("fell by 0.9 %") << 0.991 << false;
  QTest::newRow("fell by 1.1 %") << 0.989 << true;
}

void TestVerdictLearning::overfittingNeedsFallingTraining() {
  QFETCH(double, training);
  QFETCH(bool, expected);
  Recording run(200);
  run.steps(20, 5).steps(60, 1).eval(1).steps(60, training);
  for (int i = 0; i < 4; ++i) run.eval(1.2);
  VerdictContext context;
  context.drop_ahead = true;
  QCOMPARE(run.judged(context).verdict == Verdict::Overfitting, expected);
}

void TestVerdictLearning::levelledOff_data() {
  QTest::addColumn<QList<double>>("accuracies");
  QTest::addColumn<bool>("drop_ahead");
  QTest::addColumn<bool>("expected");
  // 1,000 pictures, 90 %: one standard error is 0.0095.
  const QList<double> level = {0.5, 0.9, 0.89, 0.895, 0.9, 0.9, 0.9};
  QTest::newRow("level for five") << level << false << true;
  QTest::newRow("the rate will drop") << level << true << false;
  QTest::newRow("level for four") << QList<double>{0.5, 0.8, 0.9, 0.895, 0.9, 0.9, 0.9} << false << false;
  QTest::newRow("gained 0.009") << QList<double>{0.5, 0.9, 0.89, 0.895, 0.9, 0.9, 0.909} << false << true;
  QTest::newRow("gained 0.010") << QList<double>{0.5, 0.9, 0.89, 0.895, 0.9, 0.9, 0.91} << false << false;
  QTest::newRow("everything right") << QList<double>{0.5, 1, 1, 1, 1, 1, 1} << false << true;
  QTest::newRow("one without accuracy") << QList<double>{0.5, 0.9, std::nan(""), 0.895, 0.9, 0.9, 0.9} << false << true;
}

void TestVerdictLearning::levelledOff() {
  QFETCH(QList<double>, accuracies);
  QFETCH(bool, drop_ahead);
  QFETCH(bool, expected);
  Recording run(1000);
  double training = 1;
  for (const double accuracy : accuracies) run.steps(100, training *= 0.9).eval(1, accuracy, 1000);
  VerdictContext context;
  context.drop_ahead = drop_ahead;
  const Judgement found = run.judged(context);
  QCOMPARE(found.verdict == Verdict::LevelledOff, expected);
  if (!expected) return;
  QCOMPARE(found.values.at("metric"), Json("accuracy"));
  QCOMPARE(found.values.at("since_epoch"), Json(1));
  QCOMPARE(found.values.at("evaluations"), Json(5));
}

void TestVerdictLearning::levelledOffCoversAFifthOfThePlan() {
  // 1,000 updates planned, an evaluation every 10: five of them are not yet a fifth, twenty are.
  Recording run(1000);
  run.steps(10, 1).eval(1, 0.5, 1000);
  for (int i = 0; i < 20; ++i) run.steps(10, 1).eval(1, 0.9, 1000);
  QVERIFY(run.judged().verdict != Verdict::LevelledOff);
  run.steps(10, 1).eval(1, 0.9, 1000);
  COMPARE_VERDICT(run.judged(), Verdict::LevelledOff);
}

void TestVerdictLearning::levelledOffByLoss_data() {
  QTest::addColumn<double>("last");
  QTest::addColumn<bool>("expected");
  // The evaluations differ by 0.02 from one to the next: one standard error is 1.48 × 0.02 / √2 = 0.021.
  QTest::newRow("gained 0.02") << 0.98 << true;
  QTest::newRow("gained 0.03") << 0.97 << false;
}

void TestVerdictLearning::levelledOffByLoss() {
  QFETCH(double, last);
  QFETCH(bool, expected);
  Recording run(1000);
  double training = 1;
  for (const double loss : {1.02, 1.0, 1.02, 1.0, 1.02, 1.0, 1.02, 1.0, last}) run.steps(100, training *= 0.9).eval(loss);
  QCOMPARE(run.judged().verdict == Verdict::LevelledOff, expected);
}

void TestVerdictLearning::otherwise() {
  COMPARE_VERDICT(judge({}, {}), Verdict::TooEarly);
  Recording run(200);
  run.steps(19, 1);
  COMPARE_VERDICT(run.judged(), Verdict::TooEarly);
  run.steps(60, 1);
  COMPARE_VERDICT(run.judged(), Verdict::Steady);
  run.steps(20, 0.9);
  COMPARE_VERDICT(run.judged(), Verdict::LearningWell);
  run.steps(100, 0.9);
  COMPARE_VERDICT(run.judged(), Verdict::Steady);
  run.eval(1).eval(0.9);
  COMPARE_VERDICT(run.judged(), Verdict::LearningWell);
}

QTEST_APPLESS_MAIN(TestVerdictLearning)
#include "tst_verdict_learning.moc"
