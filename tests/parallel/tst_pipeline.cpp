// A network in stages on threads of this process learns what one device learns.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <QTest>

#include <thread>

#include "core/catalogue/catalogue.h"
#include "core/train/pipeline_step.h"
#include "tests/golden/golden.h"

using namespace trainyard;
using parallel::PipelineOrder;

namespace {

recipe::Choice chosen(std::span<const catalogue::Descriptor> table, const std::string& id, const Json& params = Json::object()) {
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(table, id)->params) choice.params[spec.key] = spec.fallback;
  for (const auto& [key, value] : params.items()) choice.params[key] = value;
  return choice;
}

recipe::Choice adamw() { return chosen(catalogue::optimizers(), "adamw"); }

recipe::Choice sgd() { return chosen(catalogue::optimizers(), "sgd", {{"momentum", 0.9}}); }

struct Network {
  recipe::Choice arch;
  models::InputShape shape;
  int64_t classes = 10;
  bool text() const { return arch.id == "gpt"; }
};

Network networkOf(const std::string& id) {
  const auto arch = [](const char* name, const Json& params) { return chosen(catalogue::architectures(), name, params); };
  if (id == "gpt") return {arch("gpt", {{"layers", 3}, {"width", 32}, {"heads", 2}, {"context", 16}, {"dropout", 0.0}}), {1, 1, 16}, 50};
  if (id == "vit_tiny") return {arch("vit_tiny", {{"dropout", 0.0}, {"attention_dropout", 0.0}}), {3, 32, 32}};
  if (id == "resnet18") return {arch("resnet18", {{"norm", "group"}}), {3, 32, 32}};
  if (id == "batch_norm") return {arch("resnet18", {{"norm", "batch"}}), {3, 32, 32}};
  return {arch("mlp", {{"hidden", {32, 24, 16}}}), {1, 8, 8}};
}

std::unique_ptr<models::Model> modelOf(const Network& network) {
  auto made = models::make(network.arch, network.shape, network.classes, 0);
  if (!made) qFatal("%s", toText(made.error()).c_str());
  golden::fill(**made);
  // So that an infinite third pixel leaves the first layer as zero: only the gradients of that layer are not finite.
  if (network.arch.id == "mlp") (*made)->parameters().front().tensor.detach().select(1, 3).fill_(-0.1);
  models::moveTo(**made, at::kCPU);
  return std::move(*made);
}

struct Setting {
  std::string network = "mlp";
  int stages = 2, replicas = 1, steps = 10;
  int64_t batch = 8, accumulate = 1;  // samples in a step over all replicas
  uint64_t micro_batches = 4;
  PipelineOrder order = PipelineOrder::OneForwardOneBackward;
  recipe::Choice optimizer = adamw();
  train::StepOptions options;
  bool mixed = false, class_weights = false;
  int broken_step = -1;  // an input of this step is infinite
};

struct Data {
  at::Tensor inputs, targets, partners;
};
Data dataOf(const Setting& setting, const Network& network, int step) {
  at::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(step) + 1);
  const auto longs = at::TensorOptions(at::kLong);
  Data data;
  if (network.text()) {
    data.inputs = at::randint(0, network.classes, {setting.batch, network.shape.width}, generator, longs);
    data.targets = at::randint(0, network.classes, {setting.batch, network.shape.width}, generator, longs);
    data.targets.view(-1)[3] = train::kIgnored;
    return data;
  }
  data.inputs = at::randn({setting.batch, network.shape.channels, network.shape.height, network.shape.width}, generator, at::TensorOptions(at::kFloat));
  if (network.arch.id != "mlp") data.inputs = data.inputs.contiguous(at::MemoryFormat::ChannelsLast);
  if (step == setting.broken_step) data.inputs.view(-1)[3] = INFINITY;
  data.targets = at::randint(0, network.classes, {setting.batch}, generator, longs);
  data.partners = at::randint(0, network.classes, {setting.batch}, generator, longs);
  return data;
}

