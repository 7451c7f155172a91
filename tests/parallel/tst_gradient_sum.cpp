// The gradients of several replicas, summed; as bf16 too.
#include <QTest>

#include "core/parallel/gradient_sum.h"
#include "tests/parallel/sharded_bench.h"

using namespace trainyard;
using namespace trainyard::sharded;

namespace {

// Rounding to bf16 moves a number by 2^-8 of it at most; each rank's gradient is rounded, and so is the sum.
constexpr double kUnit = 1.0 / 256, kBound = kUnit * (2 + kUnit);

at::Tensor gradientOf(int rank, const at::Tensor& parameter) {
  at::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(100 * rank + parameter.dim()));
  return at::randn(parameter.sizes(), generator, at::TensorOptions(at::kFloat)).exp() - 1;
}

// The sums on each rank of gradients that gradientOf() gives.
std::vector<std::vector<at::Tensor>> summed(int ranks, parallel::SumOptions options) {
  return onRanks(ranks, {20}, [&](comm::Communicator& comm) {
    std::vector<at::Tensor> parameters{at::zeros({300, 7}).requires_grad_(true), at::zeros({13}).requires_grad_(true)}, sums;
    parallel::GradientSum sum(parameters, comm, options);
    for (int step = 0; step < 2; ++step) {  // the buckets are made anew after the first
      sum.begin();
      sum.beforeForward(true);
      const at::Tensor loss = (parameters[0] * gradientOf(comm.rank(), parameters[0])).sum() + (parameters[1] * gradientOf(comm.rank(), parameters[1])).sum();
      sum.beforeBackward(true);
      loss.backward();
      sum.finish();
    }
    for (const auto& parameter : parameters) sums.push_back(parameter.grad().clone());
    return sums;
  });
}

// What the ranks' weights are after `steps` updates.
std::vector<std::vector<at::Tensor>> weightsAfter(int steps, int ranks, bool bf16, bool twice) {
  const Samples all = samples("mlp", kBatch * steps);
  return onRanks(ranks, {20}, [&](comm::Communicator& comm) {
    train::StepOptions options;
    options.compress_bf16 = bf16;
    options.keep = twice ? parallel::Keep::InputOnly : parallel::Keep::Graph;
    const auto model = network("mlp");
    const auto step = train::makeReplicaStep(*model, optimizer("sgd"), options, &comm);
    if (!step) qFatal("%s", toText(step.error()).c_str());
    for (int i = 0; i < steps; ++i) {
      auto batches = cut(all, i * kBatch, kBatch, comm.rank(), ranks, 1);
      models::RunContext context = training();
      if (const auto report = (*step)->run(batches, {0.1, 0.9}, context, false); !report) qFatal("%s", toText(report.error()).c_str());
    }
    std::vector<at::Tensor> weights;
    for (const auto& named : model->parameters()) weights.push_back(named.tensor.detach().clone());
    return weights;
  });
}

// What one update moves the weights by where only this rank's share of the batch counts.
std::vector<at::Tensor> movedBy(int rank, int ranks) {
  const auto model = network("mlp");
  const auto step = train::makeSingleStep(*model, optimizer("sgd"), {});
  std::vector<at::Tensor> before, moved;
  for (const auto& named : model->parameters()) before.push_back(named.tensor.detach().clone());
  const Samples all = samples("mlp", kBatch);
  auto batches = cut(all, 0, kBatch, rank, ranks, 1);
  models::RunContext context = training();
  if (const auto report = (*step)->run(batches, {0.1, 0.9}, context, false); !report) qFatal("%s", toText(report.error()).c_str());
  for (size_t i = 0; i < before.size(); ++i) moved.push_back((model->parameters()[i].tensor.detach() - before[i]).abs());
  return moved;
}

}  // namespace

class TestGradientSum : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void sumsAreTheRanks_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("overlap");
    for (const int ranks : {2, 3}) {
      for (const bool overlap : {true, false}) QTest::addRow("%d ranks, %s", ranks, overlap ? "during backward" : "after it") << ranks << overlap;
    }
  }
  void sumsAreTheRanks() {
    QFETCH(int, ranks);
    QFETCH(bool, overlap);
    const auto plain = summed(ranks, {overlap, false}), rounded = summed(ranks, {overlap, true});
    bool differs = false;
    for (size_t p = 0; p < plain[0].size(); ++p) {
      at::Tensor exact = at::zeros(plain[0][p].sizes(), at::kDouble), magnitude = exact.clone();
      for (int rank = 0; rank < ranks; ++rank) {
        const at::Tensor own = gradientOf(rank, plain[0][p]).to(at::kDouble);
        exact += own;
        magnitude += own.abs();
      }
      for (size_t rank = 0; rank < plain.size(); ++rank) {
        QVERIFY(at::equal(plain[rank][p], plain[0][p]) && at::equal(rounded[rank][p], rounded[0][p]));
        QVERIFY(at::all((plain[rank][p].to(at::kDouble) - exact).abs() <= 1e-6 * magnitude).item<bool>());
      }
      const at::Tensor apart = (rounded[0][p].to(at::kDouble) - exact).abs();
      QVERIFY2(at::all(apart <= kBound * magnitude).item<bool>(), std::to_string((apart / magnitude).max().item<double>()).c_str());
      QVERIFY2(at::equal(rounded[0][p].to(at::kBFloat16).to(at::kFloat), rounded[0][p]), "a sum is no bf16");
      differs = differs || !at::equal(rounded[0][p], plain[0][p]);
    }
    QVERIFY2(differs, "the sums are those of fp32");
  }

  void compressedReplicasStayEqual_data() {
    QTest::addColumn<bool>("twice");
    QTest::newRow("during backward") << false;
    QTest::newRow("activations twice, so after it") << true;
  }
  void compressedReplicasStayEqual() {
    QFETCH(bool, twice);
    for (const int ranks : {2, 3}) {
      const auto compressed = weightsAfter(6, ranks, true, twice), plain = weightsAfter(6, ranks, false, twice);
      for (size_t rank = 1; rank < compressed.size(); ++rank) {
        for (size_t i = 0; i < compressed[0].size(); ++i) {
          QVERIFY(at::equal(compressed[rank][i], compressed[0][i]));
          QVERIFY(at::equal(plain[rank][i], plain[0][i]));
        }
      }
    }
    const auto compressed = weightsAfter(1, 2, true, twice), plain = weightsAfter(1, 2, false, twice);
    const auto first = movedBy(0, 2), second = movedBy(1, 2);
    for (size_t i = 0; i < first.size(); ++i) {
      const at::Tensor apart = (compressed[0][i] - plain[0][i]).abs();
      QVERIFY2(apart.max().item<double>() > 0, "nothing was rounded");
      QVERIFY(at::all(apart <= kBound * (first[i] + second[i]) + 1e-8).item<bool>());
    }
  }
};

QTEST_APPLESS_MAIN(TestGradientSum)
#include "tst_gradient_sum.moc"
