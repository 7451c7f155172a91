#include "core/train/bench.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/base/units.h"
#include "core/models/safetensors.h"
#include "core/train/bench_workload.h"

namespace trainyard::train {

namespace {

constexpr int64_t kBatches = 8, kWarmup = 3, kReadEvery = 10;

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
