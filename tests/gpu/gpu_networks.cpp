#include "tests/gpu/gpu_networks.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "core/train/pipeline_plan.h"
#include "core/train/pipeline_tensors.h"
#include "core/train/sharded_step.h"

namespace trainyard::gpu_check {

namespace {

constexpr int64_t kBatch = 16;  // samples of a step over all ranks

struct Network {
  recipe::Choice arch;
  models::InputShape shape;
  int64_t classes = 10;
  bool text() const { return arch.id == "gpt"; }
};

recipe::Choice chosen(std::span<const catalogue::Descriptor> table, const std::string& id, const Json& params) {
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : catalogue::find(table, id)->params) choice.params[spec.key] = spec.fallback;
  for (const auto& [key, value] : params.items()) choice.params[key] = value;
  return choice;
}

Network networkOf(const std::string& id) {
  const auto arch = [](const char* name, const Json& params) { return chosen(catalogue::architectures(), name, params); };
  if (id == "gpt") return {arch("gpt", {{"layers", 4}, {"width", 128}, {"heads", 4}, {"context", 64}, {"dropout", 0.0}}), {1, 1, 64}, 256};
  if (id == "vit_tiny") return {arch("vit_tiny", {{"dropout", 0.0}, {"attention_dropout", 0.0}}), {3, 64, 64}};
  if (id == "resnet18") return {arch("resnet18", {{"norm", "group"}}), {3, 64, 64}};
  return {arch("mlp", {{"hidden", {256, 128, 64}}}), {1, 28, 28}};
}

struct Batches {
  at::Tensor inputs, targets;  // of all steps
};

Batches draw(const Network& network, int steps) {
  at::Generator generator = at::detail::createCPUGenerator(1);
  const int64_t samples = kBatch * steps;
  if (network.text()) {
    const at::Tensor ids = at::randint(0, network.classes, {samples, network.shape.width + 1}, generator, at::TensorOptions(at::kLong));
    return {ids.slice(1, 0, network.shape.width).contiguous(), ids.slice(1, 1).contiguous()};
  }
  return {at::randn({samples, network.shape.channels, network.shape.height, network.shape.width}, generator, at::TensorOptions(at::kFloat)),
          at::randint(0, network.classes, {samples}, generator, at::TensorOptions(at::kLong))};
}

loader::TensorView viewOf(const at::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.is_floating_point() ? loader::Element::F32 : loader::Element::I64, tensor.sizes().vec(), tensor.strides().vec()};
}

loader::Batch share(const Batches& all, int step, int part, int parts) {
  const int64_t each = kBatch / parts, begin = step * kBatch + part * each;
  const at::Tensor inputs = all.inputs.narrow(0, begin, each), targets = all.targets.narrow(0, begin, each);
  loader::Batch batch;
  batch.inputs = viewOf(inputs);
  batch.targets = viewOf(targets);
  batch.weight = static_cast<double>(each);
  batch.step_weight = kBatch;
  batch.last_of_step = true;
  return batch;
}

train::StepOptions optionsOf(const Job& job, const Network& network) {
  train::StepOptions options;
  options.task = network.text() ? data::Task::Tokens : data::Task::Classes;
  if (job.precision == "bf16") options.autocast = at::kBFloat16;
  if (job.precision == "fp16") {
    options.autocast = at::kHalf;
    options.scaler = optim::ScalerOptions{.init_scale = 16777216.0};  // so high that the first steps overflow
  }
  return options;
}

Result<std::unique_ptr<train::TrainStep>> stepOf(const Job& job, const Network& network, const models::Model& model, int rank, at::Device device, comm::Communicator* all) {
  const recipe::Choice optimizer = chosen(catalogue::optimizers(), job.optimizer, {{"lr", job.rate}});
  train::StepOptions options = optionsOf(job, network);
  if (job.strategy == "pipeline") {
    const auto costs = parallel::blockCosts(model, network.shape, network.text());
    TRAINYARD_TRY(auto plan, train::pipelineOptions({"pipeline", {{"micro_batches", 4}}}, costs, static_cast<size_t>(job.ranks)));
    train::moveStage(model, plan.cut, static_cast<size_t>(rank), device);
    return train::makePipelineStep(model, optimizer, std::move(options), {all, nullptr}, std::move(plan));
  }
  models::moveTo(model, device);
  if (job.strategy == "sharded1") {
    TRAINYARD_TRY(auto step, train::makeShardedStatesStep(model, optimizer, std::move(options), *all));
    return step;
  }
  if (job.strategy == "sharded3") {
    TRAINYARD_TRY(auto step, train::makeFullyShardedStep(model, optimizer, std::move(options), *all));
    return step;
  }
  return train::makeReplicaStep(model, optimizer, std::move(options), all);
}

}  // namespace

Result<Learned> trainRank(const Job& job, int rank, at::Device device, comm::Communicator* all) {
  const Network network = networkOf(job.network);
  TRAINYARD_TRY(const auto model, models::make(network.arch, network.shape, network.classes, 1));
  TRAINYARD_TRY(const auto step, stepOf(job, network, *model, rank, device, all));
  const Batches batches = draw(network, job.steps);
  const bool divided = job.ranks > 1 && job.strategy != "pipeline";
  Learned learned;
  double begin = 0;
  for (int i = 0; i < job.steps; ++i) {
    if (i == 2) begin = steadySeconds();
    if (job.fails == rank && i == 3) throw std::runtime_error("this rank fails on purpose");
    std::vector<loader::Batch> micros;
    if (job.strategy != "pipeline" || rank == 0) micros.push_back(share(batches, i, divided ? rank : 0, divided ? job.ranks : 1));
    models::RunContext context;
    context.training = true;
    context.step = static_cast<uint64_t>(i);
    context.rank = divided ? static_cast<uint32_t>(rank) : 0;
    TRAINYARD_TRY(const train::StepReport report, step->run(micros, {job.rate, 0.9}, context, true));
    learned.losses.push_back(report.loss_sum.item<double>());
    learned.scales.push_back(report.loss_scale);
  }
  if (const auto* sharded = dynamic_cast<const train::ShardedStep*>(step.get())) learned.kept_bytes = sharded->held().kept();
  learned.steps_per_s = (job.steps - 2) / (steadySeconds() - begin);
  TRAINYARD_TRY(const train::StateParts parts, step->parts());
  for (const auto& part : parts.model) {
    if (part.tensor.sizes().vec() == part.full_sizes) learned.weights.push_back({part.name, part.tensor.detach().cpu()});
  }
  return learned;
}

}  // namespace trainyard::gpu_check
