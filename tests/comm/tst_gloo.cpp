#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <QTest>
#include <chrono>
#include <future>

#include "core/comm/backends.h"
#include "core/comm/bench.h"
#include "core/comm/fake.h"
#include "core/comm/gloo.h"
#include "core/comm/local_work.h"
#include "core/comm/work_watch.h"
#include "ranks.h"

using namespace trainyard;
using namespace trainyard::comm;

namespace {

Communicators gloo(int size, double timeout_s = 10) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  Communicators ranks(static_cast<size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      GlooOptions options;
      options.timeout_s = timeout_s;
      if (auto made = glooCommunicator(store, rank, size, options)) ranks[static_cast<size_t>(rank)] = *std::move(made);
    });
  }
  threads.clear();
  return ranks;
}

double since(std::chrono::steady_clock::time_point then) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count(); }

std::string expectAll(const at::Tensor& tensor, double value) {
  if (tensor.numel() == 0 || tensor.to(at::kDouble).eq(value).all().item<bool>()) return {};
  return "not all " + std::to_string(value) + ": first " + std::to_string(tensor.flatten()[0].to(at::kDouble).item<double>());
}

}  // namespace

class TestGloo : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyCollective_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("elements");
    for (const int size : {1, 2, 3}) {
      for (const int elements : {0, 1, 7, 100'003}) QTest::addRow("%d ranks, %d", size, elements) << size << elements;
    }
  }
  void everyCollective() {
    QFETCH(int, size);
    QFETCH(int, elements);
    Communicators ranks = gloo(size);
    const auto results = onRanks(ranks, [&](Communicator& rank) {
      const float mine = static_cast<float>(rank.rank()) + 1;
      at::Tensor sum = at::full({elements}, mine), most = sum.clone(), half = sum.to(at::kBFloat16), whole = sum.to(at::kLong), one = sum.clone();
      const at::Tensor own = sum.clone();
      at::Tensor all = at::zeros({static_cast<int64_t>(elements) * size}), part = at::zeros({elements});
      const double total = size * (size + 1) / 2.0;
      std::string wrong =
          joined({waited(rank.allReduce(sum, ReduceOp::Sum)), expectAll(sum, total), waited(rank.allReduce(most, ReduceOp::Max)), expectAll(most, size)});
      wrong +=
          joined({waited(rank.allReduce(half, ReduceOp::Sum)), expectAll(half, total), waited(rank.allReduce(whole, ReduceOp::Sum)), expectAll(whole, total)});
      wrong += joined({waited(rank.broadcast(one, size - 1)), expectAll(one, size), waited(rank.allGather(all, own))});
      for (int from = 0; from < size; ++from) wrong += expectAll(all.narrow(0, static_cast<int64_t>(from) * elements, elements), from + 1);
      return joined({wrong, waited(rank.reduceScatter(part, all)), expectAll(part, size * (rank.rank() + 1.0)), waited(rank.barrier())});
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void groupsAndTransfers() {
    Communicators ranks = gloo(3);
    const auto results = onRanks(ranks, [](Communicator& rank) -> std::string {
      const int next = (rank.rank() + 1) % 3, before = (rank.rank() + 2) % 3;
      std::string wrong;
      std::vector<WorkPtr> works;
      for (int i = 0; i < 5; ++i) works.push_back(rank.send(at::full({1000}, 10.0F * static_cast<float>(rank.rank()) + static_cast<float>(i)), next, 3));
      for (int i = 0; i < 5; ++i) {
        at::Tensor got = at::zeros({1000});
        wrong += joined({waited(rank.receive(got, before, 3)), expectAll(got, 10.0 * before + i)});
      }
      for (const WorkPtr& work : works) wrong += waited(work);
      if (rank.rank() == 1) return wrong;
      auto ends = rank.split({2, 0});
      if (!ends) return toText(ends.error());
      at::Tensor value = at::full({10}, rank.rank() + 1.0F);
      return joined(
          {wrong, (*ends)->rank() == (rank.rank() == 2 ? 0 : 1) ? "" : "another place", waited((*ends)->allReduce(value, ReduceOp::Sum)), expectAll(value, 4)});
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void aMissingRankEndsWithTheTimeout() {
    Communicators ranks = gloo(2, 0.5);
    const auto then = std::chrono::steady_clock::now();
    at::Tensor value = at::ones({10});
    const std::string wrong = waited(ranks[0]->allReduce(value, ReduceOp::Sum));
    QVERIFY2(wrong.find("did not end within 0.5 s") != std::string::npos, wrong.c_str());
    ranks.clear();
    QVERIFY(since(then) < 3);
  }

  void abortWakesWaitersAndTheDestructorEnds_data() {
    QTest::addColumn<int>("what");
    QTest::addRow("all-reduce") << 0;
    QTest::addRow("receive") << 1;
    QTest::addRow("group") << 2;
  }
  void abortWakesWaitersAndTheDestructorEnds() {
    QFETCH(int, what);
    Communicators ranks = gloo(2, 20);
    const auto then = std::chrono::steady_clock::now();
    std::string wrong;
    {
      std::jthread waits([&] {
        at::Tensor value = at::ones({10});
        try {
          if (what == 2) {
            std::vector<at::Tensor> tensors{value};
            const auto future = ranks[0]->group()->allreduce(tensors)->getFuture();
            future->wait();
            wrong = future->hasError() ? "3 GiB are missing" : "no error";
          } else {
            wrong = waited(what == 0 ? ranks[0]->allReduce(value, ReduceOp::Sum) : ranks[0]->receive(value, 1, 0));
          }
        } catch (const std::exception& error) {
          wrong = error.what();
        }
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ranks[0]->abort({ErrorCode::OutOfMemory, "3 GiB are missing", "rank 1", ""});
    }
    QVERIFY2(wrong.find("3 GiB are missing") != std::string::npos, wrong.c_str());
    QVERIFY2(since(then) < 1, std::to_string(since(then)).c_str());
    ranks.clear();
    QVERIFY2(since(then) < 2, std::to_string(since(then)).c_str());
  }

  void fakesFailOnTheCallAskedFor() {
    for (const FakeFailure failure : {FakeFailure::Work, FakeFailure::Exception, FakeFailure::Silence}) {
      Communicators ranks = localCommunicators(2, {0.3});
      ranks[1] = fakeCommunicator(std::move(ranks[1]), {3, failure});
      const auto results = onRanks(ranks, [](Communicator& rank) {
        at::Tensor value = at::ones({10});
        std::string wrong = joined({waited(rank.barrier()), waited(rank.allReduce(value, ReduceOp::Sum)), expectAll(value, 2)});
        if (!wrong.empty()) return "too early: " + wrong;
        if (rank.rank() == 0) {
          wrong = waited(rank.allReduce(value, ReduceOp::Sum));
          rank.abort({ErrorCode::Device, "rank 0 gave up", "", ""});
          return wrong;
        }
        return waited(rank.allReduce(value, ReduceOp::Sum));
      });
      QVERIFY2(results[0].find("rank 1 did not come") != std::string::npos, results[0].c_str());
      QVERIFY2(results[1].find(failure == FakeFailure::Silence ? "rank 0 gave up" : "failed on purpose") != std::string::npos, results[1].c_str());
    }
  }

  void worksThatNobodyWaitsForAreWatched() {
    for (const bool fails : {true, false}) {
      const auto aborted = std::make_shared<AbortFlag>();
      std::promise<std::string> told;
      aborted->onRaise([&](const Error& error) { told.set_value(toText(error)); });
      const auto well = std::make_shared<Completion>(), ill = std::make_shared<Completion>();
      WorkWatch watch(0.2, aborted, "rank 1, cuda:0");
      watch.add(c10::make_intrusive<LocalWork>(well, std::vector<at::Tensor>()));
      watch.add(c10::make_intrusive<LocalWork>(ill, std::vector<at::Tensor>()));
      well->finish();
      if (fails) ill->fail({ErrorCode::Device, "unhandled system error", "", ""});
      auto words = told.get_future();
      QVERIFY(words.wait_for(std::chrono::seconds(5)) == std::future_status::ready);
      const std::string text = words.get();
      QVERIFY2(text.find("rank 1, cuda:0: ") == 0 && text.find(fails ? "unhandled system error" : "did not end within 0.2 s") != std::string::npos,
               text.c_str());
    }
    const auto aborted = std::make_shared<AbortFlag>();
    const auto late = std::make_shared<Completion>();
    {
      WorkWatch watch(30, aborted, "rank 0");
      watch.add(c10::make_intrusive<LocalWork>(late, std::vector<at::Tensor>()));
    }
    QVERIFY(!aborted->error());  // it goes without a word, and at once
  }

  void everyBackendIsMade() {
    for (const BackendInfo& info : backends()) {
      RanksHere here;
      here.count = here.size = 2;
      here.gpus = {0, 1};
      auto ranks = makeCommunicators(info.id, here);
      if (info.gpus && !ranks) {  // no GPU here
        QCOMPARE(ranks.error().code, ErrorCode::Device);
        continue;
      }
      QVERIFY2(ranks.has_value(), info.id);
      QCOMPARE(ranks->size(), size_t(2));
      QCOMPARE((*ranks)[1]->rank(), 1);
      QCOMPARE(QString(backendFor(info.gpus, info.other_processes)), QString(info.id));
    }
    RanksHere part;
    part.size = 2;
    QVERIFY(makeCommunicators("local", part).error().what.find("1 of 2 ranks") != std::string::npos);
    QVERIFY(!makeCommunicators("mpi", part));
  }

  void theBenchChecksItsSums() {
    AllReduceBenchOptions options;
    options.bytes = 4000;
    options.rounds = 3;
    const auto result = benchAllReduce(options);
    QVERIFY(result.has_value());
    QCOMPARE((*result)["backends"].size(), size_t(2));
    QVERIFY((*result)["local_over_gloo"].get<double>() > 0);
    if (qEnvironmentVariableIsSet("TRAINYARD_BENCH")) qInfo("%s", benchAllReduce({})->dump(1).c_str());
  }

  void anAddressOfAnotherComputerIsRefused() {
    GlooOptions options;
    options.host = "no-such-host.invalid";
    const auto made = glooCommunicator(c10::make_intrusive<c10d::HashStore>(), 0, 2, options);
    QVERIFY(!made);
    QCOMPARE(QString::fromStdString(made.error().where), QString("no-such-host.invalid"));
  }
};

QTEST_APPLESS_MAIN(TestGloo)
#include "tst_gloo.moc"
