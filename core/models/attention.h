#pragma once
// What transformers are written with beside the layers: attention and the layers after it.
#include <ATen/ATen.h>

#include <string>
#include <string_view>

#include "core/models/layers.h"

namespace trainyard::models {

// Shares of values that are zeroed at random in training.
struct TransformerDropout {
  double values = 0;     // after the embedding and each projection
  double attention = 0;  // of the attention's weights
};

// Attention between T places with `heads` heads: queries, keys and values side by side, …×T×3C, give …×T×C. `bias` is added to the scores before the
// softmax, broadcast to …×heads×T×T; undefined: none. `site` names the place of the dropout. Looks: whether a place sees those behind it.
enum class Looks { Everywhere, Back };
at::Tensor attention(const at::Tensor& qkv, int64_t heads, const at::Tensor& bias, double dropout_share, const RunContext& context, std::string_view site,
                     Looks looks = Looks::Everywhere);

// Linear to four times the width, GELU, linear back; dropout after both. Of the last dimension.
struct TransformerMlp {
  Linear expand, project;
  double dropout_share;
  std::string name;
  at::Tensor operator()(const at::Tensor& x, const RunContext& context) const;
};

// Registers name.0 and name.3 with Xavier's uniform weights and biases of almost nothing, or with `init`'s where it is given.
TransformerMlp transformerMlp(Store& store, const std::string& name, int64_t width, double dropout_share, const LinearInit* init = nullptr);

// Xavier's bound of uniform weights.
double xavierBound(int64_t in, int64_t out);

}  // namespace trainyard::models
