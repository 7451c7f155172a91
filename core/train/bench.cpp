#include "core/train/bench.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include "core/base/units.h"
#include "core/models/safetensors.h"
#include "core/train/train_step.h"

namespace trainyard::train {

namespace {

constexpr int64_t kBatches = 8, kWarmup = 3, kReadEvery = 10;

struct Workload {
  models::InputShape shape;
  recipe::Choice arch;
  int64_t classes = 10;
  data::Task task = data::Task::Classes;
};

Result<Workload> workload(const std::string& name) {
  if (name == "mlp") return Workload{{1, 28, 28}, {"mlp", {{"hidden", {128}}}}};
  if (name == "smallcnn") return Workload{{3, 32, 32}, {"smallcnn", Json::object()}};
  if (name == "resnet18") return Workload{{3, 64, 64}, {"resnet18", Json::object()}};
  if (name == "gpt") return Workload{{1, 1, 256}, {"gpt", {{"layers", 6}, {"width", 384}, {"heads", 6}, {"dropout", 0.0}}}, 8192, data::Task::Tokens};
  return fail(ErrorCode::Usage, "there is no benchmark model \"" + name + "\"", "--model", "known: mlp, smallcnn, resnet18, gpt");
}

recipe::Choice optimizerFor(const std::string& name) {
  if (name == "sgd") return {"sgd", {{"lr", 0.01}, {"momentum", 0.9}, {"weight_decay", 0.0}, {"dampening", 0.0}, {"nesterov", false}}};
  return {"adamw", {{"lr", 3e-4}, {"weight_decay", 0.01}, {"betas", {0.9, 0.999}}, {"eps", 1e-8}, {"amsgrad", false}}};
}

loader::TensorView viewOf(const at::Tensor& tensor, loader::Element element) {
  return {static_cast<std::byte*>(tensor.data_ptr()), element, tensor.sizes().vec(), tensor.strides().vec()};
}

loader::Batch batchOf(const at::Tensor& inputs, const at::Tensor& targets) {
  loader::Batch batch;
  batch.inputs = viewOf(inputs, inputs.is_floating_point() ? loader::Element::F32 : loader::Element::I64);
  batch.targets = viewOf(targets, loader::Element::I64);
  batch.weight = batch.step_weight = static_cast<double>(targets.size(0));
  return batch;
}

struct Drawn {
  at::Tensor inputs, targets;
};

Drawn draw(const Workload& work, int64_t samples, bool channels_last) {
  at::Generator generator = at::detail::createCPUGenerator(1);
  if (work.task == data::Task::Tokens) {
    const at::Tensor ids = at::randint(0, work.classes, {samples, work.shape.width + 1}, generator, at::TensorOptions(at::kLong));
    return {ids.slice(1, 0, work.shape.width), ids.slice(1, 1, work.shape.width + 1)};
  }
  const at::Tensor images_NCHW = at::randn({samples, work.shape.channels, work.shape.height, work.shape.width}, generator, at::TensorOptions(at::kFloat));
  const at::Tensor labels_N = at::randint(0, work.classes, {samples}, generator, at::TensorOptions(at::kLong));
  return {channels_last ? images_NCHW.contiguous(at::MemoryFormat::ChannelsLast) : images_NCHW, labels_N};
}

}  // namespace

Result<Json> benchTrain(const BenchOptions& options) {
  TRAINYARD_TRY(const Workload work, workload(options.model));
  at::init_num_threads();
  at::set_num_threads(static_cast<int>(options.threads));
  TRAINYARD_TRY(auto model, models::make(work.arch, work.shape, work.classes, 0));
  if (!options.init.empty()) {
    TRAINYARD_TRY(const auto weights, models::SafetensorsFile::open(options.init));
    TRAINYARD_CHECK(models::loadInto(model->state(), weights, options.init));
  }
  models::moveTo(*model, at::kCPU);
  const Drawn drawn = draw(work, options.batch * kBatches, model->convolutional());

  StepOptions step_options;
  step_options.task = work.task;
  if (options.bf16) step_options.autocast = at::kBFloat16;
  TRAINYARD_TRY(auto step, makeSingleStep(*model, optimizerFor(options.optimizer), step_options));
  const schedule::Hyper hyper{options.optimizer == "sgd" ? 0.01 : 3e-4, 0.9};
  std::vector<at::Tensor> pending;
  std::vector<double> losses;
  double first = 0, started = 0;
  for (int64_t i = 0; i < options.steps + kWarmup; ++i) {
    if (i == kWarmup) started = steadySeconds();
    const int64_t begin = i % kBatches * options.batch;
    loader::Batch batch = batchOf(drawn.inputs.narrow(0, begin, options.batch), drawn.targets.narrow(0, begin, options.batch));
    models::RunContext context;
    context.training = true;
    context.step = static_cast<uint64_t>(i);
    TRAINYARD_TRY(const StepReport report, step->run({&batch, 1}, hyper, context, false));
    pending.push_back(report.loss_sum);
    if (i == 0 || (i + 1) % kReadEvery == 0 || i + 1 == options.steps + kWarmup) {
      for (const auto& loss : pending) losses.push_back(loss.item<double>());
      pending.clear();
    }
    if (i == 0) first = steadySeconds() - options.process_started;
  }
  const double seconds = steadySeconds() - started;
  Json shown(std::vector<double>(losses.begin(), losses.begin() + std::min<ptrdiff_t>(5, static_cast<ptrdiff_t>(losses.size()))));
  shown.push_back(losses.back());
  return Json{{"model", options.model},
              {"steps_per_s", static_cast<double>(options.steps) / seconds},
              {"samples_per_s", static_cast<double>(options.steps * options.batch) / seconds},
              {"start_to_first_step_s", first},
              {"losses", shown}};
}

}  // namespace trainyard::train