// The batches of one of `replicas` that share the step.
std::vector<loader::Batch> batchesOf(const Setting& setting, const Network& network, const Data& data, int replica, int replicas) {
  std::vector<loader::Batch> out;
  const int64_t pieces = setting.accumulate * replicas;
  for (int64_t m = 0; m < setting.accumulate; ++m) {
    const int64_t piece = m * replicas + replica, begin = setting.batch * piece / pieces, length = setting.batch * (piece + 1) / pieces - begin;
    auto batch = golden::batch(data.inputs.narrow(0, begin, length), data.targets.narrow(0, begin, length), static_cast<double>(setting.batch));
    batch.micro = static_cast<uint32_t>(m);
    batch.weight = static_cast<double>(length);
    if (network.text()) batch.inputs.element = loader::Element::I64;
    if (setting.mixed) {
      const at::Tensor partners = data.partners.narrow(0, begin, length);
      batch.targets_b = {static_cast<std::byte*>(partners.data_ptr()), loader::Element::I64, partners.sizes().vec(), partners.strides().vec()};
      batch.mix = 0.7F;
    }
    out.push_back(std::move(batch));
  }
  return out;
}

train::StepOptions optionsOf(const Setting& setting, const Network& network) {
  train::StepOptions options = setting.options;
  options.task = network.text() ? data::Task::Tokens : data::Task::Classes;
  if (setting.class_weights) options.loss.class_weights = at::linspace(0.5, 2, network.classes);
  return options;
}

using Tensors = std::map<std::string, at::Tensor>;

struct Learned {
  std::vector<double> losses, norms, weights, samples, scales;
  std::vector<bool> skipped;
  Tensors model, optimizer, average;
  Json scalars = Json::object();
  at::Tensor answers;
  train::RankTimes times;
  std::string error;
};

void note(Learned& out, const train::StepReport& report) {
  out.losses.push_back(report.loss_sum.item<double>());
  out.norms.push_back(report.grad_norm.defined() ? report.grad_norm.item<double>() : -1);
  out.weights.push_back(report.weight);
  out.samples.push_back(static_cast<double>(report.samples));
  out.skipped.push_back(report.skipped);
  out.scales.push_back(report.loss_scale);
}

void keep(Learned& out, const train::TrainStep& step) {
  const auto parts = step.parts();
  if (!parts) qFatal("%s", toText(parts.error()).c_str());
  for (const auto& part : parts->model) out.model.emplace(part.name, part.tensor.detach().clone());
  for (const auto& part : parts->optimizer) out.optimizer.emplace(part.name, part.tensor.detach().clone());
  out.scalars = parts->scalars;
  for (const auto& named : step.averaged()) out.average.emplace(named.name, named.tensor.detach().clone());
}

// Steps first … last - 1 of one rank. Where it is the first stage of its replica it has data.
void learn(train::TrainStep& step, const Setting& setting, const Network& network, int first, int last, int replica, bool has_data, Learned& out) {
  const schedule::Hyper hyper = schedule::hyperOf(setting.optimizer);
  for (int s = first; s < last; ++s) {
    const Data data = dataOf(setting, network, s);
    auto batches = has_data ? batchesOf(setting, network, data, replica, setting.replicas) : std::vector<loader::Batch>();
    models::RunContext context;
    context.training = true;
    context.step = static_cast<uint64_t>(s);
    const auto report = step.run(batches, hyper, context, true);
    if (!report) {
      out.error = toText(report.error());
      return;
    }
    note(out, *report);
  }
  models::RunContext context;
  auto answers = step.answer(has_data ? dataOf(setting, network, 99).inputs : at::Tensor(), context);
  if (!answers) out.error = toText(answers.error());
  if (answers) out.answers = *answers;
}

Learned alone(Setting setting) {
  setting.replicas = 1;
  const Network network = networkOf(setting.network);
  const auto model = modelOf(network);
  auto step = train::makeSingleStep(*model, setting.optimizer, optionsOf(setting, network));
  if (!step) qFatal("%s", toText(step.error()).c_str());
  Learned out;
  const at::NoGradGuard no_grad;
  at::AutoGradMode grad(true);
  learn(**step, setting, network, 0, setting.steps, 0, true, out);
  keep(out, **step);
  return out;
}

