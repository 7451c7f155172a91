#pragma once
// Networks, batches and ranks for the tests of the strategy "sharded".
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <map>
#include <thread>

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "core/models/layers.h"
#include "core/train/sharded_step.h"
#include "tests/golden/golden.h"

namespace trainyard::sharded {

inline recipe::Choice withDefaults(std::span<const catalogue::Descriptor> table, const std::string& id) {
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(table, id)->params) choice.params[spec.key] = spec.fallback;
  return choice;
}

// eps: so large that gradients which are nothing but rounding do not move weights.
inline recipe::Choice optimizer(const std::string& id) {
  recipe::Choice choice = withDefaults(catalogue::optimizers(), id);
  if (choice.params.contains("eps") && choice.params["eps"].is_number()) choice.params["eps"] = 1e-4;
  if (id == "sgd") choice.params["momentum"] = 0.9;
  return choice;
}

// Convolutions with group norm between: channels_last, and counts that no number of ranks divides.
inline std::unique_ptr<models::Model> convolutions() {
  models::BlockList blocks(3);
  models::Store& store = blocks.store();
  const auto first = models::conv2d(store, "0", 3, 10, 3, 2, 1), second = models::conv2d(store, "1", 10, 14, {.kernel = 3, .stride = 2, .padding = 1});
  const auto norm_1 = models::groupNorm(store, "n0", 10, 2), norm_2 = models::groupNorm(store, "n1", 14, 7);
  blocks.add("convolutions", [=](const at::Tensor& x_NCHW, models::RunContext&) { return at::relu(norm_2(second(at::relu(norm_1(first(x_NCHW)))))); });
  blocks.add("means", [](const at::Tensor& x_NCHW, models::RunContext&) { return models::channelMeans(x_NCHW); });
  const auto hidden = models::linear(store, "hidden", 14, 9);
  blocks.add("hidden", [=](const at::Tensor& x_NC, models::RunContext&) { return at::tanh(hidden(x_NC)); });
  const auto head = models::linear(store, "head", 9, 10);
  blocks.add("head", [=](const at::Tensor& x_NC, models::RunContext&) { return head(x_NC); });
  return blocks.finish(true);
}

// Logits a + b · x of one number x. Where x is very large and b zero, the scaled gradient of b is infinite, and that of a is not: they are with
// different ranks.
inline std::unique_ptr<models::Model> spike() {
  models::BlockList blocks(4);
  at::Tensor a_K = blocks.store().parameter("a", {10}), b_K = blocks.store().parameter("b", {10});
  blocks.store().uniform(a_K, 1);
  blocks.add("spike", [=](const at::Tensor& x_NCHW, models::RunContext&) { return a_K + b_K * x_NCHW.select(3, 0).flatten(1).narrow(1, 0, 1); });
  return blocks.finish(false);
}

inline bool readsText(const std::string& network) { return network.ends_with("gpt"); }

inline std::unique_ptr<models::Model> network(const std::string& id) {
  if (id == "mlp") return golden::model("mlp");
  std::unique_ptr<models::Model> model;
  if (id == "convolutions" || id == "spike") {
    model = id == "spike" ? spike() : convolutions();
  } else {
    const int width = id == "wide gpt" ? 64 : 20;
    recipe::Choice arch{id, id == "resnet18" ? Json{{"norm", "group"}} : Json::object()};
    if (readsText(id)) arch = {"gpt", {{"layers", 2}, {"heads", 2}, {"width", width}, {"dropout", 0.0}}};
    auto made = models::make(arch, readsText(id) ? models::InputShape{1, 1, 12} : models::InputShape{3, 32, 32}, readsText(id) ? 23 : 10, 5);
    if (!made) qFatal("%s", toText(made.error()).c_str());
    model = std::move(*made);
  }
  models::moveTo(*model, at::kCPU);
  return model;
}

