#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <QTest>
#include <chrono>

#include "core/comm/fake.h"
#include "ranks.h"

using namespace trainyard;
using namespace trainyard::comm;

namespace {

Communicators local(int size, double timeout_s = 30) { return localCommunicators(size, {timeout_s}); }

double since(std::chrono::steady_clock::time_point then) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count(); }

std::string expectAll(const at::Tensor& tensor, double value) {
  if (tensor.numel() == 0 || tensor.to(at::kDouble).eq(value).all().item<bool>()) return {};
  return "not all " + std::to_string(value) + ": first " + std::to_string(tensor.flatten()[0].to(at::kDouble).item<double>());
}

// The gradient buckets' sums, nothing divided.
class SumHook : public c10d::CppCommHookInterface<c10::intrusive_ptr<c10d::ProcessGroup>> {
 public:
  using CppCommHookInterface::CppCommHookInterface;
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<at::Tensor> tensors{bucket.getBufferRef()};
    return state_->allreduce(tensors)->getFuture();
  }
};

// A perceptron of two layers and its loss on some samples.
struct Small {
  std::vector<at::Tensor> weights;
  explicit Small(const std::vector<at::Tensor>& from) {
    for (const at::Tensor& weight : from) weights.push_back(weight.detach().clone().set_requires_grad(true));
  }
  at::Tensor loss(const at::Tensor& inputs, const at::Tensor& targets) const {
    const at::Tensor hidden = at::tanh(at::linear(inputs, weights[0], weights[1]));
    return (at::linear(hidden, weights[2], weights[3]) - targets).square().sum();
  }
};

}  // namespace

