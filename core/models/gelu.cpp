#include "core/models/gelu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/models/many_at_once.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGrain = 32768;
constexpr float kScale = 0.7978845608f, kCube = 0.044715f;  // √(2/π); the approximation's

// x · (1 + tanh u) / 2 = x / (1 + e^-2u), u = √(2/π) (x + 0.044715 x³).
TRAINYARD_MANY_AT_ONCE void forwardRow(const float* __restrict x, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float u = kScale * (x[i] + kCube * x[i] * x[i] * x[i]);
    out[i] = x[i] / (1.0f + exponential(-2.0f * u));
  }
}

TRAINYARD_MANY_AT_ONCE void backwardRow(const float* __restrict x, const float* __restrict grad, float* __restrict out, int64_t count) {
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