// What every rank learned, of all replicas: stage s of replica r is r · stages + s. `before` and `after` are called on its thread.
using OnRank = std::function<void(train::TrainStep&, int rank)>;
std::vector<Learned> together(const Setting& setting, int first = 0, const OnRank& before = {}, const OnRank& after = {}) {
  const Network network = networkOf(setting.network);
  const int ranks = setting.stages * setting.replicas;
  const auto world = comm::localCommunicators(ranks, {20});
  std::vector<Learned> out(static_cast<size_t>(ranks));
  const auto work = [&](int rank) {
    Learned& own = out[static_cast<size_t>(rank)];
    at::set_num_threads(1);
    const int stage = rank % setting.stages, replica = rank / setting.stages;
    auto& comm = *world[static_cast<size_t>(rank)];
    std::vector<int> stages, replicas;
    for (int s = 0; s < setting.stages; ++s) stages.push_back(replica * setting.stages + s);
    for (int r = 0; r < setting.replicas; ++r) replicas.push_back(r * setting.stages + stage);
    const auto along = comm.split(stages), across = comm.split(replicas);
    const auto model = modelOf(network);
    const auto cut = parallel::cutByCost(parallel::blockCosts(*model, network.shape, network.text()), static_cast<size_t>(setting.stages));
    if (!along || !across || !cut) throw std::runtime_error("no ranks");
    auto step = train::makePipelineStep(*model, setting.optimizer, optionsOf(setting, network), {along->get(), setting.replicas > 1 ? across->get() : nullptr},
                                        {*cut, setting.order, setting.micro_batches});
    if (!step) throw std::runtime_error(toText(step.error()));
    if (before) before(**step, rank);
    learn(**step, setting, network, first, setting.steps, replica, stage == 0, own);
    if (after) after(**step, rank);
    own.times = (*step)->times();
    keep(own, **step);
    for (const auto& named : model->parameters()) {  // copies of shared ones, which parts() leaves to their owner
      if (named.tensor.storage().nbytes() >= named.tensor.nbytes()) own.model.emplace(named.name, named.tensor.detach().clone());
    }
  };
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        work(rank);
      } catch (const std::exception& error) {
        out[static_cast<size_t>(rank)].error = error.what();
      }
      const auto& failed = out[static_cast<size_t>(rank)].error;
      if (!failed.empty()) world[static_cast<size_t>(rank)]->abort({ErrorCode::Device, failed, "rank " + std::to_string(rank), {}});
    });
  }
  threads.clear();
  return out;
}

double furthest(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return INFINITY;
  return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

QString unequal(const std::vector<Learned>& ranks, const Learned& one, double weights) {
  for (const auto& rank : ranks) {
    if (!rank.error.empty()) return QString::fromStdString(rank.error);
    for (size_t s = 0; s < one.losses.size(); ++s) {
      if (!golden::near(rank.losses[s], one.losses[s], 1e-5, 1e-6))
        return QString("loss of step %1: %2, %3 on one device").arg(s).arg(rank.losses[s]).arg(one.losses[s]);
      if (!golden::near(rank.norms[s], one.norms[s], 1e-4, 1e-6))
        return QString("norm of step %1: %2, %3 on one device").arg(s).arg(rank.norms[s]).arg(one.norms[s]);
      if (rank.weights[s] != one.weights[s] || rank.samples[s] != one.samples[s])
        return QString("weight of step %1: %2, %3 on one device").arg(s).arg(rank.weights[s]).arg(one.weights[s]);
    }
    for (const auto& [name, tensor] : rank.model) {
      const double distance = furthest(tensor, one.model.at(name));
      if (!(distance <= weights)) return QString("%1 is %2 from that of one device").arg(QString::fromStdString(name)).arg(distance);
    }
    for (const auto& [name, tensor] : rank.average) {
      if (!(furthest(tensor, one.average.at(name)) <= weights)) return QString("average of %1").arg(QString::fromStdString(name));
    }
  }
  return {};
}

// Names that all ranks together would save, each once.
QString notSaved(const std::vector<Learned>& ranks, const Learned& one) {
  std::map<std::string, int> optimizer;
  for (const auto& rank : ranks) {
    for (const auto& [name, tensor] : rank.optimizer) ++optimizer[name];
  }
  for (const auto& [name, tensor] : one.optimizer) {
    if (optimizer[name] != 1) return QString("%1 is saved %2 times").arg(QString::fromStdString(name)).arg(optimizer[name]);
  }
  return optimizer.size() == one.optimizer.size() ? QString() : QString("%1 tensors, %2 on one device").arg(optimizer.size()).arg(one.optimizer.size());
}

}  // namespace

