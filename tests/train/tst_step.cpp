// The step as a whole: half precision, groups, the average of the weights, weights of classes, accumulation.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/catalogue/catalogue.h"
#include "core/models/layers.h"
#include "core/train/train_step.h"
#include "tests/golden/golden.h"

using namespace trainyard;

namespace {

recipe::Choice adamw() {
  recipe::Choice choice{"adamw", Json::object()};
  for (const auto& spec : catalogue::find(catalogue::optimizers(), "adamw")->params) choice.params[spec.key] = spec.fallback;
  return choice;
}

recipe::Choice sgd() { return {"sgd", {{"lr", 0.1}, {"momentum", 0.0}, {"weight_decay", 0.0}, {"dampening", 0.0}, {"nesterov", false}}}; }

models::RunContext training() {
  models::RunContext context;
  context.training = true;
  return context;
}

// A network of this test's own, its step, and 64 samples.
struct Bench {
  explicit Bench(train::StepOptions options, const recipe::Choice& optimizer = adamw(), const std::string& arch = "mlp")
      : data(golden::data(arch, 64)), model(golden::model(arch)) {
    auto made = train::makeSingleStep(*model, optimizer, std::move(options));
    if (!made) qFatal("%s", toText(made.error()).c_str());
    step = std::move(*made);
  }
  // One step over `count` samples, cut into the given parts; broken: one pixel is infinite.
  train::StepReport run(int64_t count, const std::vector<int64_t>& parts, bool broken = false) {
    at::Tensor images = data.images_NCHW.clone();
    if (broken) images.view(-1)[7] = INFINITY;
    std::vector<loader::Batch> batches;
    int64_t begin = 0;
    for (const int64_t part : parts) {
      batches.push_back(golden::batch(images.narrow(0, begin, part), data.labels_N.narrow(0, begin, part), static_cast<double>(count)));
      begin += part;
    }
    models::RunContext context = training();
    auto report = step->run(batches, {0.1, 0.9}, context, true);
    if (!report) qFatal("%s", toText(report.error()).c_str());
    return *report;
  }
  std::vector<at::Tensor> copies() const {
    std::vector<at::Tensor> out;
    for (const auto& named : model->parameters()) out.push_back(named.tensor.detach().clone());
    return out;
  }
  double scalar(const std::string& name) const {
    std::vector<models::NamedTensor> tensors;
    Json scalars = Json::object();
    step->collect(tensors, scalars);
    for (const auto& named : tensors) {
      if (named.name == name) return named.tensor.item<double>();
    }
    return numberFrom(scalars.value(name, Json()), -1);
  }

  golden::Data data;
  std::unique_ptr<models::Model> model;
  std::unique_ptr<train::TrainStep> step;
};

bool equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!at::equal(a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

double distance(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double furthest = 0;
  for (size_t i = 0; i < a.size(); ++i) furthest = std::max(furthest, (a[i] - b[i]).abs().max().item<double>());
  return furthest;
}

// Says the next token from this one alone: a table of logits.
std::unique_ptr<models::Model> bigrams(int64_t vocabulary) {
  models::BlockList blocks(1);
  at::Tensor table = blocks.store().parameter("table", {vocabulary, vocabulary});
  blocks.store().normal(table, 1);
  blocks.add("table", [table](const at::Tensor& tokens_NT, models::RunContext&) { return at::embedding(table, tokens_NT); });
  return blocks.finish(false);
}

loader::Batch textBatch(const at::Tensor& tokens_NT, const at::Tensor& targets_NT, double step_weight) {
  loader::Batch batch = golden::batch(tokens_NT, targets_NT, step_weight);
  batch.inputs.element = loader::Element::I64;
  batch.weight = static_cast<double>(tokens_NT.size(0));
  return batch;
}

train::StepOptions halfPrecision() {
  train::StepOptions options;
  options.autocast = at::kHalf;
  options.scaler = optim::ScalerOptions();
  options.ema_decay = 0.5;
  return options;
}

}  // namespace

class TestStep : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  // Infinite gradients in the first three of seven steps.
  void stepsWithInfinitiesAreSkipped() {
    Bench bench(halfPrecision());
    const auto before = bench.copies();
    int done = 0;
    for (int step = 0; step < 7; ++step) {
      const train::StepReport report = bench.run(16, {16}, step < 3);
      QCOMPARE(report.skipped, step < 3);
      QCOMPARE(report.loss_scale, step < 3 ? 65536.0 / (1 << step) : 8192.0);
      QCOMPARE(equal(bench.copies(), before), step < 3);
      if (!report.skipped) ++done;
    }
    QCOMPARE(bench.scalar("scaler.scale"), 8192.0);
    QCOMPARE(bench.scalar("step"), static_cast<double>(done));
    QCOMPARE(bench.scalar("ema_updates"), static_cast<double>(done));
  }

