#include "core/models/attention.h"

#include <cmath>
#include <limits>

#include "core/models/dropout.h"

namespace trainyard::models {

at::Tensor attention(const at::Tensor& qkv, int64_t heads, const at::Tensor& bias, double dropout_share, const RunContext& context, std::string_view site,
                     Looks looks) {
  const auto parts = qkv.unflatten(-1, {3, heads, -1}).unbind(-3);  // each …×T×heads×D
  const at::Tensor q = parts[0].transpose(-3, -2), k = parts[1].transpose(-3, -2), v = parts[2].transpose(-3, -2);
  const auto joined = [](const at::Tensor& x) { return x.transpose(-3, -2).flatten(-2); };
  const bool drops = context.training && dropout_share > 0;
  if (!bias.defined() && !drops) return joined(at::scaled_dot_product_attention(q, k, v, {}, 0, looks == Looks::Back));
  // A learned bias is beyond the fused kernels, and their dropout takes no generator of ours.
  at::Tensor scores = at::matmul(q * (1.0 / std::sqrt(static_cast<double>(q.size(-1)))), k.transpose(-2, -1));
  if (bias.defined()) scores = scores + bias;
  if (looks == Looks::Back) {
    const at::Tensor later_TT = at::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(at::kBool)).triu(1);
    scores = scores.masked_fill(later_TT, -std::numeric_limits<double>::infinity());
  }
  return joined(at::matmul(dropout(at::softmax(scores, -1), dropout_share, context, site), v));
}

at::Tensor TransformerMlp::operator()(const at::Tensor& x, const RunContext& context) const {
  const at::Tensor hidden = dropout(at::gelu(expand(x)), dropout_share, context, name + ".2");
  return dropout(project(hidden), dropout_share, context, name + ".4");
}

TransformerMlp transformerMlp(Store& store, const std::string& name, int64_t width, double dropout_share, const LinearInit* init) {
  const LinearInit xavier{.uniform = xavierBound(width, 4 * width)};
  TransformerMlp mlp{linear(store, name + ".0", width, 4 * width, init ? *init : xavier), linear(store, name + ".3", 4 * width, width, init ? *init : xavier),
                     dropout_share, name};
  if (init == nullptr) {
    store.normal(mlp.expand.bias, 1e-6);
    store.normal(mlp.project.bias, 1e-6);
  }
  return mlp;
}

double xavierBound(int64_t in, int64_t out) { return std::sqrt(6.0 / static_cast<double>(in + out)); }

}  // namespace trainyard::models
