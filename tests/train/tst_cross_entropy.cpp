#include <ATen/ATen.h>

#include <QTest>

#include "core/train/cross_entropy.h"

using namespace trainyard;

namespace {

constexpr int64_t kIgnored = -100;

struct Pass {
  at::Tensor loss, gradient;
};
Pass ours(const at::Tensor& logits, const at::Tensor& labels) {
  const at::Tensor x = logits.clone().requires_grad_();
  const at::Tensor loss = train::crossEntropySum(x, labels, kIgnored);
  (loss * 0.25).backward();
  return {loss.detach(), x.grad()};
}
Pass atens(const at::Tensor& logits, const at::Tensor& labels) {
  const at::Tensor x = logits.to(at::kDouble).requires_grad_();
  const at::Tensor loss = at::cross_entropy_loss(x, labels, {}, at::Reduction::Sum, kIgnored);
  (loss * 0.25).backward();
  return {loss.detach(), x.grad()};
}

}  // namespace

class TestCrossEntropy : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsATens_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<double>("spread");
    for (const int classes : {10, 255, 256, 257, 1000, 8192, 50257}) {
      for (const double spread : {0.1, 3.0, 60.0}) QTest::addRow("%d classes, %g", classes, spread) << classes << spread;
    }
  }
  void equalsATens() {
    QFETCH(int, classes);
    QFETCH(double, spread);
    at::manual_seed(classes);
    const at::Tensor logits = at::randn({37, classes}) * spread;
    at::Tensor labels = at::randint(classes, {37}, at::kLong);
    labels[3] = kIgnored;
    labels[36] = classes - 1;
    const Pass mine = ours(logits, labels), right = atens(logits, labels);
    const double loss = right.loss.item<double>();
    QVERIFY2(std::abs(mine.loss.item<double>() - loss) <= 1e-6 * std::max(1.0, std::abs(loss)), qPrintable(QString("%1, ATen's %2").arg(mine.loss.item<double>(), 0, 'g', 10).arg(loss, 0, 'g', 10)));
    const double apart = (mine.gradient - right.gradient).abs().max().item<double>();
    QVERIFY2(apart <= 2e-6 * std::max(1.0, spread / 3), qPrintable(QString::number(apart)));
    QVERIFY(mine.gradient[3].eq(0).all().item<bool>());
  }

  void whatIsNotFiniteIsSeen() {
    for (const float broken : {std::nanf(""), HUGE_VALF}) {
      at::Tensor logits = at::zeros({2, 300});
      logits[1][7] = broken;
      QVERIFY(!std::isfinite(ours(logits, at::zeros({2}, at::kLong)).loss.item<double>()));
    }
  }

  void aLabelBeyondTheClassesIsRefused() {
    QVERIFY_THROWS_EXCEPTION(c10::Error, train::crossEntropySum(at::zeros({2, 300}), at::full({2}, 300, at::kLong), kIgnored));
  }
};

QTEST_APPLESS_MAIN(TestCrossEntropy)
#include "tst_cross_entropy.moc"
