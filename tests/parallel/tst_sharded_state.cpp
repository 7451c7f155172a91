// The strategy "sharded": checkpoints for any number of ranks, memory as promised, what the ranks exchange.
#include <QTest>

#include "core/parallel/shard_buckets.h"
#include "core/train/averaged_weights.h"
#include "tests/parallel/counting_memory.h"
#include "tests/parallel/sharded_bench.h"

using namespace trainyard;
using namespace trainyard::sharded;

class TestShardedState : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  at::Tensor one_;  // what one device answers

  // As a checkpoint's files.
  models::SafetensorsFile file(const std::string& name, const std::vector<models::NamedTensor>& tensors) {
    const fs::path path = fs::path(dir_.path().toStdString()) / name;
    if (!replaceFile(path, models::toSafetensors(tensors))) qFatal("cannot write");
    auto opened = models::SafetensorsFile::open(path);
    if (!opened) qFatal("%s", toText(opened.error()).c_str());
    return std::move(*opened);
  }

 private Q_SLOTS:
  void initTestCase() {
    CountingMemory::instance().install();
    at::set_num_threads(1);
  }

  // From two ranks to three, to the other stage and to one device, and from there to ranks again.
  void checkpointsFitAnyNumberOfRanks_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("from_ranks");
    QTest::addColumn<int>("to");
    QTest::addColumn<int>("to_ranks");
    QTest::newRow("stage 3, two to three") << 3 << 2 << 3 << 3;
    QTest::newRow("stage 1, two to three") << 1 << 2 << 1 << 3;
    QTest::newRow("stage 3 to 1") << 3 << 3 << 1 << 2;
    QTest::newRow("stage 3 to one device") << 3 << 2 << 0 << 1;
    QTest::newRow("stage 1 to one device") << 1 << 2 << 0 << 1;
    QTest::newRow("one device to stage 3") << 0 << 1 << 3 << 3;
  }
  void checkpointsFitAnyNumberOfRanks() {
    QFETCH(int, from);
    QFETCH(int, from_ranks);
    QFETCH(int, to);
    QFETCH(int, to_ranks);
    Case c{.network = "gpt", .steps = 6};
    c.options.ema_decay = 0.5;
    const Outcome straight = trained(c, nullptr);
    c.steps = 3;
    const auto runAs = [&c](int stage, int ranks, const models::StateReader* model, const models::StateReader* state, int first) {
      c.stage = stage;
      c.ranks = ranks;
      return stage == 0 ? std::vector<Outcome>{trained(c, nullptr, model, state, first)} : trainedOnRanks(c, model, state, first);
    };
    const Whole half = wholeOf(runAs(from, from_ranks, nullptr, nullptr, 0));
    const auto model = file("model", half.model), optimizer = file("optimizer", half.optimizer);
    const models::StateReader model_from{model, half.scalars, "model"}, state_from{optimizer, half.scalars, "optimizer"};
    const auto rest = runAs(to, to_ranks, &model_from, &state_from, 3);
    for (const auto& outcome : rest) {
      QCOMPARE(QString::fromStdString(outcome.error), QString());
      for (size_t i = 0; i < 3; ++i) {
        COMPARE_NEAR(outcome.reports[i].loss_sum.item<double>(), straight.reports[3 + i].loss_sum.item<double>(), 0, 1e-5, "loss");
      }
      QVERIFY(furthest(outcome.averaged, straight.averaged) < 1e-4);
    }
    QVERIFY(furthest(wholeOf(rest).model, joined({straight.parts}).model) < 1e-4);
    QVERIFY(furthest(wholeOf(rest).optimizer, joined({straight.parts}).optimizer) < 1e-4);
  }

  // Tensors that are missing, of another shape or nobody's are named, and nothing is loaded.
  void checkpointsOfAnotherNetwork() {
    Case c{.network = "mlp", .stage = 3, .ranks = 2, .steps = 0};
    const Whole whole = wholeOf(trainedOnRanks(c));
    const auto attempt = [&](std::vector<models::NamedTensor> tensors) {
      const auto model = file("odd", tensors), optimizer = file("state", whole.optimizer);
      const models::StateReader model_from{model, whole.scalars, "odd"}, state_from{optimizer, whole.scalars, "state"};
      const auto outcomes = trainedOnRanks(c, &model_from, &state_from);
      return outcomes[0].error == outcomes[1].error ? outcomes[0].error : std::string();
    };
    auto tensors = whole.model;
    const std::string name = tensors.front().name;
    tensors.front().tensor = at::zeros({3, 5});
    QVERIFY(attempt(tensors).find("\"" + name + "\" has shape [3, 5]") != std::string::npos);
    tensors.erase(tensors.begin());
    QVERIFY(attempt(tensors).find("\"" + name + "\" of shape") != std::string::npos);
    tensors = whole.model;
    tensors.push_back({"more", at::zeros({2})});
    QVERIFY(attempt(tensors).find("no tensor \"more\"") != std::string::npos);
  }

  // Held between steps, against what is predicted; slices are rounded up a little.
  void memory() {
    const auto model = network("mlp");
    const uint64_t parameters = models::parameterCount(*model), largest = 784 * 128 + 128;
    const auto near = [](uint64_t held, uint64_t predicted) { return held + predicted / 50 + 512 >= predicted && held <= predicted + predicted / 50 + 512; };
    for (const int ranks : {2, 3}) {
      const auto n = static_cast<uint64_t>(ranks);
      const parallel::ShardMemory whole = parallel::shardMemory(0, parameters, n, 8, false, largest);
      QCOMPARE(whole.kept(), 16 * parameters);
      const parallel::ShardMemory states = parallel::shardMemory(1, parameters, n, 8, true, largest),
                                  full = parallel::shardMemory(3, parameters, n, 8, true, largest);
      Case c{.network = "mlp", .stage = 3, .ranks = ranks, .steps = 2};
      c.options.ema_decay = 0.5;
      for (const auto& outcome : trainedOnRanks(c)) {
        QVERIFY(near(outcome.held.weights, full.weights) && near(outcome.held.gradients, full.gradients));
        QVERIFY(near(outcome.held.optimizer, full.optimizer) && near(outcome.held.average, full.average));
        QVERIFY(outcome.held.gathered > 0 && outcome.held.gathered <= full.gathered + 4096);
        if (ranks == 2) QVERIFY(static_cast<double>(outcome.held.kept() - outcome.held.average) <= 0.55 * static_cast<double>(whole.kept()));
      }
      c.network = "gpt";
      c.stage = 1;
      uint64_t optimizer = 0, gradients = 0;
      const uint64_t count = models::parameterCount(*network("gpt"));
      for (const auto& outcome : trainedOnRanks(c)) {
        QCOMPARE(outcome.held.weights, 4 * count);
        QCOMPARE(outcome.held.average, 4 * count);
        QVERIFY(static_cast<double>(outcome.held.optimizer) < 1.2 * 8 * static_cast<double>(count) / ranks);
        QVERIFY(outcome.held.gathered > 4 * count && outcome.held.gathered <= parallel::shardMemory(1, count, n, 8, true, count).gathered);
        optimizer += outcome.held.optimizer;
        gradients += outcome.held.gradients;
      }
      QCOMPARE(optimizer, 8 * count + 4 * n);  // each with its count of steps
      QCOMPARE(gradients, 4 * count);
      QCOMPARE(states.weights, 4 * parameters);
      QCOMPARE(states.optimizer, (8 * parameters + n - 1) / n);
    }
  }

  // All tensors of the process between two steps, those of two ranks: against what is kept where each rank has everything.
  void memoryOfTheProcess() {
    const auto parameters = static_cast<double>(models::parameterCount(*network("wide gpt")));
    const Samples all = samples("wide gpt", kBatch);
    const auto held = [&all](int stage) {
      const int64_t before = CountingMemory::instance().bytes();
      return onRanks(2, {20},
                     [&all, stage, before](comm::Communicator& comm) {
                       const Case c{.network = "wide gpt", .stage = stage};
                       const auto model = network(c.network);
                       Outcome outcome;
                       train::ShardedStep* sharded = nullptr;
                       const auto step = makeStep(c, *model, stage == 0 ? nullptr : &comm, outcome, &sharded);
                       for (int i = 0; i < 2; ++i) {
                         auto batches = cut(all, 0, kBatch, comm.rank(), 2, 2);
                         models::RunContext context = training();
                         if (!step->run(batches, {1e-3, 0.9}, context, false)) return -1.0;
                       }
                       if (!comm.barrier()->wait()) return -1.0;
                       const auto bytes = static_cast<double>(CountingMemory::instance().bytes() - before);
                       return comm.barrier()->wait() ? bytes / 2 : -1.0;
                     })
          .front();
    };
    const double whole = held(0), states = held(1), full = held(3);
    COMPARE_NEAR(whole, 16 * parameters, 0.02, 0, "everything on each");
    COMPARE_NEAR(states, (4 + 4.0 / 2 + 8.0 / 2) * parameters, 0.05, 0, "stage 1");  // gradients of others are gone
    COMPARE_NEAR(full, 16 * parameters / 2, 0.05, 0, "stage 3");
    QVERIFY(full <= 0.55 * whole);
  }

  // Evaluation takes the averages: answers with them, and with the weights again behind it.
  void answersWithTheAverage() {
    for (const int stage : {0, 1, 3}) {
      struct Answers {
        at::Tensor own, averaged, again;
      };
      Case c{.network = "gpt", .stage = stage, .ranks = stage == 0 ? 1 : 2, .steps = 3, .lr = 0.05};
      c.options.ema_decay = 0.9;
      const Samples all = samples(c.network, kBatch);
      const auto answers = onRanks(c.ranks, {20}, [&](comm::Communicator& comm) {
        const auto model = network(c.network);
        Outcome outcome;
        train::ShardedStep* sharded = nullptr;
        const auto step = makeStep(c, *model, stage == 0 ? nullptr : &comm, outcome, &sharded);
        for (int i = 0; i < c.steps; ++i) {
          auto batches = cut(all, 0, kBatch, comm.rank(), c.ranks, 1);
          models::RunContext context = training();
          (void)step->run(batches, {c.lr, 0.9}, context, false);
        }
        models::RunContext context;
        const at::NoGradGuard no_grad;
        Answers got;
        got.own = *step->answer(all.inputs, context);
        {
          const auto average = step->averaged();
          const train::AveragedWeights swapped(model->parameters(), average);
          got.averaged = *step->answer(all.inputs, context);
        }
        got.again = *step->answer(all.inputs, context);
        return got;
      });
      if (stage == 0) one_ = answers.front().averaged;
      for (const auto& got : answers) {
        QVERIFY(at::equal(got.own, got.again));
        QVERIFY(!at::allclose(got.own, got.averaged, 1e-2, 1e-2));
        QVERIFY(at::allclose(got.averaged, one_, 1e-3, 1e-3));
      }
    }
  }

  // Small buckets, sent while backward goes on.
  void buckets() {
    const std::vector<int64_t> counts{100, 7, 33, 250, 64, 1, 90};
    const std::vector<size_t> blocks{0, 0, 1, 1, 2, 3, 3};
    struct Seen {
      std::vector<size_t> owned;
      std::vector<double> sums, values;
    };
    const auto seen = onRanks(3, {20}, [&](comm::Communicator& comm) {
      std::vector<optim::ParamSlot> slots;
      for (size_t i = 0; i < counts.size(); ++i) {
        slots.push_back({"p" + std::to_string(i), at::full({counts[i]}, -1.0).requires_grad_(true), {}, {}, 0, {counts[i]}, 0});
      }
      parallel::ShardBuckets buckets(slots, blocks, comm, 96);
      Seen result{buckets.owned(), {}, {}};
      for (size_t block = 4; block-- > 0;) {
        for (size_t i = 0; i < counts.size(); ++i) {
          const bool none = i == 4 && comm.rank() == 1;
          if (blocks[i] == block && !none) slots[i].param.mutable_grad() = at::full({counts[i]}, static_cast<double>(i + 1) * (comm.rank() + 1));
        }
        buckets.reached(block);
      }
      for (const auto& sum : buckets.finish()) result.sums.push_back(sum.min().item<double>() == sum.max().item<double>() ? sum.max().item<double>() : NAN);
      const at::NoGradGuard no_grad;
      for (const size_t slot : buckets.owned()) slots[slot].param.fill_(static_cast<double>(slot));
      buckets.spread();
      for (const auto& slot : slots)
        result.values.push_back(slot.param.min().item<double>() == slot.param.max().item<double>() ? slot.param.max().item<double>() : NAN);
      return result;
    });
    size_t owned = 0;
    for (const auto& rank : seen) {
      owned += rank.owned.size();
      for (size_t i = 0; i < rank.owned.size(); ++i) {
        const size_t slot = rank.owned[i];
        QCOMPARE(rank.sums[i], static_cast<double>(slot + 1) * (slot == 4 ? 4 : 6));
      }
      for (size_t i = 0; i < counts.size(); ++i) QCOMPARE(rank.values[i], static_cast<double>(i));
    }
    QCOMPARE(owned, counts.size());
    const auto owners = parallel::ownersOf(counts, 3);
    std::vector<int64_t> loads(3, 0);
    for (size_t i = 0; i < counts.size(); ++i) loads[static_cast<size_t>(owners[i])] += counts[i];
    QVERIFY(*std::max_element(loads.begin(), loads.end()) <= 250);
    QVERIFY(parallel::bucketsOf(counts, owners, blocks, 3, 96).size() > 2);
  }

  // Both are counted, and neither twice.
  void times() {
    for (const int stage : {1, 3}) {
      for (const auto& outcome : trainedOnRanks({.network = "gpt", .stage = stage, .steps = 2})) {
        QVERIFY(outcome.times.comm_s > 0 && outcome.times.compute_s > 0);
        QVERIFY(outcome.times.comm_s + outcome.times.compute_s <= outcome.wall_s);
      }
    }
  }

  // A rank that does not come: the others' error says so, in time.
  void aSilentRank() {
    for (const int stage : {1, 3}) {
      const auto outcomes = onRanks(2, {0.3}, [stage](comm::Communicator& comm) {
        return comm.rank() == 0 ? trained({.network = "mlp", .stage = stage, .steps = 1}, &comm) : Outcome();
      });
      QVERIFY2(outcomes.front().error.find("rank 1") != std::string::npos, outcomes.front().error.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestShardedState)
#include "tst_sharded_state.moc"
