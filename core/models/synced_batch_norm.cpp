#include "core/models/synced_batch_norm.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// All dimensions but the channels'.
std::vector<int64_t> others(const at::Tensor& x) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (d != 1) dims.push_back(d);
  }
  return dims;
}

at::Tensor byChannel(const at::Tensor& values, const at::Tensor& x) {
  std::vector<int64_t> sizes(static_cast<size_t>(x.dim()), 1);
  sizes[1] = x.size(1);
  return values.view(sizes);
}

// Holds what backward needs besides tensors.
struct Shared : torch::CustomClassHolder {
  explicit Shared(SyncedNorm given) : norm(std::move(given)) {}
  SyncedNorm norm;
  double count = 0;  // values of a channel, over all ranks
  at::Tensor mean, variance;
};

class Function : public torch::autograd::Function<Function> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const c10::intrusive_ptr<Shared>& shared) {
    const at::Tensor values = x.to(at::kFloat);
    const std::vector<int64_t> dims = others(x);
    const int64_t channels = x.size(1);
    const bool counts = shared->norm.counts;
    at::Tensor sums = at::zeros({channels + 1}, values.options().dtype(at::kDouble));
    if (counts) {
      sums.narrow(0, 0, channels).copy_(values.sum(dims, false, at::kDouble));
      sums[channels].fill_(static_cast<double>(x.numel() / channels));
    }
    shared->norm.sum(sums);
    shared->count = sums[channels].item<double>();
    const at::Tensor mean = (sums.narrow(0, 0, channels) / shared->count).to(at::kFloat);
    const at::Tensor centred = values - byChannel(mean, x);
    at::Tensor squares = counts ? centred.square().sum(dims, false, at::kDouble) : at::zeros({channels}, sums.options());
    shared->norm.sum(squares);
    shared->mean = mean;
    shared->variance = (squares / std::max(shared->count - 1, 1.0)).to(at::kFloat);
    const at::Tensor scale = (squares / shared->count + shared->norm.eps).rsqrt().to(at::kFloat);
    const at::Tensor normal = centred * byChannel(scale, x);
    ctx->save_for_backward({normal, weight, scale});
    ctx->saved_data["shared"] = c10::IValue::make_capsule(shared);
    return (normal * byChannel(weight, x) + byChannel(bias, x)).to(x.scalar_type());
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const at::Tensor &normal = saved[0], &weight = saved[1], &scale = saved[2];
    const auto shared = c10::static_intrusive_pointer_cast<Shared>(ctx->saved_data["shared"].toCapsule());
    const at::Tensor grad = grads[0].to(at::kFloat);
    const std::vector<int64_t> dims = others(grad);
    const at::Tensor grad_bias = grad.sum(dims), grad_weight = (grad * normal).sum(dims);
    at::Tensor both = at::cat({grad_bias, grad_weight}).to(at::kDouble);
    if (!shared->norm.counts) both.zero_();
    shared->norm.sum(both);
    if (!shared->norm.counts) return {at::zeros_like(grads[0]), grad_weight, grad_bias, at::Tensor()};  // the others' means do not depend on it
    both = (both / shared->count).to(at::kFloat);
    const auto halves = both.chunk(2);
    const at::Tensor centred = grad - byChannel(halves[0], grad) - normal * byChannel(halves[1], grad);
    return {(centred * byChannel(weight * scale, grad)).to(grads[0].scalar_type()), grad_weight, grad_bias, at::Tensor()};
  }
};

}  // namespace

Normalised syncedBatchNorm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const SyncedNorm& norm) {
  const auto shared = c10::make_intrusive<Shared>(norm);
  at::Tensor values = Function::apply(x, weight, bias, shared);
  return {std::move(values), shared->count, shared->mean, shared->variance};
}

}  // namespace trainyard::models
