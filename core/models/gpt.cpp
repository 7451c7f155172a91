#include "core/models/architectures.h"
#include "core/models/attention.h"
#include "core/models/dropout.h"
#include "core/models/gelu.h"

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
    const at::Tensor mixed_NTC = attention(qkv(norm_1(x_NTC)), shape.heads, {}, shape.dropout, context, name + ".attention", Looks::Back);
    const at::Tensor seen_NTC = x_NTC + dropout(proj(mixed_NTC), shape.dropout, context, name + ".proj");
    return seen_NTC + dropout(project(geluTanh(expand(norm_2(seen_NTC)))), shape.dropout, context, name + ".out");
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
