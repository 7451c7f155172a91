#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

// Which samples a batch holds, and in which memory.
class TestBatches : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void steps_data() {
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("batch_size");
    QTest::addColumn<int>("steps");
    QTest::newRow("exact") << 100 << 10 << 10;
    QTest::newRow("one left") << 101 << 10 << 11;
    QTest::newRow("one batch") << 5 << 10 << 1;
    QTest::newRow("none") << 0 << 10 << 0;
  }

  void steps() {
    QFETCH(int, samples);
    QFETCH(int, batch_size);
    QFETCH(int, steps);
    QCOMPARE(stepsPerEpoch(samples, batch_size), static_cast<uint64_t>(steps));
    auto loader = make(std::make_shared<Levels>(samples), upTo(samples), chain(), {.batch_size = static_cast<uint64_t>(batch_size)});
    QCOMPARE(epochOf(*loader).size(), static_cast<size_t>(steps));
  }

  void layout() {
    recipe::Recipe recipe;
    recipe.data.channels = 3;
    const auto colour = pictures(std::make_shared<const augment::Chain>(*augment::Chain::make(recipe, {1, 4, 4}, false)));
    auto loader = make(std::make_shared<Levels>(7), upTo(7), colour, {.batch_size = 5, .shuffle = false});
    const auto batch = *loader->next();
    QVERIFY(batch.has_value());
    QVERIFY(batch->inputs.element == Element::F32 && batch->targets.element == Element::I64);
    QCOMPARE(batch->inputs.sizes, (std::vector<int64_t>{5, 3, 4, 4}));
    QCOMPARE(batch->inputs.strides, (std::vector<int64_t>{48, 1, 12, 3}));
    QCOMPARE(batch->targets.sizes, (std::vector<int64_t>{5}));
    QCOMPARE(batch->targets.strides, (std::vector<int64_t>{1}));
    QCOMPARE(batch->weight, 5.0);
    QCOMPARE(batch->step_weight, 5.0);
    QVERIFY(batch->last_of_step);
    QVERIFY(reinterpret_cast<uintptr_t>(batch->inputs.data) % 64 == 0 && reinterpret_cast<uintptr_t>(batch->targets.data) % 64 == 0);
    const Copy copy = copyOf(*batch);
    QCOMPARE(copy.samples, (std::vector<uint64_t>{0, 1, 2, 3, 4}));
    QCOMPARE(copy.targets, (std::vector<int64_t>{0, 1, 2, 3, 4}));
    for (size_t i = 0; i < copy.inputs.size(); ++i) QCOMPARE(copy.inputs[i], static_cast<float>(i / 48 + 1) / 255.0F);
    const auto rest = *loader->next();
    QCOMPARE(rest->inputs.sizes[0], int64_t{2});
    QCOMPARE(rest->step_weight, 2.0);
    QVERIFY(!(*loader->next()).has_value());
  }

  // Each epoch goes through the samples once, in the order that seed and epoch give.
  void order() {
    std::vector<uint64_t> indices;
    for (uint64_t i = 0; i < 50; ++i) indices.push_back(3 * i + 1);
    auto loader = make(std::make_shared<Levels>(200), indices, chain(), {.seed = 5, .batch_size = 8, .workers = 3});
    for (uint64_t epoch = 0; epoch < 3; ++epoch) {
      std::vector<uint64_t> expected;
      for (const auto position : data::epochOrder(50, 5, epoch)) expected.push_back(indices[position]);
      const auto batches = epochOf(*loader);
      QCOMPARE(samplesOf(batches), expected);
      for (const auto& batch : batches) QCOMPARE(batch.epoch, epoch);
    }
  }

  void inOrderForEvaluation() {
    auto loader = make(std::make_shared<Levels>(200), {7, 3, 9, 100}, chain(false), {.batch_size = 3, .shuffle = false, .workers = 2});
    for (int epoch = 0; epoch < 2; ++epoch) QCOMPARE(samplesOf(epochOf(*loader)), (std::vector<uint64_t>{7, 3, 9, 100}));
  }

  void nothing() {
    auto loader = make(std::make_shared<Levels>(5), {}, chain(), {.batch_size = 3});
    for (uint64_t epoch = 1; epoch < 4; ++epoch) {
      const auto batch = loader->next();
      QVERIFY(batch.has_value() && !batch->has_value());
      QCOMPARE(loader->consumed(), (Cursor{epoch, 0}));
    }
  }

  void ranksAndMicroBatches_data() {
    QTest::addColumn<int>("samples");
    QTest::addColumn<int>("batch_size");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("accumulate");
    for (const int samples : {101, 96, 7}) {
      for (const int ranks : {1, 2, 3, 4}) {
        for (const int accumulate : {1, 3, 5})
          QTest::addRow("%d samples, %d ranks, %d passes", samples, ranks, accumulate) << samples << 10 << ranks << accumulate;
      }
    }
  }

  // Together the ranks hold exactly the samples of one device's step; all make the same number of calls.
  void ranksAndMicroBatches() {
    QFETCH(int, samples);
    QFETCH(int, batch_size);
    QFETCH(int, ranks);
    QFETCH(int, accumulate);
    const auto dataset = std::make_shared<Levels>(samples);
    Options options{.seed = 1, .batch_size = static_cast<uint64_t>(batch_size), .ranks = static_cast<uint32_t>(ranks)};
    options.accumulate = static_cast<uint64_t>(accumulate);
    std::vector<std::vector<Copy>> all;
    for (int rank = 0; rank < ranks; ++rank) {
      options.rank = static_cast<uint32_t>(rank);
      all.push_back(epochOf(*make(dataset, upTo(samples), chain(), options)));
      QCOMPARE(all.back().size(), all[0].size());
    }
    const auto whole = epochOf(*make(dataset, upTo(samples), chain(), {.seed = 1, .batch_size = static_cast<uint64_t>(batch_size)}));
    for (const Copy& step : whole) {
      std::vector<uint64_t> joined;
      std::vector<float> inputs;
      double weight = 0;
      for (const auto& rank : all) {
        uint32_t micro = 0;
        size_t smallest = SIZE_MAX, largest = 0;
        for (const Copy& copy : rank) {
          if (copy.step != step.step) continue;
          QCOMPARE(copy.micro, micro++);
          QCOMPARE(copy.weight, static_cast<double>(copy.samples.size()));
          QCOMPARE(copy.step_weight, step.weight);
          joined.insert(joined.end(), copy.samples.begin(), copy.samples.end());
          inputs.insert(inputs.end(), copy.inputs.begin(), copy.inputs.end());
          weight += copy.weight;
          smallest = std::min(smallest, copy.samples.size());
          largest = std::max(largest, copy.samples.size());
        }
        QVERIFY(micro >= 1 && micro <= static_cast<uint32_t>(accumulate));
        QVERIFY(largest - smallest <= 1);
        if (ranks == 1) QVERIFY(smallest >= 1);
      }
      QCOMPARE(joined, step.samples);
      QCOMPARE(inputs, step.inputs);
      QCOMPARE(weight, step.weight);
    }
    for (const auto& rank : all) {
      for (size_t i = 0; i < rank.size(); ++i) QCOMPARE(rank[i].last_of_step, i + 1 == rank.size() || rank[i + 1].step != rank[i].step);
    }
  }

  // Seven passes, four to a step: two steps, and the second divides by three.
  void theLastStepWeighsWhatItHas() {
    const auto passes = epochOf(*make(std::make_shared<Levels>(7), upTo(7), chain(), {.batch_size = 4, .accumulate = 4}));
    QCOMPARE(passes.size(), size_t{7});
    for (size_t i = 0; i < passes.size(); ++i) {
      QCOMPARE(passes[i].step, uint64_t{i < 4 ? 0U : 1U});
      QCOMPARE(passes[i].weight, 1.0);
      QCOMPARE(passes[i].step_weight, i < 4 ? 4.0 : 3.0);
    }
  }

  void memoryStaysWhileItIsHeld() {
    std::atomic<int> allocated = 0;
    Options options{.seed = 1, .batch_size = 6, .accumulate = 3, .workers = 2};
    options.allocate = [&](size_t bytes) {
      ++allocated;
      QTest::qVerify(bytes == 128 + 2 * sizeof(int64_t), "bytes", "two pictures of 64 bytes, two targets", __FILE__, __LINE__);
      return std::shared_ptr<std::byte>(static_cast<std::byte*>(std::aligned_alloc(64, 192)), [](std::byte* memory) { std::free(memory); });
    };
    auto loader = make(std::make_shared<Levels>(60), upTo(60), chain(), options);
    auto reference = make(std::make_shared<Levels>(60), upTo(60), chain(), {.seed = 1, .batch_size = 6, .accumulate = 3});
    std::vector<Batch> held;  // a step's micro-batches
    std::set<const std::byte*> places;
    for (int i = 0; i < 3; ++i) {
      held.push_back(std::move(**loader->next()));
      places.insert(held.back().inputs.data);
    }
    QCOMPARE(places.size(), size_t{3});
    for (int i = 0; i < 6; ++i) QVERIFY(!places.contains((**loader->next()).inputs.data));
    loader.reset();  // the memory outlives its loader
    for (const Batch& batch : held) QVERIFY(copyOf(batch) == copyOf(**reference->next()));
    QVERIFY2(allocated <= 6, qPrintable(QString::number(allocated)));
  }

  // The recipe that comes with the program, through everything up to the network's input.
  void practiceRun() {
    const auto recipe = recipe::load(resourcesFolder() / "recipes" / "digits.toml");
    QVERIFY2(recipe.has_value(), recipe ? "" : qPrintable(textOf(recipe.error())));
    const auto opened = data::openWithSplit(recipe->data, recipe->run.seed);
    QVERIFY2(opened.has_value(), opened ? "" : qPrintable(textOf(opened.error())));
    const cv::Mat first = *opened->dataset->picture(0);
    const auto made = augment::Chain::make(*recipe, {first.channels(), first.rows, first.cols}, true);
    QVERIFY2(made.has_value(), made ? "" : qPrintable(textOf(made.error())));
    auto loader = make(opened->dataset, opened->parts.train, pictures(std::make_shared<const augment::Chain>(*made)),
                       {.seed = recipe->run.seed, .batch_size = recipe->train.batch_size});
    double pixels = 0, targets = 0, count = 0;
    for (const Copy& batch : epochOf(*loader)) {
      QCOMPARE(batch.inputs.size(), batch.samples.size() * 64);
      pixels += std::accumulate(batch.inputs.begin(), batch.inputs.end(), 0.0);
      targets += std::accumulate(batch.targets.begin(), batch.targets.end(), 0.0);
      count += batch.weight;
    }
    QCOMPARE(count, static_cast<double>(opened->parts.train.size()));
    QVERIFY(targets / count > 4.3 && targets / count < 4.7);
    QVERIFY(pixels / count / 64 > 0.2 && pixels / count / 64 < 0.35);
  }

  void noMemory() {
    Options options{.batch_size = 4};
    options.allocate = [](size_t) { return std::shared_ptr<std::byte>(); };
    auto loader = make(std::make_shared<Levels>(8), upTo(8), chain(), options);
    const auto batch = loader->next();
    QVERIFY(!batch);
    QCOMPARE(batch.error().code, ErrorCode::OutOfMemory);
    options.allocate = [](size_t) -> std::shared_ptr<std::byte> { throw std::bad_alloc(); };
    QCOMPARE(make(std::make_shared<Levels>(8), upTo(8), chain(), options)->next().error().code, ErrorCode::OutOfMemory);
  }
};

QTEST_APPLESS_MAIN(TestBatches)
#include "tst_batches.moc"
