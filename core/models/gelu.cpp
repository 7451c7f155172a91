#include "core/models/gelu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

// One version of a loop for each kind of processor, chosen when the library is loaded. Thread sanitizer's start cannot bear that choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TRAINYARD_VECTORIZED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("no-trapping-math", "no-math-errno")))
#define TRAINYARD_INLINE inline __attribute__((always_inline))
#else
#define TRAINYARD_VECTORIZED
#define TRAINYARD_INLINE inline
#endif

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGrain = 32768;
constexpr float kScale = 0.7978845608f, kCube = 0.044715f;  // √(2/π); the approximation's

// 2^k · e^f with |f| ≤ ln 2 / 2, by the polynomial of Cephes' expf. Without a branch or a call, so that the compiler can take many at once; std::fma
// and std::rint would be calls, not being inlined into a function with options of its own.
TRAINYARD_INLINE float exponential(float x) {
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

// x · (1 + tanh u) / 2 = x / (1 + e^-2u), u = √(2/π) (x + 0.044715 x³).
TRAINYARD_VECTORIZED void forwardRow(const float* __restrict x, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float u = kScale * (x[i] + kCube * x[i] * x[i] * x[i]);
    out[i] = x[i] / (1.0f + exponential(-2.0f * u));
  }
}

TRAINYARD_VECTORIZED void backwardRow(const float* __restrict x, const float* __restrict grad, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float u = kScale * (x[i] + kCube * x[i] * x[i] * x[i]), slope = kScale * (1.0f + 3.0f * kCube * x[i] * x[i]);
    const float share = 1.0f / (1.0f + exponential(-2.0f * u));
    out[i] = grad[i] * (share + 2.0f * x[i] * share * (1.0f - share) * slope);
  }
}

class Gelu : public torch::autograd::Function<Gelu> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) {
    ctx->save_for_backward({x});
    at::Tensor out = at::empty_like(x);
    const float* from = x.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) { forwardRow(from + begin, to + begin, end - begin); });
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const at::Tensor x = ctx->get_saved_variables()[0], grad = grads[0].contiguous();
    at::Tensor out = at::empty_like(x);
    const float *from = x.const_data_ptr<float>(), *given = grad.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) { backwardRow(from + begin, given + begin, to + begin, end - begin); });
    return {out};
  }
};

}  // namespace

at::Tensor geluTanh(const at::Tensor& x) {
  if (!x.is_cpu() || x.scalar_type() != at::kFloat || !x.is_contiguous()) return at::gelu(x, "tanh");
  return Gelu::apply(x);
}

}  // namespace trainyard::models