class TestPipeline : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void learnsWhatOneDeviceLearns_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("stages");
    QTest::addColumn<bool>("gpipe");
    QTest::addColumn<int>("replicas");
    QTest::newRow("mlp") << "mlp" << 2 << false << 1;
    QTest::newRow("mlp, three stages, gpipe") << "mlp" << 3 << true << 1;
    QTest::newRow("mlp, two by two") << "mlp" << 2 << false << 2;
    QTest::newRow("gpt") << "gpt" << 2 << false << 1;
    QTest::newRow("gpt, three stages") << "gpt" << 3 << false << 1;
    QTest::newRow("gpt, gpipe") << "gpt" << 2 << true << 1;
    QTest::newRow("gpt, two by two") << "gpt" << 2 << false << 2;
    QTest::newRow("resnet18") << "resnet18" << 2 << false << 1;
    QTest::newRow("vit_tiny") << "vit_tiny" << 3 << false << 1;
  }
  void learnsWhatOneDeviceLearns() {
    QFETCH(QString, network);
    QFETCH(int, stages);
    QFETCH(bool, gpipe);
    QFETCH(int, replicas);
    Setting setting;
    setting.network = network.toStdString();
    setting.stages = stages;
    setting.replicas = replicas;
    if (gpipe) setting.order = PipelineOrder::GPipe;
    // AdamW makes whole steps of gradients that are nothing but rounding, as attention's key biases have.
    setting.optimizer = network == "mlp" ? adamw() : sgd();
    if (network == "resnet18" || network == "vit_tiny") setting.steps = 4;
    setting.options.ema_decay = 0.9;
    setting.options.clip_norm = 0.5;
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    QVERIFY(furthest(ranks[0].answers, one.answers) < 1e-4);
    for (size_t r = 1; r < ranks.size(); ++r) QCOMPARE(ranks[r].answers.defined(), r % static_cast<size_t>(stages) == 0);
    const QString missing = notSaved(ranks, one);
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
    QCOMPARE(ranks[0].scalars == one.scalars, true);
  }

  // The embedding's table is in the first stage and in the last.
  void sharedTablesStayEqualToTheBit() {
    for (const int replicas : {1, 2}) {
      Setting setting;
      setting.network = "gpt";
      setting.stages = 3;
      setting.replicas = replicas;
      setting.options.clip_norm = 0.1;
      const auto ranks = together(setting);
      for (const auto& rank : ranks) QVERIFY2(rank.error.empty(), rank.error.c_str());
      QVERIFY(!ranks[1].model.contains("wte.weight"));
      for (size_t r = 0; r < ranks.size(); ++r) {
        if (r % 3 != 1) QVERIFY(at::equal(ranks[r].model.at("wte.weight"), ranks[0].model.at("wte.weight")));
      }
    }
  }

  void anyBatchIsCut_data() {
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("accumulate");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<int>("parts");
    QTest::newRow("not divisible") << 7 << 1 << 1 << 4;
    QTest::newRow("fewer samples than parts") << 3 << 1 << 1 << 4;
    QTest::newRow("one part") << 6 << 1 << 1 << 1;
    QTest::newRow("accumulated") << 12 << 4 << 1 << 4;
    QTest::newRow("accumulated and cut") << 13 << 2 << 1 << 5;
    QTest::newRow("a replica without samples") << 1 << 1 << 2 << 4;
  }
  void anyBatchIsCut() {
    QFETCH(int, batch);
    QFETCH(int, accumulate);
    QFETCH(int, replicas);
    QFETCH(int, parts);
    Setting setting;
    setting.batch = batch;
    setting.accumulate = accumulate;
    setting.replicas = replicas;
    setting.micro_batches = static_cast<uint64_t>(parts);
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void mixedAndWeightedTargets_data() {
    QTest::addColumn<int>("replicas");
    QTest::newRow("one network") << 1;
    QTest::newRow("two that share the batch") << 2;
  }
  void mixedAndWeightedTargets() {
    QFETCH(int, replicas);
    Setting setting;
    setting.replicas = replicas;
    setting.mixed = setting.class_weights = true;
    setting.options.loss.label_smoothing = 0.1;
    setting.options.clip_value = 0.05;
    const Learned one = alone(setting);
    QVERIFY(one.weights[0] != 8);
    const auto ranks = together(setting);
    const QString difference = unequal(ranks, one, 1e-4);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  // Whatever of the network is frozen, patterns that fit other stages' parameters alone included.
  void frozenPartsStay_data() {
    QTest::addColumn<QString>("freeze");
    QTest::newRow("the first stage") << "first";
    QTest::newRow("the last stage") << "last";
  }
  void frozenPartsStay() {
    QFETCH(QString, freeze);
    Setting setting;
    const auto model = modelOf(networkOf("mlp"));
    const auto cut = parallel::cutByCost(parallel::blockCosts(*model, {1, 8, 8}, false), 2);
    QVERIFY(cut);
    const auto& stage = freeze == "first" ? cut->stages.front() : cut->stages.back();
    for (size_t b = stage.first; b <= stage.last; ++b) {
      for (const auto& name : model->blocks()[b].parameters) setting.options.freeze.push_back(name);
    }
    for (const auto checkpointing : {parallel::Keep::Graph, parallel::Keep::InputOnly}) {
      setting.options.keep = checkpointing;
      const Learned one = alone(setting);
      const auto ranks = together(setting);
      const QString difference = unequal(ranks, one, 1e-4);
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
      const QString missing = notSaved(ranks, one);
      QVERIFY2(missing.isEmpty(), qPrintable(missing));
    }
  }

  void activationsComputedTwice_data() {
    QTest::addColumn<QString>("network");
    QTest::newRow("gpt") << "gpt";
    QTest::newRow("batch norm") << "batch_norm";
  }
  void activationsComputedTwice() {
    QFETCH(QString, network);
    Setting setting, twice;
    setting.network = network.toStdString();
    setting.steps = 3;
    twice = setting;
    twice.options.keep = parallel::Keep::InputOnly;
    const auto once = together(setting), again = together(twice);
    for (size_t r = 0; r < once.size(); ++r) {
      QVERIFY2(once[r].error.empty() && again[r].error.empty(), (once[r].error + again[r].error).c_str());
      QVERIFY(once[r].losses == again[r].losses);
      for (const auto& [name, tensor] : once[r].model) QVERIFY2(at::equal(tensor, again[r].model.at(name)), name.c_str());
    }
  }

  // bf16 crosses borders as bf16, and the parts are those that accumulation makes on one device.
  void halfPrecisionCrossesBorders() {
    Setting setting;
    setting.network = "gpt";
    setting.accumulate = 4;
    setting.options.autocast = at::kBFloat16;
    const Learned one = alone(setting);
    const auto ranks = together(setting);
    for (const auto& rank : ranks) QVERIFY2(rank.error.empty(), rank.error.c_str());
    for (size_t s = 0; s < one.losses.size(); ++s) COMPARE_NEAR(ranks[0].losses[s], one.losses[s], 2e-3, 0, "loss of step " + std::to_string(s));
  }

  // Gradients of the first stage alone are not finite: all stages leave the step out and shrink the scale.
  void allSkipTogether() {
    Setting setting;
    setting.broken_step = 2;
    setting.steps = 5;
    setting.options.scaler = optim::ScalerOptions();
    const Learned one = alone(setting);
    QVERIFY((one.skipped == std::vector<bool>{false, false, true, false, false}));
    QVERIFY(std::isfinite(one.losses[2]));
    const auto ranks = together(setting);
    for (const auto& rank : ranks) {
      QVERIFY2(rank.error.empty(), rank.error.c_str());
      QVERIFY(rank.skipped == one.skipped);
      QVERIFY(rank.scales == one.scales);
      for (const auto& [name, tensor] : rank.model) QVERIFY2(furthest(tensor, one.model.at(name)) < 1e-4, name.c_str());
    }
  }

  // Whole tensors, as all ranks' parts make them, go on in any number of stages.
  void savedStateContinues() {
    Setting setting;
    setting.network = "gpt";
    setting.options.ema_decay = 0.9;
    const auto straight = together(setting);
    Setting half = setting;
    half.steps = 5;
    half.stages = 3;
    std::vector<models::NamedTensor> model, optimizer;
    for (const auto& rank : together(half)) {
      QVERIFY2(rank.error.empty(), rank.error.c_str());
      for (const auto& [name, tensor] : rank.optimizer) optimizer.push_back({name, tensor});
      for (const auto& [name, tensor] : rank.model) {
        if (std::none_of(model.begin(), model.end(), [&name = name](const auto& named) { return named.name == name; })) model.push_back({name, tensor});
      }
    }
    const Json scalars = together(half)[0].scalars;
    const fs::path dir = dir_.path().toStdString();
    QVERIFY(replaceFile(dir / "model", models::toSafetensors(model)));
    QVERIFY(replaceFile(dir / "optimizer", models::toSafetensors(optimizer)));
    const auto model_file = models::SafetensorsFile::open(dir / "model"), optimizer_file = models::SafetensorsFile::open(dir / "optimizer");
    QVERIFY(model_file && optimizer_file);
    const auto ranks = together(setting, 5, [&](train::TrainStep& step, int) {
      const auto restored = step.restoreParts({*model_file, scalars, "model"}, {*optimizer_file, scalars, "optimizer"});
      if (!restored) throw std::runtime_error(toText(restored.error()));
    });
    for (size_t r = 0; r < ranks.size(); ++r) {
      QVERIFY2(ranks[r].error.empty(), ranks[r].error.c_str());
      for (size_t s = 0; s < 5; ++s) COMPARE_NEAR(ranks[r].losses[s], straight[0].losses[s + 5], 1e-5, 0, "loss");
      for (const auto& [name, tensor] : ranks[r].model) QVERIFY2(furthest(tensor, straight[r].model.at(name)) < 1e-6, name.c_str());
      for (const auto& [name, tensor] : ranks[r].average) QVERIFY2(furthest(tensor, straight[r].average.at(name)) < 1e-6, name.c_str());
    }
    // What does not fit is named.
    const auto wrong = together(setting, 9, [&](train::TrainStep& step, int) {
      const auto restored = step.restoreParts({*optimizer_file, scalars, "model.safetensors"}, {*optimizer_file, scalars, "optimizer"});
      if (!restored) throw std::runtime_error(toText(restored.error()));
    });
    QVERIFY(QString::fromStdString(wrong[0].error).contains("model.safetensors"));
  }

  void answersAreThoseOfOneDevice() {
    for (const char* network : {"gpt", "resnet18"}) {
      Setting setting;
      setting.network = network;
      setting.steps = 0;
      setting.batch = 7;
      const Learned one = alone(setting);
      const auto ranks = together(setting);
      QVERIFY2(ranks[0].error.empty(), ranks[0].error.c_str());
      QCOMPARE(ranks[0].answers.sizes() == one.answers.sizes(), true);
      QVERIFY2(furthest(ranks[0].answers, one.answers) < 1e-6 * std::max(1.0, one.answers.abs().max().item<double>()), network);
    }
  }

  void timesAddUp() {
    Setting setting;
    setting.steps = 2;
    const auto ranks = together(setting);
    for (const auto& rank : ranks) {
      QVERIFY(rank.times.compute_s > 0 && rank.times.comm_s > 0 && rank.times.wait_s > 0);
      QVERIFY(rank.times.compute_s + rank.times.comm_s + rank.times.wait_s < 20);
    }
  }

  // One rank's failure reaches those that wait for it.
  void aRankThatFailsEndsAll() {
    Setting setting;
    const auto ranks = together(setting, 0, [](train::TrainStep&, int rank) {
      if (rank == 1) throw std::runtime_error("out of memory on rank 1");
    });
    for (const auto& rank : ranks) QVERIFY2(rank.error.find("out of memory on rank 1") != std::string::npos, rank.error.c_str());
  }

  void stagesAreAsManyAsRanks() {
    const auto model = modelOf(networkOf("mlp"));
    const auto cut = parallel::cutByCost(parallel::blockCosts(*model, {1, 8, 8}, false), 3);
    const auto world = comm::localCommunicators(2, {5});
    const auto step = train::makePipelineStep(*model, adamw(), {}, {world[0].get(), nullptr}, {*cut, PipelineOrder::GPipe, 4});
    QVERIFY(!step);
    QVERIFY(step.error().code == ErrorCode::Recipe);
    QVERIFY(step.error().what.find("3 stages") != std::string::npos && step.error().what.find("2 devices") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
