#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <fstream>
#include <thread>

#include "core/base/units.h"
#include "core/train/bench.h"
#include "core/train/bench_workload.h"
#include "core/train/guard.h"
#include "core/train/pipeline_plan.h"
#include "core/train/sharded_step.h"

namespace trainyard::train {

namespace {

constexpr int64_t kWarmup = 3;

// Proportional set size of this process, in bytes.
uint64_t proportionalBytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string word;
  uint64_t kib = 0;
  while (file >> word) {
    if (word == "Pss:" && file >> kib) return kib * 1024;
  }
  return 0;
}

struct Ranked {
  const RanksBenchOptions& options;
  Workload work;
  Drawn drawn;  // of all replicas
  int replicas = 1;
};

Result<std::unique_ptr<TrainStep>> stepOf(const Ranked& ranked, const models::Model& model, comm::Communicator* all) {
  StepOptions options;
  options.task = ranked.work.task;
  const recipe::Choice optimizer = optimizerFor(ranked.options.optimizer);
  const std::string& strategy = ranked.options.strategy;
  if (strategy == "single" || strategy == "data") return makeReplicaStep(model, optimizer, options, all);
  if (strategy == "pipeline") {
    const auto costs = parallel::blockCosts(model, ranked.work.shape, ranked.work.task == data::Task::Tokens);
    const recipe::Choice pipeline{"pipeline", {{"micro_batches", ranked.options.micro_batches}, {"schedule", "1f1b"}, {"cuts", ranked.options.cuts}}};
    TRAINYARD_TRY(PipelineOptions plan, pipelineOptions(pipeline, costs, static_cast<size_t>(ranked.options.ranks)));
    return makePipelineStep(model, optimizer, options, {all, nullptr}, std::move(plan));
  }
  if (strategy == "sharded1") {
    TRAINYARD_TRY(auto step, makeShardedStatesStep(model, optimizer, options, *all));
    return step;
  }
  TRAINYARD_TRY(auto step, makeFullyShardedStep(model, optimizer, options, *all));
  return step;
}

// What one rank trains of each step: the first stage of a pipeline all of it, further ones nothing.
std::vector<loader::Batch> shareOf(const Ranked& ranked, int rank) {
  std::vector<loader::Batch> micros;
  const auto& options = ranked.options;
  if (options.strategy == "pipeline" && rank > 0) return micros;
  const int64_t begin = ranked.replicas > 1 ? rank * options.batch : 0;
  const int64_t cuts = options.strategy == "single" ? options.micro_batches : 1, each = options.batch / cuts;
  for (int64_t cut = 0; cut < cuts; ++cut) {
    micros.push_back(batchOf(ranked.drawn.inputs.narrow(0, begin + cut * each, each), ranked.drawn.targets.narrow(0, begin + cut * each, each)));
    micros.back().micro = static_cast<uint32_t>(cut);
    micros.back().step_weight = static_cast<double>(options.batch * ranked.replicas);
  }
  return micros;
}

// Bytes of weights, gradients and the optimizer's state, and what was gathered besides at most.
parallel::ShardMemory keptBy(const TrainStep& step, const models::Model& model) {
  if (const auto* sharded = dynamic_cast<const ShardedStep*>(&step)) return sharded->held();
  parallel::ShardMemory memory;
  for (const auto& [name, tensor] : model.parameters()) {
    memory.weights += tensor.nbytes();
    memory.gradients += tensor.grad().defined() ? tensor.grad().nbytes() : 0;
  }
  std::vector<models::NamedTensor> state;
  Json scalars = Json::object();
  step.collect(state, scalars);
  for (const auto& [name, tensor] : state) memory.optimizer += tensor.nbytes();
  return memory;
}

struct RankResult {
  double seconds = 0;  // of the measured steps
  double loss = 0;     // the last
  parallel::ShardMemory memory;
};

Result<RankResult> trainRank(const Ranked& ranked, int rank, comm::Communicator* all) {
  at::init_num_threads();
  at::set_num_threads(static_cast<int>(ranked.options.threads));
  TRAINYARD_TRY(const auto model, models::make(ranked.work.arch, ranked.work.shape, ranked.work.classes, 0));
  models::moveTo(*model, at::kCPU);
  TRAINYARD_TRY(const auto step, stepOf(ranked, *model, all));
  const schedule::Hyper hyper{ranked.options.optimizer == "sgd" ? 0.01 : 3e-4, 0.9};
  double started = 0, loss = 0;
  for (int64_t i = 0; i < ranked.options.steps + kWarmup; ++i) {
    if (i == kWarmup) {
      if (all != nullptr) TRAINYARD_CHECK(all->barrier()->wait());
      started = steadySeconds();
    }
    auto micros = shareOf(ranked, rank);
    models::RunContext context;
    context.training = true;
    context.step = static_cast<uint64_t>(i);
    context.rank = ranked.replicas > 1 ? static_cast<uint32_t>(rank) : 0;
    TRAINYARD_TRY(const StepReport report, step->run(micros, hyper, context, false));
    if (i + 1 == ranked.options.steps + kWarmup) loss = report.loss_sum.item<double>();
  }
  if (all != nullptr) TRAINYARD_CHECK(all->barrier()->wait());
  return RankResult{steadySeconds() - started, loss, keptBy(*step, *model)};
}

}  // namespace

Result<Json> benchRanks(const RanksBenchOptions& options) {
  TRAINYARD_TRY(Workload work, workload(options.model));
  Ranked ranked{options, std::move(work), {}, options.strategy == "pipeline" || options.strategy == "single" ? 1 : options.ranks};
  const bool channels_last = ranked.work.task != data::Task::Tokens && options.model != "mlp";
  ranked.drawn = draw(ranked.work, options.batch * ranked.replicas, channels_last);
  const int ranks = options.strategy == "single" ? 1 : options.ranks;
  auto links = comm::localCommunicators(ranks, {});
  std::vector<Result<RankResult>> results(static_cast<size_t>(ranks), fail(ErrorCode::Failed, "the rank did not run"));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      auto& result = results[static_cast<size_t>(rank)];
      comm::Communicator* all = ranks > 1 ? links[static_cast<size_t>(rank)].get() : nullptr;
      result = guarded([&] { return trainRank(ranked, rank, all); });
      if (!result && all != nullptr) all->abort(result.error());
    });
  }
  threads.clear();
  for (const auto& result : results) {
    if (!result) return tl::unexpected(result.error());
  }
  const RankResult& first = *results.front();
  return Json{{"world", ranks},
              {"strategy", options.strategy},
              {"model", options.model},
              {"steps_per_s", static_cast<double>(options.steps) / first.seconds},
              {"pss_mib", static_cast<double>(proportionalBytes()) / (1 << 20)},
              {"kept_bytes", first.memory.kept()},
              {"gathered_bytes", first.memory.gathered},
              {"loss", first.loss}};
}

}  // namespace trainyard::train
