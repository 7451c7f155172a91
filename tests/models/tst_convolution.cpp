#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include <QTest>

#include "core/models/convolution.h"

using namespace trainyard;

namespace {

struct Case {
  int64_t batch, in, edge, out, kernel, stride;
  bool bias, product;
};

// Values and gradients of one convolution.
struct Pass {
  at::Tensor out, of_x, of_weight, of_bias;
  bool product = false;
};

Pass pass(const Case& c, bool ours, at::MemoryFormat format = at::MemoryFormat::ChannelsLast) {
  at::manual_seed(3);
  const auto drawn = [&](at::IntArrayRef sizes, double scale) { return (at::randn(sizes) * scale).contiguous(sizes.size() == 4 ? format : at::MemoryFormat::Contiguous).requires_grad_(); };
  const at::Tensor x = drawn({c.batch, c.in, c.edge, c.edge}, 1), weight = drawn({c.out, c.in, c.kernel, c.kernel}, 1 / std::sqrt(static_cast<double>(c.in * c.kernel * c.kernel)));
  const at::Tensor bias = c.bias ? drawn({c.out}, 1) : at::Tensor();
  Pass done;
  done.out = ours ? models::convolve(x, weight, bias, c.stride, c.kernel / 2, 1) : at::conv2d(x, weight, bias, c.stride, c.kernel / 2);
  for (auto node = done.out.grad_fn(); node; node = node->num_outputs() > 0 ? node->next_edge(0).function : nullptr) done.product = done.product || node->name().find("Product") != std::string::npos;
  const at::Tensor grad = at::randn(done.out.sizes()).to(done.out.scalar_type()).contiguous(format);
  done.out.backward(grad);
  done.of_x = x.grad();
  done.of_weight = weight.grad();
  if (c.bias) done.of_bias = bias.grad();
  if (done.product && done.of_weight.strides() != weight.strides()) qFatal("the gradient has other strides than the weight");
  return done;
}

// Of the largest value.
double apart(const at::Tensor& a, const at::Tensor& b) {
  return ((a.to(at::kDouble) - b.to(at::kDouble)).abs().max() / b.to(at::kDouble).abs().max()).item<double>();
}

struct Bf16 {
  Bf16() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  }
  ~Bf16() {
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
};

}  // namespace

Q_DECLARE_METATYPE(Case)

class TestConvolution : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsATens_data() {
    QTest::addColumn<Case>("c");
    QTest::newRow("many weights, few places") << Case{4, 256, 2, 128, 3, 1, false, true};
    QTest::newRow("with a stride") << Case{4, 64, 4, 96, 3, 2, false, true};
    QTest::newRow("odd edge with a stride") << Case{3, 32, 7, 40, 3, 2, true, true};
    QTest::newRow("5 x 5") << Case{2, 48, 3, 33, 5, 1, true, true};
    QTest::newRow("1 x 1") << Case{4, 128, 2, 64, 1, 1, false, true};
    QTest::newRow("1 x 1 with a stride") << Case{4, 64, 4, 128, 1, 2, true, true};
    QTest::newRow("one picture") << Case{1, 64, 1, 64, 3, 1, false, true};
    QTest::newRow("many pictures of few places") << Case{200, 64, 2, 64, 3, 1, false, true};
    QTest::newRow("many places") << Case{2, 64, 24, 64, 3, 1, true, false};
    QTest::newRow("few channels") << Case{2, 3, 8, 64, 3, 1, false, false};
    QTest::newRow("1 x 1 on one place") << Case{2, 64, 1, 64, 1, 1, true, false};
  }
  void equalsATens() {
    QFETCH(Case, c);
    const Pass ours = pass(c, true), atens = pass(c, false);
    QCOMPARE(ours.product, c.product);
    QVERIFY(ours.out.strides() == atens.out.strides());
    for (const auto& [mine, theirs] : {std::pair{ours.out, atens.out}, {ours.of_x, atens.of_x}, {ours.of_weight, atens.of_weight}, {ours.of_bias, atens.of_bias}}) {
      if (theirs.defined()) QVERIFY2(apart(mine, theirs) < 2e-6, qPrintable(QString::number(apart(mine, theirs))));
    }
  }

  void equalsATensInBf16() {
    const Case c{4, 256, 2, 128, 3, 1, true, true};
    const Pass exact = pass(c, false);
    const Bf16 bf16;
    const Pass ours = pass(c, true), atens = pass(c, false);
    QVERIFY(ours.product);
    QCOMPARE(ours.out.scalar_type(), at::kBFloat16);
    QCOMPARE(ours.of_weight.scalar_type(), at::kFloat);
    for (const auto& [mine, theirs, right] : {std::tuple{ours.out, atens.out, exact.out}, {ours.of_x, atens.of_x, exact.of_x}, {ours.of_weight, atens.of_weight, exact.of_weight}}) {
      QVERIFY2(apart(mine, right) < 1.5 * apart(theirs, right) + 1e-3, qPrintable(QString("%1, ATen's %2").arg(apart(mine, right)).arg(apart(theirs, right))));
    }
  }

  // A network that keeps its pictures contiguous is left to ATen.
  void contiguousIsATens() {
    const Case c{4, 256, 2, 128, 3, 1, false, false};
    const Pass ours = pass(c, true, at::MemoryFormat::Contiguous), atens = pass(c, false, at::MemoryFormat::Contiguous);
    QVERIFY(!ours.product);
    QVERIFY(at::equal(ours.out, atens.out) && at::equal(ours.of_weight, atens.of_weight));
  }

  void aFrozenWeightGetsNoGradient() {
    const at::Tensor x = at::randn({2, 64, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast).requires_grad_();
    const at::Tensor weight = at::randn({64, 64, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast);
    models::convolve(x, weight, {}, 1, 1, 1).sum().backward();
    QVERIFY(x.grad().defined() && !weight.grad().defined());
  }
};

QTEST_APPLESS_MAIN(TestConvolution)
#include "tst_convolution.moc"
