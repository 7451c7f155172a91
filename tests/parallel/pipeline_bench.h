#pragma once
// One network trained on one device, and in stages on threads of this process; what both learned.
#include <ATen/Parallel.h>

#include <map>
#include <thread>

#include "core/catalogue/catalogue.h"
#include "core/train/pipeline_step.h"
#include "core/train/pipeline_tensors.h"
#include "tests/golden/golden.h"

namespace trainyard::pipeline_bench {

using parallel::PipelineOrder;

inline recipe::Choice chosen(std::span<const catalogue::Descriptor> table, const std::string& id, const Json& params = Json::object()) {
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(table, id)->params) choice.params[spec.key] = spec.fallback;
  for (const auto& [key, value] : params.items()) choice.params[key] = value;
  return choice;
}

inline recipe::Choice adamw() { return chosen(catalogue::optimizers(), "adamw"); }

inline recipe::Choice sgd() { return chosen(catalogue::optimizers(), "sgd", {{"momentum", 0.9}}); }

struct Network {
  recipe::Choice arch;
  models::InputShape shape;
  int64_t classes = 10;
  bool text() const { return arch.id == "gpt"; }
};

inline Network networkOf(const std::string& id) {
  const auto arch = [](const char* name, const Json& params) { return chosen(catalogue::architectures(), name, params); };
  if (id == "gpt") return {arch("gpt", {{"layers", 3}, {"width", 32}, {"heads", 2}, {"context", 16}, {"dropout", 0.0}}), {1, 1, 16}, 50};
  if (id == "gpt_dropout") return {arch("gpt", {{"layers", 3}, {"width", 32}, {"heads", 2}, {"context", 16}, {"dropout", 0.2}}), {1, 1, 16}, 50};
  if (id == "vit_tiny") return {arch("vit_tiny", {{"dropout", 0.0}, {"attention_dropout", 0.0}}), {3, 32, 32}};
  if (id == "resnet18") return {arch("resnet18", {{"norm", "group"}}), {3, 32, 32}};
  if (id == "batch_norm") return {arch("resnet18", {{"norm", "batch"}}), {3, 32, 32}};
  return {arch("mlp", {{"hidden", {32, 24, 16}}}), {1, 8, 8}};
}

inline std::unique_ptr<models::Model> modelOf(const Network& network) {
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
  bool moved_ahead = false;  // a network too large for a device: the stage alone was moved to it
  int broken_step = -1;      // an input of this step is infinite
};

struct Data {
  at::Tensor inputs, targets, partners;
};
inline Data dataOf(const Setting& setting, const Network& network, int step) {
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
inline std::vector<loader::Batch> batchesOf(const Setting& setting, const Network& network, const Data& data, int replica, int replicas) {
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

inline train::StepOptions optionsOf(const Setting& setting, const Network& network) {
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

inline void note(Learned& out, const train::StepReport& report) {
  out.losses.push_back(report.loss_sum.item<double>());
  out.norms.push_back(report.grad_norm.defined() ? report.grad_norm.item<double>() : -1);
  out.weights.push_back(report.weight);
  out.samples.push_back(static_cast<double>(report.samples));
  out.skipped.push_back(report.skipped);
  out.scales.push_back(report.loss_scale);
}

inline void keep(Learned& out, const train::TrainStep& step) {
  const auto parts = step.parts();
  if (!parts) qFatal("%s", toText(parts.error()).c_str());
  for (const auto& part : parts->model) out.model.emplace(part.name, part.tensor.detach().clone());
  for (const auto& part : parts->optimizer) out.optimizer.emplace(part.name, part.tensor.detach().clone());
  out.scalars = parts->scalars;
  for (const auto& named : step.averaged()) out.average.emplace(named.name, named.tensor.detach().clone());
}

// Steps first … last - 1 of one rank. Where it is the first stage of its replica it has data.
inline void learn(train::TrainStep& step, const Setting& setting, const Network& network, int first, int last, int replica, bool has_data, Learned& out) {
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

inline Learned alone(Setting setting) {
  setting.replicas = 1;
  const Network network = networkOf(setting.network);
  const auto model = modelOf(network);
  auto step = train::makeSingleStep(*model, setting.optimizer, optionsOf(setting, network));
  if (!step) qFatal("%s", toText(step.error()).c_str());
  Learned out;
  learn(**step, setting, network, 0, setting.steps, 0, true, out);
  keep(out, **step);
  return out;
}

// What every rank learned, of all replicas: stage s of replica r is r · stages + s. `before` is called on its thread.
using OnRank = std::function<void(train::TrainStep&, int rank)>;
inline std::vector<Learned> together(const Setting& setting, int first = 0, const OnRank& before = {}) {
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
    for (const auto* group : {&along, &across}) {
      if (!*group) throw std::runtime_error(toText(group->error()));
    }
    if (!cut) throw std::runtime_error(toText(cut.error()));
    if (setting.moved_ahead) train::moveStage(*model, *cut, static_cast<size_t>(stage), at::kCPU);
    auto step = train::makePipelineStep(*model, setting.optimizer, optionsOf(setting, network), {along->get(), setting.replicas > 1 ? across->get() : nullptr},
                                        {*cut, setting.order, setting.micro_batches});
    if (!step) throw std::runtime_error(toText(step.error()));
    if (before) before(**step, rank);
    learn(**step, setting, network, first, setting.steps, replica, stage == 0, own);
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

inline double furthest(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return INFINITY;
  return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

inline QString unequal(const std::vector<Learned>& ranks, const Learned& one, double weights) {
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
inline QString notSaved(const std::vector<Learned>& ranks, const Learned& one) {
  std::map<std::string, int> optimizer;
  for (const auto& rank : ranks) {
    for (const auto& [name, tensor] : rank.optimizer) ++optimizer[name];
  }
  for (const auto& [name, tensor] : one.optimizer) {
    if (optimizer[name] != 1) return QString("%1 is saved %2 times").arg(QString::fromStdString(name)).arg(optimizer[name]);
  }
  return optimizer.size() == one.optimizer.size() ? QString() : QString("%1 tensors, %2 on one device").arg(optimizer.size()).arg(one.optimizer.size());
}

}  // namespace trainyard::pipeline_bench
