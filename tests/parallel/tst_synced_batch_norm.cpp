// Batch norm over the samples of all ranks equals one batch norm on the joint batch.
#include <QTest>
#include <numeric>

#include "core/comm/comm_error.h"
#include "tests/parallel/sharded_bench.h"

using namespace trainyard;
using namespace trainyard::sharded;

namespace {

constexpr int64_t kChannels = 5;

struct Given {
  at::Tensor x_NCHW, upstream_NCHW;  // the gradient of what comes out
};

struct Got {
  at::Tensor values, x, weight, bias;  // the last three: gradients
  at::Tensor mean, variance, batches;  // running
};

Given given(int64_t samples, int64_t edge, bool channels_last) {
  at::Generator generator = at::detail::createCPUGenerator(17);
  const auto draw = [&] { return at::randn({samples, kChannels, edge, edge}, generator, at::TensorOptions(at::kFloat)); };
  Given made{draw() * 3 + 2, draw()};
  if (channels_last) made.x_NCHW = made.x_NCHW.contiguous(at::MemoryFormat::ChannelsLast);
  return made;
}

models::BatchNorm2d norm() {
  models::Store store(1);
  models::BatchNorm2d made = models::batchNorm2d(store, "norm", kChannels);
  const at::NoGradGuard no_grad;
  at::Generator generator = at::detail::createCPUGenerator(3);
  for (at::Tensor tensor : {made.weight, made.bias, made.running_mean, made.running_var}) tensor.uniform_(0.5, 2, generator);
  return made;
}

Got pass(const Given& given, const models::RunContext& context) {
  const models::BatchNorm2d own = norm();
  at::Tensor x = given.x_NCHW.detach().clone().requires_grad_(true);
  const at::Tensor values = own(x, context);
  (values * given.upstream_NCHW).sum().backward();
  return {values.detach(), x.grad(), own.weight.grad(), own.bias.grad(), own.running_mean, own.running_var, own.batches};
}

// Each rank's share; one without samples passes a stand-in, as training does.
std::vector<Got> passOnRanks(const Given& all, const std::vector<int64_t>& shares, models::RunContext context) {
  return onRanks(static_cast<int>(shares.size()), {20}, [&, context](comm::Communicator& comm) {
    const auto rank = static_cast<size_t>(comm.rank());
    int64_t begin = 0;
    for (size_t r = 0; r < rank; ++r) begin += shares[r];
    models::RunContext own = context;
    own.stands_in = shares[rank] == 0;
    own.sum_over_ranks = [&comm](at::Tensor& vector) {
      if (const auto summed = comm.allReduce(vector, comm::ReduceOp::Sum)->wait(); !summed) throw comm::CommError(summed.error());
    };
    Given share{all.x_NCHW.narrow(0, begin, shares[rank]), all.upstream_NCHW.narrow(0, begin, shares[rank])};
    if (own.stands_in) share = {at::zeros_like(all.x_NCHW.narrow(0, 0, 1)), at::zeros_like(all.upstream_NCHW.narrow(0, 0, 1))};
    return pass(share, own);
  });
}

double apart(const at::Tensor& a, const at::Tensor& b) { return a.sizes() == b.sizes() ? (a - b).abs().max().item<double>() : INFINITY; }

}  // namespace

class TestSyncedBatchNorm : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void equalsTheJointBatch_data() {
    QTest::addColumn<QList<int>>("shares");
    QTest::addColumn<int>("edge");
    QTest::addColumn<bool>("channels_last");
    for (const bool channels_last : {false, true}) {
      const char* layout = channels_last ? "channels last" : "contiguous";
      QTest::addRow("equal shares, %s", layout) << QList<int>{4, 4} << 6 << channels_last;
      QTest::addRow("unequal shares, %s", layout) << QList<int>{3, 5} << 6 << channels_last;
      QTest::addRow("three ranks, %s", layout) << QList<int>{5, 1, 3} << 4 << channels_last;
      QTest::addRow("a rank without samples, %s", layout) << QList<int>{4, 0, 3} << 4 << channels_last;
      QTest::addRow("the first without samples, %s", layout) << QList<int>{0, 2} << 3 << channels_last;
    }
    QTest::addRow("a value for each channel and rank") << QList<int>{1, 1} << 1 << false;
    QTest::addRow("one value in all: the running averages stand in") << QList<int>{1, 0} << 1 << false;
    QTest::addRow("one value in all, of the second rank") << QList<int>{0, 1} << 1 << false;
  }
  void equalsTheJointBatch() {
    QFETCH(QList<int>, shares);
    QFETCH(int, edge);
    QFETCH(bool, channels_last);
    const std::vector<int64_t> counts(shares.begin(), shares.end());
    const Given all = given(std::accumulate(counts.begin(), counts.end(), int64_t{0}), edge, channels_last);
    const Got one = pass(all, training());
    const std::vector<Got> ranks = passOnRanks(all, counts, training());
    std::vector<at::Tensor> values, gradients;
    at::Tensor weight = at::zeros({kChannels}), bias = at::zeros({kChannels});
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      weight += ranks[rank].weight;
      bias += ranks[rank].bias;
      QVERIFY(apart(ranks[rank].mean, one.mean) < 1e-5);
      QVERIFY(apart(ranks[rank].variance, one.variance) < 1e-5);
      QVERIFY(at::equal(ranks[rank].batches, one.batches));
      QVERIFY(at::equal(ranks[rank].mean, ranks[0].mean) && at::equal(ranks[rank].variance, ranks[0].variance));
      if (counts[rank] == 0) {
        QVERIFY2(at::equal(ranks[rank].x, at::zeros_like(ranks[rank].x)), "a stand-in has a gradient");
        continue;
      }
      values.push_back(ranks[rank].values);
      gradients.push_back(ranks[rank].x);
    }
    QVERIFY2(apart(at::cat(values), one.values) < 1e-5, std::to_string(apart(at::cat(values), one.values)).c_str());
    QVERIFY2(apart(at::cat(gradients), one.x) < 1e-5, std::to_string(apart(at::cat(gradients), one.x)).c_str());
    QVERIFY2(apart(weight, one.weight) < 2e-5, std::to_string(apart(weight, one.weight)).c_str());
    QVERIFY2(apart(bias, one.bias) < 2e-5, std::to_string(apart(bias, one.bias)).c_str());
  }

  void aSecondPassLeavesTheAveragesAlone() {
    models::RunContext again = training();
    again.recomputing = true;
    const Given all = given(7, 4, false);
    const std::vector<Got> ranks = passOnRanks(all, {4, 3}, again), first = passOnRanks(all, {4, 3}, training());
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      QVERIFY(at::equal(ranks[rank].values, first[rank].values));
      QVERIFY(at::equal(ranks[rank].mean, norm().running_mean) && at::equal(ranks[rank].variance, norm().running_var));
    }
  }

  void evaluatesAlone() {
    const Given all = given(5, 4, false);
    models::RunContext context;
    const Got plain = pass(all, context);
    bool called = false;
    context.sum_over_ranks = [&called](at::Tensor&) { called = true; };
    const Got got = pass(all, context);
    QVERIFY(!called);
    QVERIFY(at::equal(got.values, plain.values) && at::equal(got.x, plain.x) && at::equal(got.mean, norm().running_mean));
  }
};

QTEST_APPLESS_MAIN(TestSyncedBatchNorm)
#include "tst_synced_batch_norm.moc"
