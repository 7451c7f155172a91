#include <algorithm>
#include <cmath>

#include "core/models/architectures.h"
#include "core/models/conv_blocks.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

struct Stage {
  int64_t expansion, kernel, stride;
  double channels;
  int depth;
};
constexpr Stage kStages[] = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2}, {6, 5, 2, 40, 2}, {6, 3, 2, 80, 3}, {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1}};

// How much wider and deeper than B0.
struct Scale {
  double width, depth;
};

int depthOf(const Stage& stage, Scale scale) { return static_cast<int>(std::ceil(stage.depth * scale.depth)); }

// Adds the stages and gives the channels of the last.
int64_t addStages(BlockList& blocks, Scale scale, int64_t in, double stochastic_depth) {
  int total = 0, done = 0, number = 0;
  for (const Stage& stage : kStages) total += depthOf(stage, scale);
  for (const Stage& stage : kStages) {
    const std::string name = "features." + std::to_string(++number) + ".";
    const int64_t out = divisibleBy8(stage.channels * scale.width);
    for (int depth = 0; depth < depthOf(stage, scale); ++depth, ++done) {
      addInvertedResidual(blocks, name + std::to_string(depth),
                          {.in = in,
                           .expanded = divisibleBy8(static_cast<double>(in * stage.expansion)),
                           .out = out,
                           .kernel = stage.kernel,
                           .stride = depth == 0 ? stage.stride : 1,
                           .activation = Activation::SiLU,
                           .squeezed = std::max<int64_t>(1, in / 4),
                           .squeeze_activation = Activation::SiLU,
                           .stochastic_depth = stochastic_depth * done / total,
                           .body = "block"});
      in = out;
    }
  }
  return in;
}

// Tan and Le 2019, arXiv 1905.11946.
std::unique_ptr<Model> makeEfficientNet(Scale scale, const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  BlockList blocks(seed);
  const int64_t first = divisibleBy8(32 * scale.width);
  addConvNorm(blocks, "features.0", input.channels, first, {.kernel = 3, .stride = 2, .activation = Activation::SiLU});
  const int64_t in = addStages(blocks, scale, first, params.at("stochastic_depth").get<double>());
  addConvNorm(blocks, "features." + std::to_string(std::size(kStages) + 1), in, 4 * in, {.activation = Activation::SiLU});
  const double p = params.at("dropout").get<double>();
  const Linear head = linear(blocks.store(), "classifier.1", 4 * in, classes, {.uniform = 1.0 / std::sqrt(static_cast<double>(classes))});
  blocks.add("classifier", [=](const at::Tensor& x_NCHW, RunContext& context) {
    return head(dropout(channelMeans(x_NCHW), p, context, "classifier.0"));
  });
  return blocks.finish(true);
}

}  // namespace

Result<std::unique_ptr<Model>> makeEfficientNetB0(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeEfficientNet({1.0, 1.0}, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeEfficientNetB1(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeEfficientNet({1.0, 1.1}, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeEfficientNetB2(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeEfficientNet({1.1, 1.2}, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeEfficientNetB3(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeEfficientNet({1.2, 1.4}, params, input, classes, seed);
}

}  // namespace trainyard::models
