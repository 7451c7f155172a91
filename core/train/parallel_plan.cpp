#include "core/train/parallel_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "core/models/summary.h"
#include "core/parallel/shard_memory.h"
#include "core/train/network_facts.h"
#include "core/train/pipeline_plan.h"
#include "core/train/rank.h"
#include "core/train/sharded_step.h"

namespace trainyard::train {

namespace {

// Usual figures, for want of measured ones.
struct Rates {
  double multiply_adds, bytes;  // a second: of one device; between two
};
constexpr Rates kCore{4e10, 5e9}, kGpu{1e13, 2e10};
constexpr double kPasses = 3;  // forward, and twice as much backward

struct Network {
  std::vector<parallel::BlockCost> costs;
  std::vector<double> activations;  // bytes of one sample, by block
  uint64_t parameters = 0;
  double multiply_adds = 0;
  bool batch_norm = false;
};

struct Asked {
  const recipe::Recipe& recipe;
  int ranks;
  bool cuda;
  Network network;
  double state_bytes;  // of the optimizer, for each value
  double precision;    // of activations against fp32
};

Result<Network> measure(const recipe::Recipe& recipe) {
  TRAINYARD_TRY(const NetworkFacts facts, networkFacts(recipe));
  TRAINYARD_TRY(const auto model, models::make(recipe.model.arch, facts.shape, facts.classes, recipe.run.seed));
  const models::Summary summary = models::summarize(*model, facts.shape, facts.tokens, [](const std::string&) { return false; });
  Network network;
  network.costs = parallel::blockCosts(*model, facts.shape, facts.tokens);
  network.activations.resize(network.costs.size());
  for (const auto& row : summary.layers) network.activations[row.block] += static_cast<double>(row.activation_bytes);
  network.parameters = summary.parameters;
  network.multiply_adds = static_cast<double>(summary.multiply_adds);
  for (const auto& row : summary.layers) network.batch_norm = network.batch_norm || row.kind.starts_with("BatchNorm");
  return network;
}

double activationBytes(const Asked& asked, size_t first, size_t last, double samples) {
  double sum = 0, largest = 0;
  for (size_t block = first; block <= last; ++block) {
    sum += asked.network.activations[block];
    largest = std::max(largest, asked.network.activations[block]);
  }
  const double share = asked.recipe.train.activation_checkpointing ? largest : sum;
  return share * samples * asked.precision;
}

uint64_t largestBlock(const Network& network) {
  uint64_t largest = 0;
  for (const auto& block : network.costs) largest = std::max(largest, block.parameters);
  return largest;
}

double samplesAtOnce(const Asked& asked, int replicas) {
  return std::ceil(static_cast<double>(asked.recipe.train.batch_size) / replicas / static_cast<double>(asked.recipe.train.accumulate));
}

double sharedMemory(const Asked& asked, int stage, int ranks) {
  const auto memory = parallel::shardMemory(stage, asked.network.parameters, static_cast<uint64_t>(ranks), asked.state_bytes, asked.recipe.train.ema_decay > 0, largestBlock(asked.network));
  return static_cast<double>(memory.kept() + memory.gathered) + activationBytes(asked, 0, asked.network.costs.size() - 1, samplesAtOnce(asked, ranks));
}

// `transfers`: how often each weight's bytes travel in a step.
double sharedSpeed(const Asked& asked, int ranks, double transfers) {
  const Rates& rates = asked.cuda ? kGpu : kCore;
  const double work = kPasses * asked.network.multiply_adds * static_cast<double>(asked.recipe.train.batch_size) / rates.multiply_adds;
  const double sent = 4 * static_cast<double>(asked.network.parameters) * transfers * (ranks - 1) / ranks / rates.bytes;
  const double at_once = asked.cuda ? ranks : std::min<double>(ranks, std::max(1U, std::thread::hardware_concurrency()));
  return work / (work / at_once + sent / 2);  // half of it goes on beside the arithmetic
}

struct Pipelined {
  PipelineOptions options;
  RankGrid grid;
  std::vector<double> memory;  // by stage
  double speed_up = 0;
};

Result<Pipelined> pipelined(const Asked& asked, const recipe::Choice& strategy) {
  Pipelined plan;
  recipe::Parallel parallel = asked.recipe.parallel;
  parallel.strategy = strategy;
  TRAINYARD_TRY(plan.grid, rankGrid(parallel, asked.ranks, asked.recipe.train.batch_size));
  TRAINYARD_TRY(plan.options, pipelineOptions(strategy, asked.network.costs, static_cast<size_t>(plan.grid.stages)));
  const auto parts = static_cast<double>(plan.options.micro_batches);
  const double samples = std::ceil(static_cast<double>(asked.recipe.train.batch_size) / plan.grid.replicas / parts);
  const auto& stages = plan.options.cut.stages;
  double slowest = 0;
  for (size_t s = 0; s < stages.size(); ++s) {
    const double held = plan.options.order == parallel::PipelineOrder::GPipe ? parts : std::min(parts, static_cast<double>(stages.size() - s));
    const auto kept = parallel::shardMemory(0, stages[s].parameters, 1, asked.state_bytes, asked.recipe.train.ema_decay > 0, 0);
    plan.memory.push_back(static_cast<double>(kept.kept()) + held * activationBytes(asked, stages[s].first, stages[s].last, samples));
    slowest = std::max(slowest, stages[s].share);
  }
  const double at_once = asked.cuda ? asked.ranks : std::min<double>(asked.ranks, std::max(1U, std::thread::hardware_concurrency()));
  plan.speed_up = std::min(at_once, plan.grid.replicas * (1 - parallel::idleShare(stages.size(), plan.options.micro_batches)) / slowest);
  return plan;
}

// The recipe's own choice, else the entry with its defaults.
recipe::Choice choiceOf(const recipe::Recipe& recipe, const catalogue::Descriptor& entry) {
  if (recipe.parallel.strategy.id == entry.id) return recipe.parallel.strategy;
  recipe::Choice choice{entry.id, Json::object()};
  for (const auto& spec : entry.params) choice.params[spec.key] = spec.fallback;
  return choice;
}

Result<void> possible(const Asked& asked, const recipe::Choice& strategy) {
  if (strategy.id != "single" && asked.ranks < 2) return fail(ErrorCode::Recipe, "this needs at least two devices", "parallel.devices");
  recipe::Recipe recipe = asked.recipe;
  recipe.parallel.strategy = strategy;
  if (strategy.id == "sharded") TRAINYARD_CHECK(checkSharded(recipe));
  if (strategy.id == "single") return {};
  TRAINYARD_CHECK(rankGrid(recipe.parallel, asked.ranks, recipe.train.batch_size));
  return {};
}

Json strategyJson(const Asked& asked, const recipe::Choice& strategy) {
  Json out{{"id", strategy.id}, {"devices", strategy.id == "single" ? 1 : asked.ranks}, {"possible", true}, {"why", ""}};
  const auto refuse = [&out](const Error& error) {
    out["possible"] = false;
    out["why"] = error.what;
    return out;
  };
  if (const auto may = possible(asked, strategy); !may) return refuse(may.error());
  double memory = sharedMemory(asked, 0, 1), speed = 1;
  if (strategy.id == "data") {
    memory = sharedMemory(asked, 0, asked.ranks);
    speed = sharedSpeed(asked, asked.ranks, 2);
  } else if (strategy.id == "sharded") {
    const int stage = static_cast<int>(strategy.number("stage", 1));
    memory = sharedMemory(asked, stage, asked.ranks);
    speed = sharedSpeed(asked, asked.ranks, stage == 3 ? 3 : 2);
  } else if (strategy.id == "pipeline") {
    const auto plan = pipelined(asked, strategy);
    if (!plan) return refuse(plan.error());
    memory = *std::max_element(plan->memory.begin(), plan->memory.end());
    speed = plan->speed_up;
  }
  out["memory_bytes"] = static_cast<uint64_t>(memory);
  out["speed_up"] = speed;
  return out;
}

Json namesOf(const Asked& asked, const parallel::Stage& stage) {
  Json names = Json::array();
  for (size_t block = stage.first; block <= stage.last; ++block) names.push_back(asked.network.costs[block].name);
  return names;
}

void addStages(const Asked& asked, const Pipelined& plan, Json& out) {
  out["stages"] = Json::array();
  for (size_t s = 0; s < plan.memory.size(); ++s) {
    const auto& stage = plan.options.cut.stages[s];
    const Json names = namesOf(asked, stage);
    out["stages"].push_back({{"first", names.front()}, {"last", names.back()}, {"blocks", names}, {"cost_share", stage.share}, {"parameters", stage.parameters}, {"memory_bytes", static_cast<uint64_t>(plan.memory[s])}});
  }
  out["idle_share"] = parallel::idleShare(plan.memory.size(), plan.options.micro_batches);
  out["micro_batches"] = plan.options.micro_batches;
}

Json notesOf(const Asked& asked, int replicas) {
  Json notes = Json::array();
  const std::string& strategy = asked.recipe.parallel.strategy.id;
  if (strategy == "single") return notes;
  const uint64_t batch = asked.recipe.train.batch_size;
  const uint64_t each = batch / static_cast<uint64_t>(replicas);
  if (batch % static_cast<uint64_t>(replicas) != 0) {
    const std::string text = formatCount(batch) + " samples of each update over " + std::to_string(replicas) + " devices: " + std::to_string(each) + " or one more each.";
    notes.push_back({{"code", "uneven_batch"}, {"text", text}, {"samples", batch}, {"devices", replicas}, {"each", each}});
  }
  for (const auto& [key, value] : asked.recipe.model.arch.params.items()) {
    const bool draws = key.find("dropout") != std::string::npos || key == "stochastic_depth";
    if (draws && value.is_number() && value.get<double>() > 0) {
      notes.push_back({{"code", "dropout"}, {"text", "Dropout repeats for this number of devices and this strategy, and is drawn differently for others."}});
      break;
    }
  }
  const bool synced = strategy == "data" && asked.recipe.parallel.strategy.flag("sync_batch_norm");
  if (asked.network.batch_norm && !synced) {
    notes.push_back({{"code", "batch_norm"}, {"text", "Batch norm takes the mean of what one device computes at once, so the numbers differ from those of one device."}});
  }
  return notes;
}

}  // namespace

Result<Json> planParallel(const recipe::Recipe& recipe) {
  TRAINYARD_TRY(Network network, measure(recipe));
  const auto* optimizer = catalogue::find(catalogue::optimizers(), recipe.optimizer.id);
  const bool half = recipe.precision.id == "bf16" || recipe.precision.id == "fp16";
  const auto& devices = recipe.parallel.devices;
  const Asked asked{recipe, static_cast<int>(devices.size()), devices.front() != "cpu", std::move(network), optimizer->state_bytes_per_parameter, half ? 0.5 : 1};
  Json out{{"devices", devices}, {"strategies", Json::array()}, {"blocks", Json::array()}, {"stages", Json::array()}, {"idle_share", 0.0}, {"micro_batches", 1}};
  double total = 0;
  for (const auto& block : asked.network.costs) total += static_cast<double>(block.cost);
  for (const auto& block : asked.network.costs) out["blocks"].push_back({{"name", block.name}, {"cost_share", static_cast<double>(block.cost) / total}, {"parameters", block.parameters}});
  for (const auto& entry : catalogue::strategies()) out["strategies"].push_back(strategyJson(asked, choiceOf(recipe, entry)));
  int replicas = recipe.parallel.strategy.id == "single" ? 1 : asked.ranks;
  uint64_t passes = recipe.train.accumulate;
  if (asked.ranks > 1) {
    const bool own = recipe.parallel.strategy.id == "pipeline";
    auto plan = pipelined(asked, choiceOf(recipe, *catalogue::find(catalogue::strategies(), "pipeline")));
    if (!plan && own) return tl::unexpected(plan.error());
    if (plan) addStages(asked, *plan, out);
    if (plan && own) {
      replicas = plan->grid.replicas;
      passes = plan->options.micro_batches;
    }
  }
  const uint64_t parts = static_cast<uint64_t>(replicas) * passes;
  out["passes"] = passes;
  out["rank_batch"] = (recipe.train.batch_size + parts - 1) / parts;
  out["notes"] = notesOf(asked, replicas);
  return out;
}

}  // namespace trainyard::train