class TestLocal : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void addsOnEveryRank_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("elements");
    const std::vector<at::ScalarType> types{at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kLong, at::kInt, at::kByte};
    for (int size = 1; size <= 5; ++size) {
      for (const int elements : {0, 1, 7, 1'000'003}) QTest::addRow("%d ranks, %d floats", size, elements) << size << static_cast<int>(at::kFloat) << elements;
      for (const at::ScalarType type : types) QTest::addRow("%d ranks, %s", size, c10::toString(type)) << size << static_cast<int>(type) << 100'003;
    }
  }
  void addsOnEveryRank() {
    QFETCH(int, size);
    QFETCH(int, type);
    QFETCH(int, elements);
    const auto scalar = static_cast<at::ScalarType>(type);
    Communicators ranks = local(size);
    const auto results = onRanks(ranks, [&](Communicator& rank) {
      at::Tensor sum = at::full({elements}, rank.rank() + 1, scalar), most = at::full({elements}, rank.rank() + 1, scalar);
      const WorkPtr first = rank.allReduce(sum, ReduceOp::Sum), second = rank.allReduce(most, ReduceOp::Max);
      std::string wrong = joined({waited(first), waited(second)});
      if (wrong.empty()) wrong = expectAll(sum, size * (size + 1) / 2.0) + expectAll(most, size);
      return wrong;
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void orsBooleans() {
    Communicators ranks = local(3);
    const auto results = onRanks(ranks, [](Communicator& rank) {
      at::Tensor one_of_them = at::full({100}, rank.rank() == 1, at::kBool), none = at::zeros({100}, at::kBool);
      std::string wrong = joined({waited(rank.allReduce(one_of_them, ReduceOp::Max)), waited(rank.allReduce(none, ReduceOp::Sum))});
      return joined({wrong, expectAll(one_of_them, 1), expectAll(none, 0)});
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void theMaximumKeepsNotANumber() {
    Communicators ranks = local(2);
    const auto results = onRanks(ranks, [](Communicator& rank) {
      at::Tensor value = at::full({3}, rank.rank() == 0 ? std::nan("") : 1.0);
      const std::string wrong = waited(rank.allReduce(value, ReduceOp::Max));
      return value.isnan().all().item<bool>() ? wrong : wrong + "a number came out";
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void addsInRankOrderToTheBit() {
    std::vector<at::Tensor> parts;
    for (int rank = 0; rank < 3; ++rank) parts.push_back(at::randn({200'001}) * std::pow(10, rank * 3));
    const at::Tensor expected = (parts[0] + parts[1]) + parts[2];
    Communicators ranks = local(3);
    const auto results = onRanks(ranks, [&](Communicator& rank) {
      at::Tensor mine = parts[static_cast<size_t>(rank.rank())].clone();
      const std::string wrong = waited(rank.allReduce(mine, ReduceOp::Sum));
      return wrong + (at::equal(mine, expected) ? "" : "another sum");
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void copiesAndScatters_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("elements");
    for (int size = 1; size <= 5; ++size) {
      for (const int elements : {0, 1, 7, 100'003}) QTest::addRow("%d ranks, %d", size, elements) << size << elements;
    }
  }
  void copiesAndScatters() {
    QFETCH(int, size);
    QFETCH(int, elements);
    Communicators ranks = local(size);
    const auto results = onRanks(ranks, [&](Communicator& rank) {
      at::Tensor one = at::full({elements}, rank.rank() + 1.0F);
      std::string wrong = joined({waited(rank.broadcast(one, size - 1)), expectAll(one, size)});
      const at::Tensor mine = at::full({elements}, rank.rank() + 1.0F);
      at::Tensor all = at::zeros({static_cast<int64_t>(elements) * size}), part = at::zeros({elements});
      wrong += waited(rank.allGather(all, mine));
      for (int from = 0; from < size; ++from) wrong += expectAll(all.narrow(0, static_cast<int64_t>(from) * elements, elements), from + 1);
      // Slice k of what everybody has is k + 1.
      wrong += joined({waited(rank.reduceScatter(part, all)), expectAll(part, size * (rank.rank() + 1.0)), waited(rank.barrier())});
      // In place: the gathered tensor holds this rank's slice already.
      at::Tensor whole = at::zeros_like(all), slice = whole.narrow(0, static_cast<int64_t>(rank.rank()) * elements, elements);
      slice.fill_(rank.rank() + 1);
      return joined({wrong, waited(rank.allGather(whole, slice)), (at::equal(whole, all) ? "" : "gathered in place: differs")});
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void manyAtOnceKeepTheirOrder() {
    Communicators ranks = local(3);
    const auto results = onRanks(ranks, [](Communicator& rank) {
      std::vector<at::Tensor> tensors;
      std::vector<WorkPtr> works;
      for (int i = 0; i < 300; ++i) {
        tensors.push_back(at::full({i % 5 == 0 ? 60'000 : 10}, (rank.rank() + 1.0F) * static_cast<float>(i + 1)));
        works.push_back(rank.allReduce(tensors.back(), ReduceOp::Sum));
      }
      std::string wrong;
      for (size_t i = works.size(); i-- > 0;) wrong += joined({waited(works[i]), expectAll(tensors[i], 6.0 * static_cast<double>(i + 1))});
      return wrong;
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void groupsWorkAtTheSameTime() {
    Communicators ranks = local(4);
    const auto results = onRanks(ranks, [](Communicator& rank) -> std::string {
      const int row = rank.rank() / 2, column = rank.rank() % 2;
      auto along = rank.split({row * 2, row * 2 + 1}), across = rank.split({column, column + 2}), backwards = rank.split({3, 2, 1, 0});
      if (!along || !across || !backwards) return "no group";
      std::string wrong = (*backwards)->rank() == 3 - rank.rank() ? "" : "not in the order given";
      for (int i = 0; i < 50; ++i) {
        at::Tensor a = at::full({40'000}, rank.rank() + 1.0F), b = a.clone(), c = a.clone();
        const WorkPtr first = (*along)->allReduce(a, ReduceOp::Sum), second = (*across)->allReduce(b, ReduceOp::Sum);
        wrong += joined({waited((*backwards)->broadcast(c, 0)), waited(second), waited(first)});
        wrong += joined({expectAll(a, row == 0 ? 3 : 7), expectAll(b, column == 0 ? 4 : 6), expectAll(c, 4)});
      }
      auto again = rank.split({row * 2, row * 2 + 1});
      at::Tensor value = at::ones({3});
      return joined({wrong, waited((*again)->allReduce(value, ReduceOp::Sum)), expectAll(value, 2)});
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void aGroupHoldsItsRank() {
    Communicators ranks = local(2);
    for (const std::vector<int>& group : {std::vector<int>{1}, {0, 0}, {0, 2}, {}, {-1, 0}}) QVERIFY(!ranks[0]->split(group));
    QVERIFY(ranks[0]->split({0}));
  }

  void sendsInOrderByTag() {
    Communicators ranks = local(2);
    const auto results = onRanks(ranks, [](Communicator& rank) {
      std::string wrong;
      std::vector<WorkPtr> works;
      if (rank.rank() == 0) {
        for (int i = 0; i < 20; ++i) works.push_back(rank.send(at::full({1000}, i), 1, i % 2));  // none has a receiver yet
        at::Tensor back = at::zeros({5});
        wrong += joined({waited(rank.receive(back, 1, 7)), expectAll(back, 9)});
        for (const WorkPtr& work : works) wrong += waited(work);
        return wrong;
      }
      for (const int tag : {1, 0}) {
        for (int i = tag; i < 20; i += 2) {
          at::Tensor got = at::zeros({1000}, at::kLong);
          wrong += joined({waited(rank.receive(got, 0, tag)), expectAll(got, i)});
        }
      }
      return wrong + waited(rank.send(at::full({5}, 9.0F), 0, 7));
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void receivesAskedForBefore() {
    Communicators ranks = local(2);
    at::Tensor got = at::zeros({2, 3}), later = at::zeros({2, 3});
    const WorkPtr first = ranks[1]->receive(got, 0, 0), second = ranks[1]->receive(later, 0, 0);
    at::Tensor kept = at::ones({2, 3});
    const WorkPtr sent = ranks[0]->send(kept, 1, 0), sent_later = ranks[0]->send(at::full({2, 3}, 2.0F), 1, 0);
    QCOMPARE(QString::fromStdString(joined({waited(first), waited(second), waited(sent), waited(sent_later)})), QString());
    kept.fill_(5);  // the sender's own again
    QCOMPARE(QString::fromStdString(joined({expectAll(got, 1), expectAll(later, 2)})), QString());
  }

  void timeoutsNameTheMissingRank() {
    Communicators ranks = local(3, 0.2);
    const auto then = std::chrono::steady_clock::now();
    const auto results = onRanks(ranks, [](Communicator& rank) -> std::string {
      if (rank.rank() == 1) return {};
      at::Tensor value = at::ones({10});
      return waited(rank.allReduce(value, ReduceOp::Sum));
    });
    QVERIFY(since(then) < 2);
    for (const int rank : {0, 2})
      QVERIFY2(results[static_cast<size_t>(rank)].find("all-reduce of 10 × Float (number 1): rank 1 did not come within 0.2 s") != std::string::npos,
               results[static_cast<size_t>(rank)].c_str());
  }

  void aFutureEndsWithTheTimeout() {
    Communicators ranks = local(2, 0.2);
    std::vector<at::Tensor> tensors{at::ones({10})};
    const auto future = ranks[0]->group()->allreduce(tensors)->getFuture();
    future->wait();
    QVERIFY(future->hasError());
    QVERIFY(future->tryRetrieveErrorMessage().find("rank 1") != std::string::npos);
  }

  void transfersTimeOut() {
    Communicators ranks = local(2, 0.2);
    at::Tensor got = at::zeros({3});
    const std::string receives = waited(ranks[1]->receive(got, 0, 4));
    QVERIFY2(receives.find("rank 0 did not send what rank 1 waits for (tag 4) within 0.2 s") != std::string::npos, receives.c_str());
    Communicators others = local(2, 0.2);
    const std::string sends = waited(others[0]->send(at::zeros({3}), 1, 4));
    QVERIFY2(sends.find("rank 1 did not receive what rank 0 sent (tag 4)") != std::string::npos, sends.c_str());
  }

  void abortWakesEveryRankAndGroup() {
    Communicators ranks = local(4);
    std::jthread aborts;
    const auto then = std::chrono::steady_clock::now();
    const auto results = onRanks(ranks, [&](Communicator& rank) -> std::string {
      auto half = rank.split({rank.rank() / 2 * 2, rank.rank() / 2 * 2 + 1});
      at::Tensor value = at::ones({10});
      if (rank.rank() == 0) return waited((*half)->allReduce(value, ReduceOp::Sum));
      if (rank.rank() == 1) return waited(rank.receive(value, 3, 0));
      if (rank.rank() == 2) return waited(rank.barrier());
      rank.abort({ErrorCode::OutOfMemory, "3 GiB are missing", "rank 3", "a smaller batch"});
      rank.abort({ErrorCode::Failed, "a later error", "", ""});
      return waited(rank.barrier());
    });
    QVERIFY(since(then) < 1);
    for (const std::string& result : results) QVERIFY2(result.find("3 GiB are missing") != std::string::npos, result.c_str());
    QVERIFY(!ranks[0]->split({0, 1}));
  }

  void ranksThatDisagreeAreNamed() {
    Communicators ranks = local(2);
    const auto results = onRanks(ranks, [](Communicator& rank) {
      at::Tensor value = at::ones({rank.rank() == 0 ? 4 : 5});
      return waited(rank.allReduce(value, ReduceOp::Sum));
    });
    for (const std::string& result : results)
      QVERIFY2(result.find("all-reduce of 4 × Float") != std::string::npos && result.find("all-reduce of 5 × Float") != std::string::npos, result.c_str());
    Communicators others = local(2);
    at::Tensor got = at::zeros({3});
    const WorkPtr sent = others[0]->send(at::zeros({4}), 1, 0);
    QVERIFY(waited(others[1]->receive(got, 0, 0)).find("rank 0 sent 4 × Float, rank 1 expected 3 × Float (tag 0)") != std::string::npos);
    QVERIFY(!waited(sent).empty());
  }

  void refusesWhatItCannotDo() {
    at::Tensor complex = at::zeros({2}, at::kComplexFloat), strided = at::zeros({4, 4}).slice(1, 0, 2);
    QVERIFY(waited(local(1)[0]->allReduce(complex, ReduceOp::Sum)).find("cannot add") != std::string::npos);
    QVERIFY(waited(local(1)[0]->allReduce(strided, ReduceOp::Sum)).find("dense") != std::string::npos);
    QVERIFY(waited(local(1)[0]->send(at::zeros({1}), 1, 0)).find("rank 1 of 1") != std::string::npos);
  }

  // Or the other rank would take what was sent next for what failed.
  void behindAFailedCallNoneIsMade() {
    for (const FakeFailure failure : {FakeFailure::Work, FakeFailure::Exception}) {
      Communicators ranks = local(2);
      ranks[1] = fakeCommunicator(std::move(ranks[1]), {1, failure});
      const auto group = ranks[0]->split({0, 1}), other_group = ranks[1]->split({0, 1});
      QVERIFY(group && other_group);
      const WorkPtr failed = ranks[1]->send(at::ones({3}), 0, 7), next = ranks[1]->send(at::ones({3}), 0, 7), elsewhere = (*other_group)->send(at::ones({3}), 0, 7);
      for (const WorkPtr& work : {failed, next, elsewhere}) QVERIFY2(waited(work).find("failed on purpose") != std::string::npos, waited(work).c_str());
      at::Tensor got = at::zeros({3}), there = at::zeros({3});
      const WorkPtr here = ranks[0]->receive(got, 1, 7), in_group = (*group)->receive(there, 1, 7);
      ranks[0]->abort({ErrorCode::Device, "nothing came", "", ""});
      for (const WorkPtr& work : {here, in_group}) QVERIFY2(waited(work).find("nothing came") != std::string::npos, waited(work).c_str());
    }
  }

  void theReducerEqualsOneModel() {
    std::vector<at::Tensor> start{at::randn({300, 20}), at::randn({300}), at::randn({5, 300}) / 10, at::randn({5})};
    std::vector<at::Tensor> inputs, targets;
    for (int rank = 0; rank < 2; ++rank) inputs.push_back(at::randn({rank == 0 ? 8 : 6, 20})), targets.push_back(at::randn({rank == 0 ? 8 : 6, 5}));
    const int steps = 5;
    const double rate = 1e-3;
    Small one(start);
    for (int step = 0; step < steps; ++step) {
      const auto gradients = torch::autograd::grad({one.loss(at::cat(inputs), at::cat(targets))}, one.weights);
      for (size_t i = 0; i < gradients.size(); ++i) one.weights[i] = (one.weights[i].detach() - rate * gradients[i]).set_requires_grad(true);
    }
    Communicators ranks = local(2);
    std::vector<std::vector<at::Tensor>> weights(2);
    const auto results = onRanks(ranks, [&](Communicator& rank) -> std::string {
      const auto me = static_cast<size_t>(rank.rank());
      Small replica(start);
      // Two buckets at first, rebuilt after the first step.
      c10d::Reducer reducer(replica.weights, {{2, 3}, {0, 1}}, rank.group(), std::vector<bool>(4), 4096, false, true, {}, 1024, false, false, {});
      reducer.register_comm_hook(std::make_unique<SumHook>(rank.group()));
      for (int step = 0; step < steps; ++step) {
        reducer.prepare_for_forward();
        reducer.rebuild_buckets();
        const at::Tensor loss = replica.loss(inputs[me], targets[me]);
        reducer.prepare_for_backward({});
        torch::autograd::backward({loss}, {});
        const at::NoGradGuard guard;
        for (at::Tensor& weight : replica.weights) {
          weight.sub_(weight.grad(), rate);
          weight.mutable_grad().zero_();
        }
      }
      weights[me] = replica.weights;
      return {};
    });
    QCOMPARE(firstComplaint(results), QString());
    for (size_t i = 0; i < start.size(); ++i) {
      QVERIFY((weights[0][i] - one.weights[i]).abs().max().item<float>() < 1e-6F);
      QVERIFY(at::equal(weights[0][i], weights[1][i]));
    }
  }
};

QTEST_APPLESS_MAIN(TestLocal)
#include "tst_local.moc"
