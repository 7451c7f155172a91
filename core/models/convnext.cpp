#include <array>

#include "core/models/architectures.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

constexpr double kEps = 1e-6, kLayerScale = 1e-6;
constexpr std::array<int64_t, 4> kWidths{96, 192, 384, 768};
constexpr ConvInit kInit = ConvInit::Normal002;
constexpr LinearInit kLinearInit{.normal = 0.02};

// Layer norm over the channels of each pixel.
at::Tensor normed(const LayerNorm& norm, const at::Tensor& x_NCHW) { return norm(x_NCHW.permute({0, 2, 3, 1})).permute({0, 3, 1, 2}); }

// Depthwise 7×7, then two linear layers on each pixel, beside a shortcut.
void addBlock(BlockList& blocks, const std::string& name, int64_t width, double stochastic_depth) {
  Store& store = blocks.store();
  const at::Tensor scale = store.parameter(name + ".layer_scale", {width, 1, 1});
  scale.data().fill_(kLayerScale);
  const Conv2d depthwise = conv2d(store, name + ".block.0", width, width, {.kernel = 7, .padding = 3, .groups = width, .bias = true, .init = kInit});
  const LayerNorm norm = layerNorm(store, name + ".block.2", width, kEps);
  const Linear expand = linear(store, name + ".block.3", width, 4 * width, kLinearInit);
  const Linear project = linear(store, name + ".block.5", 4 * width, width, kLinearInit);
  blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
    const at::Tensor hidden_NHWC = project(at::gelu(expand(norm(depthwise(x_NCHW).permute({0, 2, 3, 1})))));
    return stochasticDepth(scale * hidden_NHWC.permute({0, 3, 1, 2}), stochastic_depth, context, name).add_(x_NCHW);
  });
}

// Liu et al. 2022, arXiv 2201.03545.
Result<std::unique_ptr<Model>> makeConvNeXt(std::array<int, 4> depths, const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPictureSize("ConvNeXt", input, 32));
  BlockList blocks(seed);
  Store& store = blocks.store();
  const Conv2d stem = conv2d(store, "features.0.0", input.channels, kWidths[0], {.kernel = 4, .stride = 4, .bias = true, .init = kInit});
  const LayerNorm stem_norm = layerNorm(store, "features.0.1", kWidths[0], kEps);
  blocks.add("features.0", [=](const at::Tensor& x_NCHW, RunContext&) { return normed(stem_norm, stem(x_NCHW)); });
  const double most = params.at("stochastic_depth").get<double>();
  const int total = depths[0] + depths[1] + depths[2] + depths[3];
  int done = 0;
  for (size_t stage = 0; stage < depths.size(); ++stage) {
    const std::string name = "features." + std::to_string(2 * stage + 1) + ".";
    for (int depth = 0; depth < depths[stage]; ++depth, ++done) addBlock(blocks, name + std::to_string(depth), kWidths[stage], most * done / (total - 1.0));
    if (stage + 1 == depths.size()) break;
    const std::string down = "features." + std::to_string(2 * stage + 2);
    const LayerNorm norm = layerNorm(store, down + ".0", kWidths[stage], kEps);
    const Conv2d conv = conv2d(store, down + ".1", kWidths[stage], kWidths[stage + 1], {.kernel = 2, .stride = 2, .bias = true, .init = kInit});
    blocks.add(down, [=](const at::Tensor& x_NCHW, RunContext&) { return conv(normed(norm, x_NCHW)); });
  }
  const LayerNorm last_norm = layerNorm(store, "classifier.0", kWidths.back(), kEps);
  const Linear head = linear(store, "classifier.2", kWidths.back(), classes, kLinearInit);
  blocks.add("classifier", [=](const at::Tensor& x_NCHW, RunContext&) { return head(last_norm(channelMeans(x_NCHW))); });
  return blocks.finish(true);
}

}  // namespace

Result<std::unique_ptr<Model>> makeConvNeXtTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeConvNeXt({3, 3, 9, 3}, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeConvNeXtSmall(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeConvNeXt({3, 3, 27, 3}, params, input, classes, seed);
}

}  // namespace trainyard::models
