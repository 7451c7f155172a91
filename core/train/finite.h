#pragma once
#include <ATen/core/Tensor.h>

namespace trainyard::train {

// Whether no element is infinite or not a number. At the speed of memory for fp32, bf16 and fp16 on the CPU.
bool isFinite(const at::Tensor& tensor);

}  // namespace trainyard::train
