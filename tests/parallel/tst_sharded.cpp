// The strategy "sharded": numbers as on one device, memory as promised, checkpoints for any number of ranks.
#include <QTest>

#include "core/parallel/shard_buckets.h"
#include "tests/parallel/sharded_bench.h"

using namespace trainyard;
using namespace trainyard::sharded;

namespace {

constexpr int64_t kBatch = 12;

// How a network is trained; stage 0: by one device, on the joint batch.
struct Case {
  std::string network = "mlp", optimizer = "adamw";
  int stage = 3, ranks = 2, micros = 1, steps = 10;
  int64_t batch = kBatch;
  double lr = 1e-3;
  train::StepOptions options;
  int64_t join_below = 0;
  int infinite_step = -1;  // in it, the first sample is infinite
  double tolerance = 1e-4;
};

struct Outcome {
  std::vector<train::StepReport> reports;
  train::StateParts parts;
  std::vector<models::NamedTensor> averaged;
  parallel::ShardMemory held;
  at::Tensor answer;
  std::string error;
};

std::unique_ptr<train::TrainStep> makeStep(const Case& c, const models::Model& model, comm::Communicator* comm, Outcome& outcome, train::ShardedStep** sharded) {
  train::StepOptions options = c.options;
  options.task = samples(c.network, 1).task;
  if (comm == nullptr) {
    auto made = train::makeSingleStep(model, optimizer(c.optimizer), options);
    if (!made) qFatal("%s", toText(made.error()).c_str());
    return std::move(*made);
  }
  auto made = c.stage == 1 ? train::makeShardedStatesStep(model, optimizer(c.optimizer), options, *comm)
                           : train::makeFullyShardedStep(model, optimizer(c.optimizer), options, *comm, c.join_below);
  if (!made) {
    outcome.error = toText(made.error());
    return nullptr;
  }
  *sharded = made->get();
  return std::move(*made);
}

// One rank's training; comm: nullptr for one device. from: a checkpoint to begin with; first: the step to begin with.
Outcome trained(const Case& c, comm::Communicator* comm, const models::StateReader* model_from = nullptr, const models::StateReader* state_from = nullptr, int first = 0) {
  Outcome outcome;
  const auto model = network(c.network);
  train::ShardedStep* sharded = nullptr;
  const auto step = makeStep(c, *model, comm, outcome, &sharded);
  if (step == nullptr) return outcome;
  if (model_from != nullptr) {
    if (auto restored = step->restoreParts(*model_from, *state_from); !restored) {
      outcome.error = toText(restored.error());
      return outcome;
    }
  }
  const int rank = comm == nullptr ? 0 : comm->rank(), ranks = comm == nullptr ? 1 : comm->size();
  const Samples all = samples(c.network, std::max<int64_t>(c.batch * (first + c.steps), 4));
  for (int i = first; i < first + c.steps; ++i) {
    Samples here = all;
    if (i == c.infinite_step) {
      here.inputs = all.inputs.clone();
      here.inputs[i * c.batch].fill_(INFINITY);
    }
    auto batches = cut(here, i * c.batch, c.batch, rank, ranks, c.micros);
    models::RunContext context = training();
    auto report = step->run(batches, {c.lr, 0.9}, context, true);
    if (!report) {
      outcome.error = toText(report.error());
      return outcome;
    }
    report->loss_sum = report->loss_sum.clone();
    outcome.reports.push_back(*report);
  }
  if (sharded != nullptr) outcome.held = sharded->held();
  outcome.parts = copied(*step->parts());
  if (c.steps == 0) return outcome;
  models::RunContext context;
  const at::NoGradGuard no_grad;
  // The last rank has nothing to answer, but for a rank that is alone.
  auto answer = step->answer(all.inputs.narrow(0, 0, ranks > 1 && rank + 1 == ranks ? 0 : 4), context);
  if (!answer) outcome.error = toText(answer.error());
  else outcome.answer = *answer;
  for (const auto& [name, tensor] : step->averaged()) outcome.averaged.push_back({name, tensor.clone()});
  return outcome;
}

std::vector<Outcome> trainedOnRanks(const Case& c, const models::StateReader* model = nullptr, const models::StateReader* state = nullptr, int first = 0) {
  return onRanks(c.ranks, {20}, [&](comm::Communicator& comm) { return trained(c, &comm, model, state, first); });
}

Whole wholeOf(const std::vector<Outcome>& outcomes) {
  std::vector<train::StateParts> parts;
  for (const auto& outcome : outcomes) parts.push_back(outcome.parts);
  return joined(parts);
}

double furthest(const std::vector<models::NamedTensor>& a, const std::vector<models::NamedTensor>& b) {
  double distance = a.size() == b.size() ? 0 : INFINITY;
  for (const auto& [name, tensor] : a) {
    const auto other = std::find_if(b.begin(), b.end(), [&name = name](const models::NamedTensor& named) { return named.name == name; });
    if (other == b.end() || other->tensor.sizes() != tensor.sizes()) return INFINITY;
    if (tensor.numel() > 0) distance = std::max(distance, (tensor.to(at::kDouble) - other->tensor.to(at::kDouble)).abs().max().item<double>());
  }
  return distance;
}

train::StepOptions clipped() {
  train::StepOptions options;
  options.clip_value = 0.05;
  options.clip_norm = 0.1;
  return options;
}

train::StepOptions twice() {
  train::StepOptions options;
  options.keep = parallel::Keep::InputOnly;
  return options;
}

train::StepOptions ruled() {
  train::StepOptions options;
  options.ema_decay = 0.75;
  options.rules = {{"*bias", 0.5, 0.1, false}};
  options.freeze = {"0.*"};
  return options;
}

Case with(Case c, train::StepOptions options) {
  c.options = std::move(options);
  return c;
}

}  // namespace

