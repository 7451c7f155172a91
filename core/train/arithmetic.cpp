#include "core/train/arithmetic.h"

#include <ATen/Context.h>
#include <ATen/Version.h>

#include <algorithm>
#include <cstdlib>

#include "core/hardware/hardware.h"

namespace trainyard::train {

Result<void> checkPrecision(const recipe::Recipe& recipe, const DeviceName& device) {
  if (device.cuda || recipe.precision.id != "fp16") return {};
  const auto sets = hardware::inspect().processor.instruction_sets;
  if (std::find(sets.begin(), sets.end(), "AVX512-FP16") != sets.end()) return {};
  return fail(ErrorCode::Recipe, "this processor has no half-precision arithmetic: fp16 would be many times slower than fp32", "precision.type",
              "use \"bf16\", which needs no gradient scaler, or \"fp32\"");
}

void setArithmetic(const recipe::Recipe& recipe) {
  at::Context& context = at::globalContext();
  const bool tf32 = recipe.precision.id == "tf32", deterministic = recipe.train.deterministic;
  context.setFloat32MatmulPrecision(tf32 ? "high" : "highest");
  context.setAllowTF32CuDNN(tf32);
  context.setDeterministicAlgorithms(deterministic, false);
  context.setDeterministicCuDNN(deterministic);
  context.setBenchmarkCuDNN(!deterministic);
  if (deterministic) setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);  // cuBLAS reads it when it is opened
}

std::string brokenPromise(const Json& plan, const Json& layout, int threads) {
  if (plan.contains("layout") && plan["layout"] != layout) return "another strategy or number of devices than before";
  const int threads_before = plan.value("threads", threads);
  const std::string set = at::get_cpu_capability(), set_before = plan.value("instruction_set", set);
  if (threads_before != threads) return std::to_string(threads_before) + " threads before, " + std::to_string(threads) + " now";
  if (set_before != set) return "computed with " + set_before + " before, with " + set + " now";
  return {};
}

}  // namespace trainyard::train
