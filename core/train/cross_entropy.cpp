#include "core/train/cross_entropy.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "core/models/many_at_once.h"

namespace trainyard::train {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kLarge = 256, kRowsAtOnce = 16;  // classes; rows of a thread's share
constexpr int kLanes = 16;

TRAINYARD_MANY_AT_ONCE float logOfSum(const float* __restrict x, int64_t count) {
  float largest[kLanes], sums[kLanes];
  const int64_t whole = count / kLanes * kLanes;
  for (int l = 0; l < kLanes; ++l) {
    largest[l] = x[l];
    sums[l] = 0;
  }
  for (int64_t i = 0; i < whole; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) largest[l] = x[i + l] > largest[l] ? x[i + l] : largest[l];
  }
  float top = largest[0];
  for (int l = 1; l < kLanes; ++l) top = largest[l] > top ? largest[l] : top;
  for (int64_t i = whole; i < count; ++i) top = x[i] > top ? x[i] : top;
  for (int64_t i = 0; i < whole; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) sums[l] += models::exponential(x[i + l] - top);
  }
  double sum = 0;
  for (const float lane : sums) sum += static_cast<double>(lane);
  for (int64_t i = whole; i < count; ++i) sum += static_cast<double>(models::exponential(x[i] - top));
  return top + static_cast<float>(std::log(sum));
}

TRAINYARD_MANY_AT_ONCE void gradientRow(const float* __restrict x, float log_of_sum, float scale, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = scale * models::exponential(x[i] - log_of_sum);
}

class CrossEntropy : public torch::autograd::Function<CrossEntropy> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& logits_NK, const at::Tensor& labels_N, int64_t ignored) {
    const int64_t rows = logits_NK.size(0), classes = logits_NK.size(1);
    const at::Tensor sums_N = at::empty({rows}, logits_NK.options()), losses_N = at::zeros({rows}, logits_NK.options().dtype(at::kDouble));
    const float* logits = logits_NK.const_data_ptr<float>();
    const int64_t* labels = labels_N.const_data_ptr<int64_t>();
    float* sums = sums_N.mutable_data_ptr<float>();
    auto* losses = losses_N.mutable_data_ptr<double>();
    at::parallel_for(0, rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        if (labels[n] == ignored) continue;
        TORCH_CHECK_INDEX(labels[n] >= 0 && labels[n] < classes, "Target ", labels[n], " is out of bounds.");
        sums[n] = logOfSum(logits + n * classes, classes);
        losses[n] = static_cast<double>(sums[n] - logits[n * classes + labels[n]]);
      }
    });
    ctx->save_for_backward({logits_NK, labels_N, sums_N});
    ctx->saved_data["ignored"] = ignored;
    return losses_N.sum().to(at::kFloat);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const at::Tensor &logits_NK = saved[0], &labels_N = saved[1], &sums_N = saved[2];
    const int64_t classes = logits_NK.size(1), ignored = ctx->saved_data["ignored"].toInt();
    const float scale = grads[0].item<float>();
    at::Tensor out = at::empty_like(logits_NK);
    const float *logits = logits_NK.const_data_ptr<float>(), *sums = sums_N.const_data_ptr<float>();
    const int64_t* labels = labels_N.const_data_ptr<int64_t>();
    float* to = out.mutable_data_ptr<float>();
    at::parallel_for(0, logits_NK.size(0), kRowsAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        float* row = to + n * classes;
        if (labels[n] == ignored) {
          std::fill(row, row + classes, 0.0f);
          continue;
        }
        gradientRow(logits + n * classes, sums[n], scale, row, classes);
        row[labels[n]] -= scale;
      }
    });
    return {out, {}, {}};
  }
};

}  // namespace

at::Tensor crossEntropySum(const at::Tensor& logits_NK, const at::Tensor& labels_N, int64_t ignored) {
  if (!logits_NK.is_cpu() || logits_NK.scalar_type() != at::kFloat || !logits_NK.is_contiguous() || logits_NK.size(1) < kLarge || !labels_N.is_contiguous()) {
    return at::cross_entropy_loss(logits_NK, labels_N, {}, at::Reduction::Sum, ignored);
  }
  return CrossEntropy::apply(logits_NK, labels_N, ignored);
}

}  // namespace trainyard::train