  // Loss and norm are those without the scale, so that clipping means the same.
  void theScaleDoesNotShow() {
    for (const char* arch : {"mlp", "smallcnn"}) {
      train::StepOptions plain, scaled;
      scaled.scaler = optim::ScalerOptions();
      plain.clip_norm = scaled.clip_norm = 0.1;
      Bench a(plain, sgd(), arch), b(scaled, sgd(), arch);
      const train::StepReport left = a.run(16, {16}), right = b.run(16, {16});
      COMPARE_NEAR(right.loss_sum.item<double>(), left.loss_sum.item<double>(), 1e-7, 0, "loss");
      COMPARE_NEAR(right.grad_norm.item<double>(), left.grad_norm.item<double>(), 1e-6, 0, "norm");
      QVERIFY(left.grad_norm.item<double>() > 0.1);
      QVERIFY(distance(a.copies(), b.copies()) < 1e-6);
    }
  }

  // Ten samples and ninety are one batch of a hundred; five, seven and four one of sixteen.
  void partsAddUp() {
    for (const bool weighted : {false, true}) {
      train::StepOptions options;
      if (weighted) options.loss.class_weights = at::linspace(0.1, 3, 10);
      Bench whole(options, sgd()), cut(options, sgd());
      const train::StepReport a = whole.run(16, {16}), b = cut.run(16, {5, 7, 4});
      COMPARE_NEAR(b.loss_sum.item<double>(), a.loss_sum.item<double>(), 1e-6, 0, "loss");
      QVERIFY(distance(whole.copies(), cut.copies()) < 1e-6);
      QCOMPARE(a.samples, uint64_t{16});
      QCOMPARE(b.samples, uint64_t{16});
      const double weight = weighted ? at::linspace(0.1, 3, 10).index_select(0, whole.data.labels_N.narrow(0, 0, 16)).sum().item<double>() : 16;
      COMPARE_NEAR(a.weight, weight, 1e-6, 0, "weight");
      COMPARE_NEAR(b.weight, weight, 1e-6, 0, "weight");
    }
  }