class TestSharded : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  std::map<std::string, Case> cases_;

  void row(const std::string& name, const Case& c) {
    cases_[name] = c;
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }

  // As a checkpoint's files.
  models::SafetensorsFile file(const std::string& name, const std::vector<models::NamedTensor>& tensors) {
    const fs::path path = fs::path(dir_.path().toStdString()) / name;
    if (!replaceFile(path, models::toSafetensors(tensors))) qFatal("cannot write");
    auto opened = models::SafetensorsFile::open(path);
    if (!opened) qFatal("%s", toText(opened.error()).c_str());
    return std::move(*opened);
  }

  static void compareReports(const std::vector<Outcome>& ranks, const Outcome& one) {
    for (const auto& outcome : ranks) {
      QCOMPARE(QString::fromStdString(outcome.error), QString());
      QCOMPARE(outcome.reports.size(), one.reports.size());
      for (size_t i = 0; i < one.reports.size(); ++i) {
        const train::StepReport &a = outcome.reports[i], &b = one.reports[i];
        COMPARE_NEAR(a.loss_sum.item<double>(), b.loss_sum.item<double>(), 0, 1e-5, "loss of step " + std::to_string(i));
        COMPARE_NEAR(a.grad_norm.item<double>(), b.grad_norm.item<double>(), 1e-4, 1e-6, "norm of step " + std::to_string(i));
        QCOMPARE(a.weight, b.weight);
        QCOMPARE(a.samples, b.samples);
      }
    }
  }

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void equalsOneDevice_data() {
    QTest::addColumn<QString>("name");
    for (const int stage : {1, 3}) {
      const std::string which = "stage " + std::to_string(stage) + ": ";
      for (const char* id : {"mlp", "gpt", "convolutions"}) {
        for (const int ranks : {2, 3}) row(which + id + " on " + std::to_string(ranks), {.network = id, .stage = stage, .ranks = ranks});
      }
      row(which + "vit_tiny", {.network = "vit_tiny", .stage = stage, .ranks = 2, .steps = 2});
      row(which + "sgd", {.network = "convolutions", .optimizer = "sgd", .stage = stage, .ranks = 3, .lr = 0.05});
      row(which + "accumulated", {.network = "gpt", .stage = stage, .ranks = 2, .micros = 3});
      row(which + "clipped", with({.network = "gpt", .optimizer = "sgd", .stage = stage, .ranks = 3, .lr = 0.1}, clipped()));
      row(which + "activations twice", with({.network = "gpt", .stage = stage, .ranks = 2, .micros = 2}, twice()));
      row(which + "groups, frozen parts, average", with({.network = "convolutions", .stage = stage, .ranks = 3}, ruled()));
      row(which + "more ranks than samples", {.network = "gpt", .stage = stage, .ranks = 3, .micros = 1, .batch = 2});
      row(which + "one rank", {.network = "gpt", .stage = stage, .ranks = 1});
    }
    row("stage 3: joined blocks", {.network = "gpt", .ranks = 3, .join_below = 3000});
    row("stage 3: joined blocks, activations twice", with({.network = "convolutions", .ranks = 2, .join_below = 500}, twice()));
    row("stage 1: muon", {.network = "gpt", .optimizer = "muon", .stage = 1, .ranks = 3, .lr = 1e-3, .tolerance = 5e-4});
    row("stage 1: adafactor", {.network = "convolutions", .optimizer = "adafactor", .stage = 1, .ranks = 3, .lr = 0.01});
  }
  void equalsOneDevice() {
    QFETCH(QString, name);
    const Case& c = cases_.at(name.toStdString());
    const Outcome one = trained(c, nullptr);
    const auto ranks = trainedOnRanks(c);
    compareReports(ranks, one);
    const Whole whole = wholeOf(ranks), expected = joined({one.parts});
    QVERIFY2(furthest(whole.model, expected.model) < c.tolerance, qPrintable(QString::number(furthest(whole.model, expected.model))));
    QVERIFY2(furthest(whole.optimizer, expected.optimizer) < c.tolerance, qPrintable(QString::number(furthest(whole.optimizer, expected.optimizer))));
    QCOMPARE(compactJson(whole.scalars), compactJson(expected.scalars));
    for (const auto& outcome : ranks) QVERIFY(furthest(outcome.averaged, one.averaged) < 1e-4);
    QVERIFY(at::allclose(ranks.front().answer, one.answer, c.tolerance, 10 * c.tolerance));
    if (c.ranks > 1) QVERIFY(!ranks.back().answer.defined());
  }

  // The weights of the samples' classes add up over the ranks.
  void weightsOfClasses() {
    for (const int stage : {1, 3}) {
      Case c{.network = "convolutions", .stage = stage, .ranks = 3, .steps = 3};
      c.options.loss.class_weights = at::linspace(0.1, 3, 10);
      const Outcome one = trained(c, nullptr);
      for (const auto& outcome : trainedOnRanks(c)) {
        QCOMPARE(QString::fromStdString(outcome.error), QString());
        for (size_t i = 0; i < one.reports.size(); ++i) {
          COMPARE_NEAR(outcome.reports[i].weight, one.reports[i].weight, 1e-6, 0, "weight");
          COMPARE_NEAR(outcome.reports[i].loss_sum.item<double>(), one.reports[i].loss_sum.item<double>(), 0, 1e-5, "loss");
        }
      }
    }
  }

  void halfPrecision_data() {
    QTest::addColumn<int>("stage");
    QTest::newRow("stage 1") << 1;
    QTest::newRow("stage 3") << 3;
  }
  // An infinity on rank 0 alone: all leave the step out, and their scales stay equal.
  void halfPrecision() {
    QFETCH(int, stage);
    Case c{.network = "mlp", .stage = stage, .ranks = 2, .steps = 4, .infinite_step = 1};
    c.options.autocast = at::kHalf;
    c.options.scaler = optim::ScalerOptions();
    const Outcome one = trained(c, nullptr);
    const auto ranks = trainedOnRanks(c);
    for (const auto& outcome : ranks) {
      QCOMPARE(QString::fromStdString(outcome.error), QString());
      for (size_t i = 0; i < one.reports.size(); ++i) {
        QCOMPARE(outcome.reports[i].skipped, i == 1);
        QCOMPARE(outcome.reports[i].loss_scale, one.reports[i].loss_scale);
      }
    }
    QCOMPARE(one.reports[2].loss_scale, 32768.0);
    QVERIFY(furthest(wholeOf(ranks).model, joined({one.parts}).model) < 1e-3);
  }

  // Weights are cast while they are whole; whether activations are kept or computed twice changes nothing.
  void bfloat16() {
    Case c{.network = "gpt", .stage = 3, .ranks = 2, .steps = 4};
    c.options.autocast = at::kBFloat16;
    const auto kept = trainedOnRanks(c);
    QCOMPARE(QString::fromStdString(kept.front().error), QString());
    const Outcome one = trained(c, nullptr);
    COMPARE_NEAR(kept.front().reports.back().loss_sum.item<double>(), one.reports.back().loss_sum.item<double>(), 1e-2, 0, "loss");
    c.options.keep = parallel::Keep::InputOnly;
    QCOMPARE(furthest(wholeOf(kept).model, wholeOf(trainedOnRanks(c)).model), 0.0);
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

  void wholeMatricesAreRefused_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("muon") << "muon";
    QTest::newRow("adafactor") << "adafactor";
  }
  void wholeMatricesAreRefused() {
    QFETCH(QString, id);
    const auto outcomes = trainedOnRanks({.network = "mlp", .optimizer = id.toStdString(), .stage = 3});
    for (const auto& outcome : outcomes) {
      QVERIFY(outcome.error.starts_with("optimizer.type: "));
      QVERIFY(outcome.error.find("parallel.stage = 1") != std::string::npos);
    }
    recipe::Recipe recipe;
    recipe.optimizer.id = id.toStdString();
    recipe.parallel.strategy = {"sharded", {{"stage", 3}}};
    QVERIFY(!train::checkSharded(recipe));
    recipe.parallel.strategy.params["stage"] = 1;
    QVERIFY(train::checkSharded(recipe));
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
      const parallel::ShardMemory states = parallel::shardMemory(1, parameters, n, 8, true, largest), full = parallel::shardMemory(3, parameters, n, 8, true, largest);
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
        optimizer += outcome.held.optimizer;
        gradients += outcome.held.gradients;
      }
      QCOMPARE(optimizer, 8 * count + 4 * n);  // each with its count of steps
      QCOMPARE(gradients, 4 * count);
      QCOMPARE(states.weights, 4 * parameters);
      QCOMPARE(states.optimizer, (8 * parameters + n - 1) / n);
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
      for (const auto& slot : slots) result.values.push_back(slot.param.min().item<double>() == slot.param.max().item<double>() ? slot.param.max().item<double>() : NAN);
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

QTEST_APPLESS_MAIN(TestSharded)
#include "tst_sharded.moc"
