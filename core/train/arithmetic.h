#pragma once
// How this process computes: precision of matrix products, algorithms that repeat to the bit.
#include "core/recipe/recipe.h"
#include "core/train/device.h"

namespace trainyard::train {

// Whether the device can compute in the recipe's precision. Error Recipe: fp16 on a processor without it (it would be about 80 times slower than
// bf16 there).
Result<void> checkPrecision(const recipe::Recipe& recipe, const DeviceName& device);

// Sets LibTorch's global switches; before the first step, on any thread.
void setArithmetic(const recipe::Recipe& recipe);

// Why a deterministic run that was planned as `plan` (plan.json) cannot give the same bits here: "4 threads before, 2 now"; empty: it can. layout: as the plan has it, how
// devices share the work now.
std::string brokenPromise(const Json& plan, const Json& layout, int threads);

}  // namespace trainyard::train
