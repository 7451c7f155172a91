#include <chrono>
#include <future>
#include <thread>

#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

// What must not depend on the number of workers or on timing; and what happens when things go wrong.
class TestWorkers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sameWithAnyNumberOfWorkers_data() {
    QTest::addColumn<bool>("in_memory");
    QTest::newRow("in memory: a worker per batch") << true;
    QTest::newRow("files: workers share a batch") << false;
  }

  void sameWithAnyNumberOfWorkers() {
    QFETCH(bool, in_memory);
    std::vector<std::vector<Copy>> expected;
    for (const int workers : {1, 4, 4}) {
      const auto dataset = std::make_shared<Levels>(303, in_memory);
      dataset->broken = {5, 77, 78};
      auto loader = make(dataset, upTo(303), chain(), {.seed = 3, .batch_size = 20, .accumulate = 2, .workers = workers});
      std::vector<std::vector<Copy>> epochs;
      for (int epoch = 0; epoch < 3; ++epoch) epochs.push_back(epochOf(*loader));
      if (expected.empty()) expected = epochs;
      QVERIFY(epochs == expected);
    }
  }

  // Different samples and epochs get different windows, the same ones get the same.
  void augmentationsDiffer() {
    auto loader = make(std::make_shared<Levels>(100), upTo(100), chain(), {.seed = 3, .batch_size = 100, .workers = 2});
    std::vector<std::vector<int>> windows(2, std::vector<int>(100));  // epoch × sample: where the window's zeros are
    for (int epoch = 0; epoch < 2; ++epoch) {
      for (const Copy& batch : epochOf(*loader)) {
        for (size_t i = 0; i < batch.samples.size(); ++i) {
          int zeros = 0;
          for (size_t p = 0; p < 16; ++p) zeros |= (batch.inputs[16 * i + p] == 0 ? 1 : 0) << p;
          windows[epoch][batch.samples[i]] = zeros;
        }
      }
      QVERIFY((std::set<int>(windows[epoch].begin(), windows[epoch].end()).size() >= 20));
    }
    int same = 0;
    for (size_t i = 0; i < 100; ++i) same += windows[0][i] == windows[1][i];
    QVERIFY2(same < 20, qPrintable(QString::number(same)));  // 4 expected of 100
  }

  void cursorsResume_data() {
    QTest::addColumn<int>("accumulate");
    QTest::addColumn<bool>("in_memory");
    QTest::newRow("plain") << 1 << true;
    QTest::newRow("in passes") << 3 << true;
    QTest::newRow("files") << 2 << false;
  }

  // From every place where one may stop, what follows equals the run that never stopped.
  void cursorsResume() {
    QFETCH(int, accumulate);
    QFETCH(bool, in_memory);
    const auto dataset = std::make_shared<Levels>(53, in_memory);
    dataset->broken = {11};
    Options options{.seed = 8, .batch_size = 10, .accumulate = static_cast<uint64_t>(accumulate), .workers = 2};
    struct Event {
      std::optional<Copy> batch;  // nothing: end of the epoch
      Cursor after;
    };
    std::vector<Event> events;
    auto loader = make(dataset, upTo(53), chain(), options);
    QCOMPARE(loader->consumed(), (Cursor{0, 0}));
    for (int ends = 0; ends < 3;) {
      const auto batch = loader->next();
      QVERIFY(batch.has_value());
      events.push_back({batch->has_value() ? std::optional(copyOf(**batch)) : std::nullopt, loader->consumed()});
      ends += !batch->has_value();
    }
    for (size_t stop = 0; stop < events.size(); ++stop) {
      const auto& batch = events[stop].batch;
      if (batch && !batch->last_of_step) {
        QCOMPARE(events[stop].after, (Cursor{batch->epoch, batch->step * 10}));  // the step has to be done again
        continue;
      }
      const Cursor expected = batch ? Cursor{batch->epoch, std::min<uint64_t>(batch->step * 10 + 10, 53)} : Cursor{events[stop].after.epoch, 0};
      QCOMPARE(events[stop].after, expected);
      options.start = events[stop].after;
      auto resumed = make(dataset, upTo(53), chain(), options);
      QCOMPARE(resumed->consumed(), options.start);
      for (size_t i = stop + 1; i < events.size(); ++i) {
        const auto next = resumed->next();
        QVERIFY(next.has_value());
        QCOMPARE(next->has_value(), events[i].batch.has_value());
        if (*next) QVERIFY(copyOf(**next) == *events[i].batch);
        QCOMPARE(resumed->consumed(), events[i].after);
      }
    }
  }

  // Resumed with another batch size: no sample twice, none left out.
  void startInMidStep() {
    const auto whole = samplesOf(epochOf(*make(std::make_shared<Levels>(50), upTo(50), chain(), {.seed = 2, .batch_size = 10})));
    auto loader = make(std::make_shared<Levels>(50), upTo(50), chain(), {.seed = 2, .batch_size = 16, .start = {0, 20}});
    const auto rest = epochOf(*loader);
    QCOMPARE(samplesOf(rest), std::vector<uint64_t>(whole.begin() + 20, whole.end()));
    std::vector<double> weights;
    for (const auto& batch : rest) weights.push_back(batch.weight);
    QCOMPARE(weights, (std::vector<double>{12, 16, 2}));
    QCOMPARE(rest[0].step, uint64_t{1});
  }

  void brokenPicturesAreReplaced_data() {
    QTest::addColumn<int>("workers");
    QTest::newRow("one worker") << 1;
    QTest::newRow("four workers") << 4;
  }

  void brokenPicturesAreReplaced() {
    QFETCH(int, workers);
    const auto dataset = std::make_shared<Levels>(300, false);
    dataset->broken = {3, 17, 18};
    std::multiset<std::string> reported;
    auto loader = make(dataset, upTo(300), chain(false), {.seed = 1, .batch_size = 16, .workers = workers}, [&](const Error& error) {
      QTest::qVerify(error.code == ErrorCode::Data, "code", "", __FILE__, __LINE__);
      reported.insert(error.where);
    });
    for (uint64_t epoch = 0; epoch < 3; ++epoch) {
      const auto batches = epochOf(*loader);
      const auto order = data::epochOrder(300, 1, epoch);
      const auto taken = samplesOf(batches);
      QCOMPARE(taken.size(), order.size());
      for (size_t i = 0; i < order.size(); ++i) {
        QVERIFY(!dataset->broken.contains(taken[i]));
        if (!dataset->broken.contains(order[i])) QCOMPARE(taken[i], order[i]);
      }
      for (const Copy& batch : batches) {
        for (size_t i = 0; i < batch.samples.size(); ++i) {
          QCOMPARE(batch.targets[i], static_cast<int64_t>(batch.samples[i] % 10));
          QCOMPARE(batch.inputs[16 * i], static_cast<float>(batch.samples[i] % 255 + 1) / 255.0F);
        }
      }
    }
    QCOMPARE(reported, (std::multiset<std::string>{"picture 17", "picture 18", "picture 3"}));
  }

  void tooManyBroken_data() {
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("allowed");
    QTest::newRow("one in a hundred") << 400 << 4;
    QTest::newRow("few samples: one") << 30 << 1;
  }

  // Above one in a hundred the loader ends, at the same batch however many threads there are, and names the first files.
  void tooManyBroken() {
    QFETCH(int, samples);
    QFETCH(int, allowed);
    const auto dataset = std::make_shared<Levels>(samples, false);
    for (int i = 0; i <= allowed; ++i) dataset->broken.insert(4 + 5 * i);
    for (const int workers : {1, 3}) {
      int reports = 0;
      auto loader = make(dataset, upTo(samples), chain(false), {.batch_size = 10, .shuffle = false, .workers = workers}, [&](const Error&) { ++reports; });
      std::optional<Error> error;
      const auto batches = epochOf(*loader, &error);
      QCOMPARE(batches.size(), static_cast<size_t>((4 + 5 * allowed) / 10));
      QVERIFY(error.has_value());
      QCOMPARE(error->code, ErrorCode::Data);
      const QString expected = QString("%1 of %2 pictures").arg(allowed + 1).arg(samples);
      QVERIFY2(textOf(*error).contains(expected) && textOf(*error).contains("picture 4, picture 9"), qPrintable(textOf(*error)));
      QCOMPARE(reports, allowed + 1);
      QCOMPARE(loader->next().error().what, error->what);
    }
  }

  void allPicturesBroken() {
    const auto dataset = std::make_shared<Levels>(5);
    for (uint64_t i = 0; i < 5; ++i) dataset->broken.insert(i);
    std::atomic<int> reports = 0;
    auto loader = make(dataset, upTo(5), chain(), {.batch_size = 2}, [&](const Error&) { ++reports; });
    const auto batch = loader->next();
    QVERIFY(!batch);
    QCOMPARE(batch.error().code, ErrorCode::Data);
    QVERIFY2(textOf(batch.error()).contains("cannot be read") && textOf(batch.error()).contains("is cut short"), qPrintable(textOf(batch.error())));
    loader.reset();
    QVERIFY(reports <= 5);
  }

  // The error comes where its batch would have come, whoever met it first, and stays.
  void errorsComeInOrder_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<bool>("in_memory");
    QTest::addColumn<bool>("chain_refuses");
    for (const int workers : {1, 4}) {
      for (const bool in_memory : {true, false}) {
        for (const bool chain_refuses : {true, false})
          QTest::addRow("%d workers, %s, %s", workers, in_memory ? "memory" : "files", chain_refuses ? "chain" : "dataset")
              << workers << in_memory << chain_refuses;
      }
    }
  }

  void errorsComeInOrder() {
    QFETCH(int, workers);
    QFETCH(bool, in_memory);
    QFETCH(bool, chain_refuses);
    const auto dataset = std::make_shared<Levels>(100, in_memory);
    (chain_refuses ? dataset->larger : dataset->failing) = {47, 58, 90};
    auto loader = make(dataset, upTo(100), chain(false), {.batch_size = 20, .shuffle = false, .workers = workers});
    std::optional<Error> error;
    QCOMPARE(samplesOf(epochOf(*loader, &error)), upTo(40));
    QVERIFY(error.has_value());
    QCOMPARE(error->code, chain_refuses ? ErrorCode::Recipe : ErrorCode::Failed);
    QVERIFY2(error->where.starts_with("picture 47"), qPrintable(textOf(*error)));
    QCOMPARE(loader->consumed(), (Cursor{0, 40}));
    QCOMPARE(loader->next().error().where, error->where);
  }

  void exceptionsBecomeErrors() {
    const auto dataset = std::make_shared<Levels>(10);
    dataset->before = [](uint64_t index) {
      if (index == 4) throw std::runtime_error("thrown on purpose");
    };
    auto loader = make(dataset, upTo(10), chain(false), {.batch_size = 10, .shuffle = false, .workers = 2});
    const auto batch = loader->next();
    QVERIFY(!batch);
    QVERIFY2(textOf(batch.error()).contains("thrown on purpose"), qPrintable(textOf(batch.error())));
  }

  void stopWakesTheConsumer() {
    auto loader = make(std::make_shared<Levels>(100), upTo(100), chain(), {.batch_size = 10, .workers = 2, .slots = 3});
    std::vector<Batch> held;
    for (int i = 0; i < 3; ++i) held.push_back(std::move(**loader->next()));
    auto waiting = std::async(std::launch::async, [&] { return loader->next(); });  // no slot is free
    QVERIFY(waiting.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout);
    loader->stop();
    QVERIFY(waiting.wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    const auto result = waiting.get();
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Interrupted);
    QCOMPARE(loader->next().error().code, ErrorCode::Interrupted);
    QCOMPARE(loader->consumed(), (Cursor{0, 30}));
  }

  // Workers give up between two pictures: a large batch of slow pictures does not hold anybody up.
  void stopEndsABatchUnderWay() {
    const auto dataset = std::make_shared<Levels>(1000, false);
    std::atomic<int> fetched = 0;
    std::promise<void> begun;
    dataset->before = [&](uint64_t) {
      if (++fetched == 5) begun.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    auto loader = make(dataset, upTo(1000), chain(), {.batch_size = 1000, .workers = 2});
    begun.get_future().wait();
    loader.reset();
    QVERIFY2(fetched < 500, qPrintable(QString::number(fetched)));
  }

  // The next epoch's first batches are made while the consumer is still busy with the last of this one.
  void prefetchGoesOnIntoTheNextEpoch() {
    const auto dataset = std::make_shared<Levels>(20);
    std::atomic<int> fetched = 0;
    dataset->before = [&](uint64_t) { ++fetched; };
    auto loader = make(dataset, upTo(20), chain(), {.batch_size = 10, .workers = 1, .slots = 4});
    const auto first = *loader->next();
    QVERIFY(first.has_value());
    QTRY_COMPARE(fetched.load(), 40);  // four slots of ten
    QCOMPARE(loader->consumed(), (Cursor{0, 10}));
  }
};

QTEST_GUILESS_MAIN(TestWorkers)
#include "tst_workers.moc"
