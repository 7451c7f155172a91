#include <cmath>
#include <limits>

#include "core/models/architectures.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

constexpr double kDeviation = 0.02;
constexpr LinearInit kLinearInit{.normal = kDeviation};

struct Shape {
  int64_t width = 0, heads = 0;
  double dropout = 0;
};

at::Tensor embedding(Store& store, const std::string& name, int64_t rows, int64_t width) {
  at::Tensor weight = store.parameter(name + ".weight", {rows, width});
  store.normal(weight, kDeviation);
  return weight;
}

// Each place sees itself and those before it. The fused kernel draws from a generator of its own, so weights that are dropped are computed here.
at::Tensor attend(const at::Tensor& q_NHTD, const at::Tensor& k_NHTD, const at::Tensor& v_NHTD, double p, const RunContext& context, const std::string& site) {
  if (!context.training || p == 0) return at::scaled_dot_product_attention(q_NHTD, k_NHTD, v_NHTD, {}, 0, true);
  const int64_t places = q_NHTD.size(2);
  const at::Tensor later_TT = at::ones({places, places}, q_NHTD.options().dtype(at::kBool)).triu(1);
  const at::Tensor scores_NHTT = at::matmul(q_NHTD, k_NHTD.transpose(2, 3)).div(std::sqrt(static_cast<double>(q_NHTD.size(3))));
  const at::Tensor shares_NHTT = at::softmax(scores_NHTT.masked_fill(later_TT, -std::numeric_limits<double>::infinity()), 3);
  return at::matmul(dropout(shares_NHTT, p, context, site), v_NHTD);
}

// Norm first: attention beside a shortcut, then two linear layers beside a shortcut.
void addBlock(BlockList& blocks, const std::string& name, const Shape& shape) {
  Store& store = blocks.store();
  const int64_t width = shape.width;
  const LayerNorm norm_1 = layerNorm(store, name + ".ln_1", width);
  const Linear qkv = linear(store, name + ".qkv", width, 3 * width, kLinearInit);
  const Linear proj = linear(store, name + ".proj", width, width, kLinearInit);
  const LayerNorm norm_2 = layerNorm(store, name + ".ln_2", width);
  const Linear expand = linear(store, name + ".fc", width, 4 * width, kLinearInit);
  const Linear project = linear(store, name + ".out", 4 * width, width, kLinearInit);
  blocks.add(name, [=](const at::Tensor& x_NTC, RunContext& context) {
    const auto split = [&](const at::Tensor& part_NTC) { return part_NTC.unflatten(2, {shape.heads, width / shape.heads}).transpose(1, 2); };
    const std::vector<at::Tensor> parts = qkv(norm_1(x_NTC)).split(width, 2);
    const at::Tensor mixed_NHTD = attend(split(parts[0]), split(parts[1]), split(parts[2]), shape.dropout, context, name + ".attention");
    const at::Tensor seen_NTC = x_NTC + dropout(proj(mixed_NHTD.transpose(1, 2).flatten(2)), shape.dropout, context, name + ".proj");
    return seen_NTC + dropout(project(at::gelu(expand(norm_2(seen_NTC)), "tanh")), shape.dropout, context, name + ".out");
  });
}

Result<int64_t> placesFor(const Json& params, InputShape input) {
  const int64_t places = params.contains("context") && params.at("context").is_number() ? params.at("context").get<int64_t>() : input.width;
  if (input.channels != 1 || input.height != 1 || input.width < 1) {
    return fail(ErrorCode::Recipe, "\"gpt\" reads text, and this data is none", "model.arch", "choose another architecture, or data.format = \"text\"");
  }
  if (places >= input.width) return places;
  return fail(ErrorCode::Recipe, "the network has " + std::to_string(places) + " places, and the data's windows are of " + std::to_string(input.width),
              "model.context", "use at least " + std::to_string(input.width) + ", or leave it out");
}

}  // namespace

// GPT-2 (Radford et al. 2019): learned places, norms first, the head's weight is the embedding's. N × T token ids in, N × T × V logits out.
Result<std::unique_ptr<Model>> makeGpt(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_TRY(const int64_t places, placesFor(params, input));
  const Shape shape{params.at("width").get<int64_t>(), params.at("heads").get<int64_t>(), params.at("dropout").get<double>()};
  if (shape.width % shape.heads != 0) {
    return fail(ErrorCode::Recipe, "a width of " + std::to_string(shape.width) + " cannot be shared out over " + std::to_string(shape.heads) + " heads",
                "model.heads", "make model.width a multiple of model.heads");
  }
  BlockList blocks(seed);
  Store& store = blocks.store();
  const at::Tensor tokens_VC = embedding(store, "wte", classes, shape.width);
  const at::Tensor places_TC = embedding(store, "wpe", places, shape.width);
  blocks.add("embedding", [=](const at::Tensor& ids_NT, RunContext& context) {
    const at::Tensor x_NTC = at::embedding(tokens_VC, ids_NT) + places_TC.narrow(0, 0, ids_NT.size(1));
    return dropout(x_NTC, shape.dropout, context, "embedding");
  });
  const auto layers = params.at("layers").get<int64_t>();
  for (int64_t i = 0; i < layers; ++i) addBlock(blocks, "blocks." + std::to_string(i), shape);
  const LayerNorm norm = layerNorm(store, "ln_f", shape.width);
  blocks.add("ln_f", [=](const at::Tensor& x_NTC, RunContext&) { return at::linear(norm(x_NTC), tokens_VC); });
  return blocks.finish(false, {{"wte.weight", "lm_head.weight"}});
}

}  // namespace trainyard::models
