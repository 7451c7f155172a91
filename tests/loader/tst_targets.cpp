#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

namespace {

// Sample i has label k where bit k of i is set; or the numbers i and -i.
class Others : public Levels {
 public:
  Others(uint64_t size, data::Task task) : Levels(size), task_(task), names_{"a", "b", "c"} {
    if (task == data::Task::Numbers) names_.resize(2);
  }
  data::Task task() const override { return task_; }
  const std::vector<std::string>& classes() const override { return names_; }
  void target(uint64_t index, std::span<float> out) const override {
    for (size_t k = 0; k < out.size(); ++k) {
      const auto value = static_cast<float>(index);
      out[k] = task_ == data::Task::Labels ? static_cast<float>(index >> k & 1) : k == 0 ? value : -value;
    }
  }

 private:
  data::Task task_;
  std::vector<std::string> names_;
};

std::optional<augment::Mixer> mixer(const QString& steps) {
  recipe::Recipe recipe;
  for (const auto& id : steps.split(' ')) recipe.augment.push_back({id.toStdString(), {{"alpha", 1.0}, {"enabled", true}}});
  return augment::Mixer::make(recipe);
}

// What a step should be after mixing, from what it is without.
Copy mixed(const Copy& plain, const augment::Mix& mix, augment::Shape shape) {
  Copy result = plain;
  const size_t count = plain.samples.size(), floats = plain.inputs.size() / count, values = plain.values.size() / count;
  for (size_t i = 0; i < count; ++i) {
    const size_t partner = (i + count - 1) % count;
    augment::apply(mix, shape, std::span(result.inputs).subspan(i * floats, floats), std::span(plain.inputs).subspan(partner * floats, floats));
    if (!plain.targets.empty()) result.partners.push_back(plain.targets[partner]);
    for (size_t k = 0; k < values; ++k) {
      result.values[i * values + k] = mix.share * plain.values[i * values + k] + (1 - mix.share) * plain.values[partner * values + k];
    }
  }
  if (!plain.targets.empty()) result.mix = mix.share;
  return result;
}

}  // namespace

// Targets of every kind, and mixed batches.
class TestTargets : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void floats_data() {
    QTest::addColumn<bool>("labels");
    QTest::newRow("labels") << true;
    QTest::newRow("numbers") << false;
  }

  void floats() {
    QFETCH(bool, labels);
    const auto dataset = std::make_shared<Others>(20, labels ? data::Task::Labels : data::Task::Numbers);
    auto loader = make(dataset, upTo(20), chain(), {.seed = 4, .batch_size = 8, .workers = 2});
    const auto first = *loader->next();
    const int64_t width = labels ? 3 : 2;
    QVERIFY(first->targets.element == Element::F32);
    QCOMPARE(first->targets.sizes, (std::vector<int64_t>{8, width}));
    QCOMPARE(first->targets.strides, (std::vector<int64_t>{width, 1}));
    QVERIFY(first->targets_b.data == nullptr);
    std::vector<float> expected(static_cast<size_t>(width));
    const auto values = numbersOf<float>(first->targets);
    for (size_t i = 0; i < 8; ++i) {
      dataset->target(first->samples[i], expected);
      for (size_t k = 0; k < expected.size(); ++k) QCOMPARE(values[i * expected.size() + k], expected[k]);
    }
  }

  void mixing_data() {
    QTest::addColumn<QString>("steps");
    QTest::addColumn<int>("task");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("accumulate");
    QTest::addColumn<bool>("in_memory");
    for (const char* steps : {"mixup", "cutmix", "mixup cutmix"}) {
      for (const auto& [ranks, accumulate] : {std::pair(1, 1), std::pair(1, 4), std::pair(2, 1), std::pair(3, 2), std::pair(4, 5)}) {
        for (const bool in_memory : {true, false}) {
          for (const int task : {0, 1, 2})
            QTest::addRow("%s, task %d, %d ranks, %d passes, %s", steps, task, ranks, accumulate, in_memory ? "memory" : "files")
                << QString(steps) << task << ranks << accumulate << in_memory;
        }
      }
    }
  }

  // Each sample is mixed with the one before it in the step, the first with the last, to the bit the same however the step is cut up; a broken
  // picture's stand-in takes its place as partner too.
  void mixing() {
    QFETCH(QString, steps);
    QFETCH(int, task);
    QFETCH(int, ranks);
    QFETCH(int, accumulate);
    QFETCH(bool, in_memory);
    const auto kind = static_cast<data::Task>(task);
    std::shared_ptr<Levels> dataset = kind == data::Task::Classes ? std::make_shared<Levels>(105, in_memory) : std::make_shared<Others>(105, kind);
    dataset->broken = {31};
    Options options{.seed = 6, .batch_size = 10};
    std::vector<Copy> expected;
    auto plain = make(dataset, upTo(105), chain(), options);
    options.mixer = mixer(steps);
    QVERIFY(options.mixer.has_value());
    const augment::Shape shape{1, 4, 4};
    for (int epoch = 0; epoch < 2; ++epoch) {
      for (const Copy& copy : epochOf(*plain)) expected.push_back(mixed(copy, options.mixer->draw(6, copy.epoch, copy.step, shape), shape));
    }
    options.ranks = static_cast<uint32_t>(ranks);
    options.accumulate = static_cast<uint64_t>(accumulate);
    options.workers = 2;
    std::vector<Copy> joined(expected.size());
    for (int rank = 0; rank < ranks; ++rank) {
      options.rank = static_cast<uint32_t>(rank);
      auto loader = make(dataset, upTo(105), chain(), options);
      for (int epoch = 0; epoch < 2; ++epoch) {
        for (const Copy& copy : epochOf(*loader)) {
          Copy& step = joined[copy.epoch * 11 + copy.step];
          const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
          add(step.samples, copy.samples);
          add(step.targets, copy.targets);
          add(step.partners, copy.partners);
          add(step.values, copy.values);
          add(step.inputs, copy.inputs);
          step.mix = copy.mix;
        }
      }
    }
    std::set<float> shares;
    for (size_t i = 0; i < expected.size(); ++i) {
      QCOMPARE(joined[i].samples, expected[i].samples);
      QCOMPARE(joined[i].targets, expected[i].targets);
      QCOMPARE(joined[i].partners, expected[i].partners);
      QCOMPARE(joined[i].values, expected[i].values);
      QVERIFY(joined[i].inputs == expected[i].inputs);
      QCOMPARE(joined[i].mix, expected[i].mix);
      shares.insert(joined[i].mix);
    }
    if (kind == data::Task::Classes) QVERIFY(shares.size() > 2);
  }

  void mixedBatchesResume() {
    const auto dataset = std::make_shared<Levels>(40, false);
    Options options{.seed = 2, .batch_size = 8, .accumulate = 2, .workers = 2};
    options.mixer = mixer("mixup");
    const auto whole = epochOf(*make(dataset, upTo(40), chain(), options));
    options.start = {0, 16};
    const auto rest = epochOf(*make(dataset, upTo(40), chain(), options));
    QVERIFY(rest == std::vector<Copy>(whole.begin() + 4, whole.end()));
  }
};

QTEST_APPLESS_MAIN(TestTargets)
#include "tst_targets.moc"
