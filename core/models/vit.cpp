#include <cmath>

#include "core/models/architectures.h"
#include "core/models/attention.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

constexpr int64_t kPatch = 16, kLayers = 12;
constexpr double kEps = 1e-6;

Result<void> checkPatches(InputShape input) {
  TRAINYARD_CHECK(checkPictureSize("The vision transformer", input, kPatch));
  if (input.height % kPatch == 0 && input.width % kPatch == 0) return {};
  const int64_t below = input.width / kPatch * kPatch;
  return fail(ErrorCode::Recipe,
              "the vision transformer cuts pictures into patches of 16 × 16 pixels, and " + std::to_string(input.width) + " × " + std::to_string(input.height) +
                  " is not a multiple of them",
              "data.size", "set data.size to a multiple of 16, such as " + std::to_string(below) + " or " + std::to_string(below + kPatch));
}

// Patches, the class token before them, and what tells their places apart.
void addEmbedding(BlockList& blocks, InputShape input, int64_t width, double dropout_share) {
  Store& store = blocks.store();
  const at::Tensor token = store.parameter("class_token", {1, 1, width});
  Conv2d patches = conv2d(store, "conv_proj", input.channels, width, {.kernel = kPatch, .stride = kPatch, .bias = true, .init = ConvInit::Normal002});
  store.normal(patches.weight, 1.0 / std::sqrt(static_cast<double>(input.channels * kPatch * kPatch)));
  at::Tensor places = store.parameter("encoder.pos_embedding", {1, (input.height / kPatch) * (input.width / kPatch) + 1, width});
  store.normal(places, 0.02);
  blocks.add("conv_proj", [=](const at::Tensor& x_NCHW, RunContext& context) {
    const at::Tensor patches_NTC = patches(x_NCHW).flatten(2).transpose(1, 2);
    const at::Tensor x_NTC = at::cat({token.expand({x_NCHW.size(0), -1, -1}), patches_NTC}, 1) + places;
    return dropout(x_NTC, dropout_share, context, "encoder.dropout");
  });
}

// Attention and two linear layers, each behind a norm and beside a shortcut.
void addLayer(BlockList& blocks, const std::string& name, int64_t width, int64_t heads, const TransformerDropout& shares) {
  Store& store = blocks.store();
  const std::string attend = name + ".self_attention";
  const LayerNorm norm_1 = layerNorm(store, name + ".ln_1", width, kEps);
  Linear in{store.parameter(attend + ".in_proj_weight", {3 * width, width}), store.parameter(attend + ".in_proj_bias", {3 * width})};
  store.uniform(in.weight, xavierBound(width, 3 * width));
  const Linear out = linear(store, attend + ".out_proj", width, width, {.zero_bias = true});
  const LayerNorm norm_2 = layerNorm(store, name + ".ln_2", width, kEps);
  const TransformerMlp mlp = transformerMlp(store, name + ".mlp", width, shares.values);
  blocks.add(name, [=](const at::Tensor& x_NTC, RunContext& context) {
    const at::Tensor seen_NTC = out(attention(in(norm_1(x_NTC)), heads, {}, shares.attention, context, attend));
    const at::Tensor y_NTC = dropout(seen_NTC, shares.values, context, name + ".dropout") + x_NTC;
    return y_NTC + mlp(norm_2(y_NTC), context);
  });
}

// Dosovitskiy et al. 2020, arXiv 2010.11929; twelve layers, patches of 16 pixels.
Result<std::unique_ptr<Model>> makeViT(int64_t width, int64_t heads, const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPatches(input));
  const TransformerDropout shares{params.at("dropout").get<double>(), params.at("attention_dropout").get<double>()};
  BlockList blocks(seed);
  addEmbedding(blocks, input, width, shares.values);
  for (int64_t layer = 0; layer < kLayers; ++layer) addLayer(blocks, "encoder.layers.encoder_layer_" + std::to_string(layer), width, heads, shares);
  const LayerNorm norm = layerNorm(blocks.store(), "encoder.ln", width, kEps);
  const Linear head = linear(blocks.store(), "heads.head", width, classes, {.zero_bias = true});
  head.weight.data().zero_();
  blocks.add("heads", [=](const at::Tensor& x_NTC, RunContext&) { return head(norm(x_NTC.select(1, 0))); });
  return blocks.finish(false);
}

}  // namespace

Result<std::unique_ptr<Model>> makeViTTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeViT(192, 3, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeViTSmall(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeViT(384, 6, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeViTBase(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeViT(768, 12, params, input, classes, seed);
}

}  // namespace trainyard::models
