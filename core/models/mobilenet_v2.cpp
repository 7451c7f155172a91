#include "core/models/architectures.h"
#include "core/models/conv_blocks.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

struct Stage {
  int64_t expansion, channels;
  int depth;
  int64_t stride;
};
constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
constexpr int64_t kWidth = 1280;

}  // namespace

// Sandler et al. 2018, arXiv 1801.04381.
Result<std::unique_ptr<Model>> makeMobileNetV2(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  BlockList blocks(seed);
  int64_t in = 32;
  int place = 0;
  const auto next = [&place] { return "features." + std::to_string(place++); };
  addConvNorm(blocks, next(), input.channels, in, {.kernel = 3, .stride = 2, .activation = Activation::ReLU6});
  for (const Stage& stage : kStages) {
    for (int depth = 0; depth < stage.depth; ++depth) {
      addInvertedResidual(blocks, next(),
                          {.in = in,
                           .expanded = in * stage.expansion,
                           .out = stage.channels,
                           .kernel = 3,
                           .stride = depth == 0 ? stage.stride : 1,
                           .activation = Activation::ReLU6,
                           .flat_projection = true,
                           .body = "conv"});
      in = stage.channels;
    }
  }
  addConvNorm(blocks, next(), in, kWidth, {.activation = Activation::ReLU6});
  const double p = params.at("dropout").get<double>();
  const Linear head = linear(blocks.store(), "classifier.1", kWidth, classes, {.normal = 0.01});
  blocks.add("classifier", [=](const at::Tensor& x_NCHW, RunContext& context) {
    return head(dropout(channelMeans(x_NCHW), p, context, "classifier.0"));
  });
  return blocks.finish(true);
}

}  // namespace trainyard::models