  // Two texts, of ten and of ninety tokens that count: each token weighs alike, however the step is cut.
  void tokensWeighAlike() {
    constexpr int64_t kVocabulary = 7, kLength = 100;
    at::Generator generator = at::detail::createCPUGenerator(2);
    const at::Tensor tokens_NT = at::randint(kVocabulary, {2, kLength}, generator, at::TensorOptions(at::kLong));
    at::Tensor targets_NT = at::randint(kVocabulary, {2, kLength}, generator, at::TensorOptions(at::kLong));
    targets_NT[0].narrow(0, 10, 90).fill_(train::kIgnored);
    targets_NT[1].narrow(0, 0, 10).fill_(train::kIgnored);
    train::StepOptions options;
    options.task = data::Task::Tokens;
    std::vector<at::Tensor> tables;
    for (const bool cut : {false, true}) {
      const auto model = bigrams(kVocabulary);
      const at::Tensor table = model->parameters().front().tensor, before = table.detach().clone();
      const at::Tensor means_N = at::stack({at::cross_entropy_loss(before.index_select(0, tokens_NT[0]), targets_NT[0]),
                                            at::cross_entropy_loss(before.index_select(0, tokens_NT[1]), targets_NT[1])});
      auto step = train::makeSingleStep(*model, sgd(), options);
      QVERIFY(step);
      std::vector<loader::Batch> micros;
      for (int64_t text = 0; cut && text < 2; ++text) micros.push_back(textBatch(tokens_NT.narrow(0, text, 1), targets_NT.narrow(0, text, 1), 2));
      if (!cut) micros.push_back(textBatch(tokens_NT, targets_NT, 2));
      models::RunContext context = training();
      const auto report = (*step)->run(micros, {0.1, 0}, context, false);
      QVERIFY(report);
      QCOMPARE(report->weight, 100.0);
      QCOMPARE(report->samples, uint64_t{2});
      COMPARE_NEAR(report->loss_sum.item<double>(), (10 * means_N[0].item<double>() + 90 * means_N[1].item<double>()) / 100, 1e-6, 0, "loss");
      tables.push_back(table.detach().clone());
      QVERIFY(!at::equal(table, before));
    }
    QVERIFY(at::allclose(tables[0], tables[1], 1e-6, 1e-7));
  }

  // Seven batches, accumulated by four: the second step has three of them and divides by three.
  void theLastStepDividesByWhatItHas() {
    constexpr int64_t kBatch = 4;
    Bench three({}, sgd());
    const auto before = three.copies();
    const golden::Data& data = three.data;
    std::vector<double> means;
    for (int64_t part = 0; part < 3; ++part) {
      models::RunContext context = training();
      const at::Tensor outputs = models::forward(*three.model, data.images_NCHW.narrow(0, part * kBatch, kBatch), context);
      means.push_back(at::cross_entropy_loss(outputs, data.labels_N.narrow(0, part * kBatch, kBatch)).item<double>());
    }
    const train::StepReport report = three.run(3 * kBatch, {kBatch, kBatch, kBatch});
    COMPARE_NEAR(report.loss_sum.item<double>(), (means[0] + means[1] + means[2]) / 3, 1e-6, 0, "loss");
    Bench joined({}, sgd());
    joined.run(3 * kBatch, {3 * kBatch});
    QVERIFY(distance(three.copies(), joined.copies()) < 1e-6);
    QVERIFY(!equal(three.copies(), before));
  }

  void clippingByValueGoesBeforeTheNorm() {
    train::StepOptions options;
    options.clip_value = 1e-3;
    Bench clipped(options, sgd());
    const train::StepReport report = clipped.run(16, {16});
    double values = 0;
    for (const auto& named : clipped.model->parameters()) values += static_cast<double>(named.tensor.numel());
    QVERIFY(report.grad_norm.item<double>() <= 1e-3 * std::sqrt(values));
    for (const auto& named : clipped.model->parameters()) QVERIFY(named.tensor.grad().abs().max().item<double>() <= 1e-3 + 1e-9);
  }

  void frozenPartsStay() {
    train::StepOptions options;
    options.freeze = {"1.*"};
    options.ema_decay = 0.9;
    Bench bench(options);
    const auto before = bench.copies();
    bench.run(16, {16});
    const auto after = bench.copies();
    QVERIFY(at::equal(before[0], after[0]) && at::equal(before[1], after[1]));
    QVERIFY(!at::equal(before[2], after[2]) && !at::equal(before[3], after[3]));
    QVERIFY(!bench.model->parameters()[0].tensor.grad().defined());
    QCOMPARE(bench.step->averaged().size(), size_t{4});  // all that evaluation needs
  }

