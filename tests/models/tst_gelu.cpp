#include <ATen/ATen.h>

#include <QTest>

#include "core/models/gelu.h"

using namespace trainyard;

class TestGelu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Against float64; ATen's own is as far off.
  void equalsATens_data() {
    QTest::addColumn<double>("spread");
    QTest::addColumn<int>("count");
    for (const double spread : {0.01, 1.0, 4.0, 30.0}) {
      for (const int count : {1, 7, 16, 1000, 100003}) QTest::addRow("%g, %d values", spread, count) << spread << count;
    }
  }
  void equalsATens() {
    QFETCH(double, spread);
    QFETCH(int, count);
    at::manual_seed(count);
    const at::Tensor x = at::randn({count}) * spread, grad = at::randn({count});
    const at::Tensor mine = x.clone().requires_grad_(), right = x.to(at::kDouble).requires_grad_();
    const at::Tensor out = models::geluTanh(mine), wanted = at::gelu(right, "tanh");
    out.backward(grad);
    wanted.backward(grad.to(at::kDouble));
    const double bound = 4e-7 * std::max(1.0, x.abs().max().item<double>());
    QVERIFY2((out - wanted).abs().max().item<double>() <= bound, qPrintable(QString::number((out - wanted).abs().max().item<double>())));
    const double largest = std::max(1.0, grad.abs().max().item<double>());
    const double apart = (mine.grad() - right.grad()).abs().max().item<double>();
    QVERIFY2(apart <= 1e-5 * largest, qPrintable(QString::number(apart)));
  }

  void extremes() {
    const at::Tensor x = at::tensor({-1e4f, -100.0f, -0.0f, 0.0f, 100.0f, 1e30f, INFINITY, NAN});
    const at::Tensor out = models::geluTanh(x), wanted = at::gelu(x, "tanh");
    QVERIFY2(at::allclose(out, wanted, 0, 1e-30, /*equal_nan=*/true), qPrintable(QString::fromStdString(out.toString())));
  }

  void otherKindsAreATens() {
    const at::Tensor x = at::randn({8, 6});
    QVERIFY(at::equal(models::geluTanh(x.to(at::kBFloat16)), at::gelu(x.to(at::kBFloat16), "tanh")));
    QVERIFY(at::equal(models::geluTanh(x.t()), at::gelu(x.t(), "tanh")));
    QVERIFY(at::equal(models::geluTanh(x.to(at::kDouble)), at::gelu(x.to(at::kDouble), "tanh")));
  }
};

QTEST_APPLESS_MAIN(TestGelu)
#include "tst_gelu.moc"
