#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"
#include "core/optim/optimizer.h"
#include "core/train/bench.h"

namespace trainyard::train {

namespace {

constexpr int64_t kPairs = 30, kRows = 258, kColumns = 516, kWarmup = 5;  // 60 tensors, 4 million values
constexpr double kRate = 3e-4;

// With the catalogue's defaults, but weight decay on all parameters, as torch has it.
Result<recipe::Choice> choiceFor(const std::string& id) {
  const auto* descriptor = catalogue::find(catalogue::optimizers(), id);
  if (descriptor == nullptr) return fail(ErrorCode::Usage, "there is no optimizer \"" + id + "\"", "--optimizer", "give one that optimizer.type takes");
  recipe::Choice choice{id, Json::object()};
  for (const auto& spec : descriptor->params) choice.params[spec.key] = spec.fallback;
  choice.params["lr"] = kRate;
  choice.params["weight_decay_on"] = "all";
  return choice;
}

std::vector<optim::ParamSlot> slotsFor() {
  at::Generator generator = at::detail::createCPUGenerator(1);
  std::vector<optim::ParamSlot> slots;
  for (int64_t i = 0; i < kPairs; ++i) {
    for (const auto& sizes : {std::vector<int64_t>{kRows, kColumns}, std::vector<int64_t>{kRows}}) {
      optim::ParamSlot slot;
      slot.name = std::to_string(slots.size());
      slot.param = at::randn(sizes, generator, at::TensorOptions(at::kFloat));
      slot.grad = at::randn(sizes, generator, at::TensorOptions(at::kFloat));
      slots.push_back(std::move(slot));
    }
  }
  return slots;
}

}  // namespace

Result<Json> benchOptimizer(const BenchOptions& options) {
  at::init_num_threads();
  at::set_num_threads(static_cast<int>(options.threads));
  TRAINYARD_TRY(const recipe::Choice choice, choiceFor(options.optimizer));
  std::vector<optim::ParamSlot> slots = slotsFor();
  TRAINYARD_TRY(auto optimizer, optim::make(choice, slots));
  const schedule::Hyper hyper = schedule::hyperOf(choice);
  double started = 0;
  for (int64_t step = 0; step < options.steps + kWarmup; ++step) {
    if (step == kWarmup) started = steadySeconds();
    optimizer->step(slots, hyper, nullptr);
  }
  const double seconds = steadySeconds() - started;
  double size = 0;
  int64_t values = 0;
  for (const auto& slot : slots) {
    size += slot.param.abs().sum(at::kDouble).item<double>();
    values += slot.param.numel();
  }
  return Json{{"optimizer", options.optimizer},
              {"tensors", slots.size()},
              {"parameters", values},
              {"steps_per_s", static_cast<double>(options.steps) / seconds},
              {"sum_of_sizes", size}};
}

}  // namespace trainyard::train
