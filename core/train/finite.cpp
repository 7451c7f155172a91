#include "core/train/finite.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>

namespace trainyard::train {

namespace {

// Not finite means that all bits of the exponent are set. No early end inside a stretch: without one the compiler uses vectors.
template <class Bits>
bool finiteBits(const void* data, int64_t count, Bits exponent) {
  constexpr int64_t kStretch = 1 << 16;
  const Bits* values = static_cast<const Bits*>(data);
  for (int64_t begin = 0; begin < count; begin += kStretch) {
    Bits broken = 0;
    const int64_t end = std::min(count, begin + kStretch);
    for (int64_t i = begin; i < end; ++i) broken = static_cast<Bits>(broken | ((values[i] & exponent) == exponent ? 1 : 0));
    if (broken) return false;
  }
  return true;
}

}  // namespace

bool isFinite(const at::Tensor& tensor) {
  if (!tensor.is_floating_point()) return true;
  const bool plain = tensor.is_cpu() && tensor.is_non_overlapping_and_dense();
  if (plain && tensor.scalar_type() == at::kFloat) return finiteBits<uint32_t>(tensor.const_data_ptr(), tensor.numel(), 0x7f800000U);
  if (plain && tensor.scalar_type() == at::kBFloat16) return finiteBits<uint16_t>(tensor.const_data_ptr(), tensor.numel(), 0x7f80U);
  if (plain && tensor.scalar_type() == at::kHalf) return finiteBits<uint16_t>(tensor.const_data_ptr(), tensor.numel(), 0x7c00U);
  return at::isfinite(tensor).all().item<bool>();
}

}  // namespace trainyard::train