// Everything there is to train on; of texts, many places in the first half of each batch do not count.
struct Samples {
  at::Tensor inputs, targets;
  data::Task task = data::Task::Classes;
};
inline Samples samples(const std::string& id, int64_t count) {
  at::Generator generator = at::detail::createCPUGenerator(8);
  if (!readsText(id)) {
    const std::vector<int64_t> sizes = id == "mlp" ? std::vector<int64_t>{count, 1, 28, 28} : std::vector<int64_t>{count, 3, 32, 32};
    return {at::randn(sizes, generator, at::TensorOptions(at::kFloat)), at::randint(0, 10, {count}, generator, at::TensorOptions(at::kLong))};
  }
  const at::Tensor text_NT = at::randint(0, 23, {count, 13}, generator, at::TensorOptions(at::kLong));
  Samples texts{text_NT.narrow(1, 0, 12).contiguous(), text_NT.narrow(1, 1, 12).contiguous(), data::Task::Tokens};
  for (int64_t i = 0; i < count; i += 3) texts.targets[i].narrow(0, 0, 9).fill_(train::kIgnored);
  return texts;
}

// Of `count` samples from `first`, those that rank `rank` of `ranks` gets, in `micros` parts; as the loader cuts a step.
inline std::vector<loader::Batch> cut(const Samples& all, int64_t first, int64_t count, int rank, int ranks, int micros) {
  const int64_t begin = count * rank / ranks, length = count * (rank + 1) / ranks - begin;
  std::vector<loader::Batch> batches;
  for (int micro = 0; micro < micros; ++micro) {
    const int64_t at = length * micro / micros, end = length * (micro + 1) / micros;
    loader::Batch batch =
        golden::batch(all.inputs.narrow(0, first + begin + at, end - at), all.targets.narrow(0, first + begin + at, end - at), static_cast<double>(count));
    if (all.task == data::Task::Tokens) batch.inputs.element = loader::Element::I64;
    batch.weight = static_cast<double>(end - at);
    batch.micro = static_cast<uint32_t>(micro);
    batches.push_back(std::move(batch));
  }
  return batches;
}

inline models::RunContext training() {
  models::RunContext context;
  context.training = true;
  return context;
}

// Each rank on a thread of its own; what they give, by rank.
template <class Work>
auto onRanks(int ranks, const comm::CommOptions& options, Work work) {
  using Value = decltype(work(std::declval<comm::Communicator&>()));
  const auto communicators = comm::localCommunicators(ranks, options);
  std::vector<Value> values(static_cast<size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (size_t rank = 0; rank < values.size(); ++rank) {
      threads.emplace_back([&, rank] {
        at::set_num_threads(1);
        values[rank] = work(*communicators[rank]);
      });
    }
  }
  return values;
}

// What ranks give to a checkpoint, put together; fails where a value is covered twice or never.
struct Whole {
  std::vector<models::NamedTensor> model, optimizer;
  Json scalars;
};
inline std::vector<models::NamedTensor> joined(const std::vector<const std::vector<train::StatePart>*>& all) {
  std::map<std::string, std::pair<at::Tensor, at::Tensor>> wholes;  // values, how often
  for (const auto* parts : all) {
    for (const auto& part : *parts) {
      auto& [values, times] = wholes[part.name];
      if (!values.defined()) {
        values = at::zeros(part.full_sizes, part.tensor.options().requires_grad(false));
        times = at::zeros(part.full_sizes);
      }
      if (values.sizes() != at::IntArrayRef(part.full_sizes)) qFatal("%s has two shapes", part.name.c_str());
      values.view({-1}).narrow(0, part.offset, part.tensor.numel()).copy_(part.tensor.detach().contiguous().view({-1}));
      times.view({-1}).narrow(0, part.offset, part.tensor.numel()).add_(1);
    }
  }
  std::vector<models::NamedTensor> out;
  for (auto& [name, whole] : wholes) {
    if (!at::equal(whole.second, at::ones_like(whole.second))) qFatal("%s is not covered once", name.c_str());
    out.push_back({name, whole.first});
  }
  return out;
}
inline Whole joined(const std::vector<train::StateParts>& ranks) {
  std::vector<const std::vector<train::StatePart>*> model, optimizer;
  for (const auto& rank : ranks) {
    model.push_back(&rank.model);
    optimizer.push_back(&rank.optimizer);
  }
  return {joined(model), joined(optimizer), ranks.front().scalars};
}