  // A factor of a tenth is a tenth of the rate.
  void groupsHaveTheirOwnRates() {
    train::StepOptions options;
    options.rules = {{"3.*", 0.1, {}, false}};
    Bench plain({}, sgd()), grouped(options, sgd());
    const auto before = plain.copies();
    plain.run(16, {16});
    grouped.run(16, {16});
    const auto full = plain.copies(), factored = grouped.copies();
    QVERIFY(at::equal(full[0], factored[0]));
    QVERIFY(at::allclose((full[2] - before[2]) * 0.1, factored[2] - before[2], 1e-3, 1e-7));
  }

  void theAverageFollows() {
    train::StepOptions options;
    options.ema_decay = 0.75;
    Bench bench(options, sgd());
    bench.run(16, {16});
    std::vector<at::Tensor> expected = bench.copies();
    for (int step = 0; step < 3; ++step) {
      bench.run(16, {16});
      const auto now = bench.copies();
      for (size_t i = 0; i < now.size(); ++i) expected[i] = expected[i] * 0.75 + now[i] * 0.25;
    }
    std::vector<at::Tensor> averaged;
    for (const auto& named : bench.step->averaged()) averaged.push_back(named.tensor);
    QVERIFY(distance(averaged, expected) < 1e-6);
    QCOMPARE(bench.step->averaged()[0].name, bench.model->parameters()[0].name);
  }

  // Everything that the next step depends on: optimizer, scaler, average.
  void savedStateContinuesToTheBit() {
    Bench straight(halfPrecision()), stopped(halfPrecision());
    for (int step = 0; step < 6; ++step) straight.run(16, {16}, step == 1);
    for (int step = 0; step < 3; ++step) stopped.run(16, {16}, step == 1);
    std::vector<models::NamedTensor> state;
    Json scalars = Json::object();
    stopped.step->collect(state, scalars);
    const fs::path file = fs::path(dir_.path().toStdString()) / "optimizer.safetensors";
    QVERIFY(replaceFile(file, models::toSafetensors(state)));
    const auto tensors = models::SafetensorsFile::open(file);
    QVERIFY(tensors);
    Bench resumed(halfPrecision());
    const auto weights = stopped.copies();
    for (size_t i = 0; i < weights.size(); ++i) resumed.model->parameters()[i].tensor.detach().copy_(weights[i]);
    QVERIFY(resumed.step->restore({*tensors, scalars, "x"}));
    for (int step = 3; step < 6; ++step) resumed.run(16, {16});
    QVERIFY(equal(resumed.copies(), straight.copies()));
    for (const char* name : {"scaler.scale", "step", "ema_updates"}) QCOMPARE(resumed.scalar(name), straight.scalar(name));
    for (size_t i = 0; i < weights.size(); ++i) QVERIFY(at::equal(resumed.step->averaged()[i].tensor, straight.step->averaged()[i].tensor));
  }

  // Computing activations twice changes no bit, also where the first layers are frozen.
  void activationsComputedTwice_data() {
    QTest::addColumn<QString>("freeze");
    QTest::newRow("all train") << "";
    QTest::newRow("the first layer is frozen") << QString::fromStdString(golden::model("smallcnn")->parameters().front().name);
  }
  void activationsComputedTwice() {
    QFETCH(QString, freeze);
    train::StepOptions keep, twice;
    twice.keep = parallel::Keep::InputOnly;
    if (!freeze.isEmpty()) keep.freeze = twice.freeze = {freeze.toStdString()};
    Bench a(keep, sgd(), "smallcnn"), b(twice, sgd(), "smallcnn");
    for (int step = 0; step < 2; ++step) {
      a.run(16, {8, 8});
      b.run(16, {8, 8});
    }
    QVERIFY(equal(a.copies(), b.copies()));
    for (size_t i = 0; i < a.model->buffers().size(); ++i) QVERIFY(at::equal(a.model->buffers()[i].tensor, b.model->buffers()[i].tensor));
  }
};

QTEST_APPLESS_MAIN(TestStep)
#include "tst_step.moc"
