#include <chrono>
#include <new>

#include "core/base/units.h"
#include "core/comm/fake.h"
#include "core/train/run_ranks.h"
#include "tests/train/ranks.h"

using namespace trainyard;
using namespace trainyard::train;

namespace {

using Overrides = std::vector<std::string>;

Prepared prepared(recipe::Recipe recipe) {
  const auto orDie = [](auto result) {
    if (!result) qFatal("%s", toText(result.error()).c_str());
    return std::move(*result);
  };
  Prepared made;
  for (const auto& name : recipe.parallel.devices) made.devices.push_back(orDie(resolveDevice(name)));
  made.grid = orDie(rankGrid(recipe.parallel, static_cast<int>(made.devices.size()), recipe.train.batch_size));
  made.input = orDie(openInput(recipe));
  made.fresh = orDie(freshModel(recipe, made.input));
  made.recipe = std::move(recipe);
  return made;
}

}  // namespace

// What becomes of a run of several ranks when one of them fails.
class TestRanksFaults : public QObject {
  Q_OBJECT
  RanksBench bench_;

  // The rank's links fail on the n-th call.
  Result<RunReport> runWithFault(const recipe::Recipe& recipe, const std::string& name, int faulty, const comm::FakeOptions& options) {
    const auto run = runs::createRun(bench_.path(name));
    if (!run) qFatal("%s", toText(run.error()).c_str());
    const Observer observer;
    auto sink = EventSink::open(*run, observer);
    if (!sink) qFatal("%s", toText(sink.error()).c_str());
    Commands commands;
    return runOnRanks(prepared(recipe), {*run, **sink, commands, observer, ""}, nullptr, nullptr, [&](int ranks, const comm::CommOptions& comm_options) {
      auto links = comm::localCommunicators(ranks, comm_options);
      auto& link = links[static_cast<size_t>(faulty)];
      link = comm::fakeCommunicator(std::move(link), options);
      return links;
    });
  }

 private Q_SLOTS:
  void aFailingRankEndsAll_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("faulty");
    QTest::addColumn<int>("failure");
    const std::pair<const char*, comm::FakeFailure> failures[] = {{"work", comm::FakeFailure::Work}, {"exception", comm::FakeFailure::Exception}, {"silence", comm::FakeFailure::Silence}};
    const std::pair<const char*, int> strategies[] = {{"data", 3}, {"pipeline", 2}, {"sharded", 2}};
    for (const auto& [strategy, ranks] : strategies) {
      for (const auto& [text, failure] : failures) {
        for (const int faulty : {0, ranks - 1}) QTest::addRow("%s, rank %d, %s", strategy, faulty, text) << strategy << ranks << faulty << static_cast<int>(failure);
      }
    }
  }
  void aFailingRankEndsAll() {
    QFETCH(QString, strategy);
    QFETCH(int, ranks);
    QFETCH(int, faulty);
    QFETCH(int, failure);
    const auto recipe = bench_.pictures(onCpus(strategy.toStdString(), ranks) + Overrides{"model.hidden=[24, 16]", "parallel.timeout=0.5"});
    comm::FakeOptions options;
    options.fail_on = 31;
    options.failure = static_cast<comm::FakeFailure>(failure);
    const double begin = steadySeconds();
    const auto result = runWithFault(recipe, QTest::currentDataTag(), faulty, options);
    QVERIFY2(steadySeconds() - begin < 5, "the ranks did not end in time");
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Device);
    const QString where = QString::fromStdString(result.error().where), rank = QString("rank %1 (cpu)").arg(faulty);
    if (options.failure == comm::FakeFailure::Silence) {
      QVERIFY2(where.startsWith("rank "), toText(result.error()).c_str());  // whoever noticed it first
    } else {
      QVERIFY2(where.startsWith(rank), toText(result.error()).c_str());
      QVERIFY2(result.error().what.find("failed on purpose") != std::string::npos, toText(result.error()).c_str());
    }
    const Numbers after = bench_.train(bench_.pictures(onCpus(strategy.toStdString(), ranks) + Overrides{"model.hidden=[24, 16]", "train.epochs=1"}), "afterwards");
    QCOMPARE(after.losses.size(), size_t{6});
  }

  // Whatever call it is that fails: of a step, an evaluation, a checkpoint.
  void anyFailingCallNamesItsRank_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("faulty");
    for (const char* strategy : {"pipeline", "sharded", "data"}) {
      for (const int faulty : {0, 1}) QTest::addRow("%s, rank %d", strategy, faulty) << strategy << faulty;
    }
  }
  void anyFailingCallNamesItsRank() {
    QFETCH(QString, strategy);
    QFETCH(int, faulty);
    const auto recipe = bench_.pictures(onCpus(strategy.toStdString(), 2) + Overrides{"model.hidden=[24, 16]", "train.batch_size=51", "train.epochs=1"}, 8, 61);
    comm::FakeOptions options;
    bool failed = true;
    for (options.fail_on = 1; failed; ++options.fail_on) {
      const std::string name = std::string(QTest::currentDataTag()) + " " + std::to_string(options.fail_on);
      const auto result = runWithFault(recipe, name, faulty, options);
      failed = !result;
      if (!failed) break;
      const QString where = QString::fromStdString(result.error().where);
      QVERIFY2(where.startsWith(QString("rank %1 (cpu)").arg(faulty)), ("call " + std::to_string(options.fail_on) + ": " + toText(result.error())).c_str());
      QVERIFY2(result.error().what.find("failed on purpose") != std::string::npos, toText(result.error()).c_str());
    }
    QVERIFY2(options.fail_on > 10, std::to_string(options.fail_on).c_str());
  }

  void theRunSaysWhichRankFailed() {
    Observer observer;
    bool thrown = false;
    observer.event = [&thrown](const runs::Event& event) {
      if (event.type != "step" || event.step.value_or(0) < 8 || thrown) return;
      thrown = true;
      throw std::bad_alloc();
    };
    const fs::path run = bench_.path("no memory");
    const auto result = trainyardEngine()->train(bench_.pictures(onCpus("data", 3)), run, observer);
    QVERIFY(thrown && !result);
    QVERIFY2(QString::fromStdString(result.error().where).startsWith("rank 0 (cpu)"), toText(result.error()).c_str());
    const auto last = eventsOf(run).back();
    QCOMPARE(last.type, std::string("failed"));
    QVERIFY2(last.fields.dump().find("rank 0 (cpu)") != std::string::npos, last.fields.dump().c_str());
    QVERIFY(runs::readState({run})->state.state == runs::State::Failed);
    // The checkpoint of the first epoch goes on, on fewer ranks.
    const auto resumed = trainyardEngine()->resume({run}, {}, {});
    QVERIFY2(resumed, resumed ? "" : toText(resumed.error()).c_str());
    QCOMPARE(resumed->steps, uint64_t{54});
  }

  void aBrokenLossEndsAllRanks() {
    for (const char* strategy : {"data", "pipeline", "sharded"}) {
      const auto result = trainyardEngine()->train(bench_.pictures(onCpus(strategy, 2) + Overrides{"optimizer.lr=1e6", "model.hidden=[64, 64, 64]", "train.nonfinite_patience=2"}), bench_.path(std::string("diverged ") + strategy), {});
      QVERIFY(!result);
      QVERIFY2(result.error().what.find("no longer finite at step") != std::string::npos, toText(result.error()).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestRanksFaults)
#include "tst_ranks_faults.moc"