inline train::StateParts copied(train::StateParts parts) {
  for (auto* list : {&parts.model, &parts.optimizer}) {
    for (auto& part : *list) part.tensor = part.tensor.detach().clone();
  }
  return parts;
}

constexpr int64_t kBatch = 12;

// How a network is trained; stage 0: by one device, on the joint batch.
struct Case {
  std::string network = "mlp", optimizer = "adamw";
  int stage = 3, ranks = 2, micros = 1, steps = 10;
  int64_t batch = kBatch;
  double lr = 1e-3;
  train::StepOptions options;
  int64_t join_below = 0;
  int broken_step = -1;  // in it, the first sample has `broken_value` everywhere
  float broken_value = INFINITY;
  double tolerance = 1e-4;
};

struct Outcome {
  std::vector<train::StepReport> reports;
  train::StateParts parts;
  std::vector<models::NamedTensor> averaged;
  parallel::ShardMemory held;
  train::RankTimes times;  // of the last step
  double wall_s = 0;       // of it
  at::Tensor answer;
  std::string error;
};

inline std::unique_ptr<train::TrainStep> makeStep(const Case& c, const models::Model& model, comm::Communicator* comm, Outcome& outcome,
                                                  train::ShardedStep** sharded) {
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
inline Outcome trained(const Case& c, comm::Communicator* comm, const models::StateReader* model_from = nullptr,
                       const models::StateReader* state_from = nullptr, int first = 0) {
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
    if (i == c.broken_step) {
      here.inputs = all.inputs.clone();
      here.inputs[i * c.batch].fill_(c.broken_value);
    }
    auto batches = cut(here, i * c.batch, c.batch, rank, ranks, c.micros);
    models::RunContext context = training();
    const double begin = steadySeconds();
    auto report = step->run(batches, {c.lr, 0.9}, context, true);
    if (!report) {
      outcome.error = toText(report.error());
      return outcome;
    }
    outcome.wall_s = steadySeconds() - begin;
    report->loss_sum = report->loss_sum.clone();
    outcome.reports.push_back(*report);
  }
  if (sharded != nullptr) {
    outcome.held = sharded->held();
    outcome.times = sharded->times();
  }
  outcome.parts = copied(*step->parts());
  if (c.steps == 0) return outcome;
  models::RunContext context;
  const at::NoGradGuard no_grad;
  // The last rank has nothing to answer, but for a rank that is alone.
  auto answer = step->answer(all.inputs.narrow(0, 0, ranks > 1 && rank + 1 == ranks ? 0 : 4), context);
  if (!answer)
    outcome.error = toText(answer.error());
  else
    outcome.answer = *answer;
  for (const auto& [name, tensor] : step->averaged()) outcome.averaged.push_back({name, tensor.clone()});
  return outcome;
}

inline std::vector<Outcome> trainedOnRanks(const Case& c, const models::StateReader* model = nullptr, const models::StateReader* state = nullptr,
                                           int first = 0) {
  return onRanks(c.ranks, {20}, [&](comm::Communicator& comm) { return trained(c, &comm, model, state, first); });
}

inline Whole wholeOf(const std::vector<Outcome>& outcomes) {
  std::vector<train::StateParts> parts;
  for (const auto& outcome : outcomes) parts.push_back(outcome.parts);
  return joined(parts);
}

inline double furthest(const std::vector<models::NamedTensor>& a, const std::vector<models::NamedTensor>& b) {
  double distance = a.size() == b.size() ? 0 : INFINITY;
  for (const auto& [name, tensor] : a) {
    const auto other = std::find_if(b.begin(), b.end(), [&name = name](const models::NamedTensor& named) { return named.name == name; });
    if (other == b.end() || other->tensor.sizes() != tensor.sizes()) return INFINITY;
    if (tensor.numel() > 0) distance = std::max(distance, (tensor.to(at::kDouble) - other->tensor.to(at::kDouble)).abs().max().item<double>());
  }
  return distance;
}

}  // namespace trainyard::sharded
