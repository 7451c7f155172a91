#pragma once
// For loops over rows of numbers that the compiler is to take many at once: one version for each kind of processor, chosen when the library is loaded.
// In such functions std::fma and std::rint stay calls, so they are spelt as builtins.

// Thread sanitizer's start cannot bear the choice at loading.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TRAINYARD_MANY_AT_ONCE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("no-trapping-math", "no-math-errno")))
#define TRAINYARD_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define TRAINYARD_MANY_AT_ONCE
#define TRAINYARD_ALWAYS_INLINE inline
#endif

#include <cstdint>

namespace trainyard::models {

// e^x without a branch or a call, to two units in the last place: 2^k · e^f with |f| ≤ ln 2 / 2, by the polynomial of Cephes' expf. x is taken as
// -87 below that, and as 88 above; not a number stays that.
TRAINYARD_ALWAYS_INLINE float exponential(float x) {
  x = x < -87.0f ? -87.0f : (x > 88.0f ? 88.0f : x);
  const float k = __builtin_rintf(x * 1.44269504f);
  float f = __builtin_fmaf(k, -0.693359375f, x);
  f = __builtin_fmaf(k, 2.12194440e-4f, f);
  const float p = ((((1.9875691500e-4f * f + 1.3981999507e-3f) * f + 8.3334519073e-3f) * f + 4.1665795894e-2f) * f + 1.6666665459e-1f) * f + 5.0000001201e-1f;
  const int32_t bits = (static_cast<int32_t>(k) + 127) << 23;
  float power = 0;
  __builtin_memcpy(&power, &bits, sizeof power);
  return (p * f * f + f + 1.0f) * power;
}

}  // namespace trainyard::models
