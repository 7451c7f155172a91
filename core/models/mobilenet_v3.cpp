#include "core/models/architectures.h"
#include "core/models/conv_blocks.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

struct Row {
  int64_t kernel, expanded, out;
  bool squeeze, hard_swish;
  int64_t stride;
};
constexpr Row kSmall[] = {{3, 16, 16, true, false, 2}, {3, 72, 24, false, false, 2}, {3, 88, 24, false, false, 1}, {5, 96, 40, true, true, 2},
                          {5, 240, 40, true, true, 1}, {5, 240, 40, true, true, 1},  {5, 120, 48, true, true, 1},  {5, 144, 48, true, true, 1},
                          {5, 288, 96, true, true, 2}, {5, 576, 96, true, true, 1},  {5, 576, 96, true, true, 1}};
constexpr Row kLarge[] = {{3, 16, 16, false, false, 1}, {3, 64, 24, false, false, 2}, {3, 72, 24, false, false, 1}, {5, 72, 40, true, false, 2},
                          {5, 120, 40, true, false, 1}, {5, 120, 40, true, false, 1}, {3, 240, 80, false, true, 2}, {3, 200, 80, false, true, 1},
                          {3, 184, 80, false, true, 1}, {3, 184, 80, false, true, 1}, {3, 480, 112, true, true, 1}, {3, 672, 112, true, true, 1},
                          {5, 672, 160, true, true, 2}, {5, 960, 160, true, true, 1}, {5, 960, 160, true, true, 1}};
constexpr BatchNormOptions kNorm{.eps = 1e-3, .momentum = 0.01};

// Howard et al. 2019, arXiv 1905.02244.
std::unique_ptr<Model> makeMobileNetV3(std::span<const Row> rows, int64_t width, const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  BlockList blocks(seed);
  Store& store = blocks.store();
  int64_t in = 16;
  int place = 0;
  const auto next = [&place] { return "features." + std::to_string(place++); };
  addConvNorm(blocks, next(), input.channels, in, {.kernel = 3, .stride = 2, .activation = Activation::HardSwish, .norm = kNorm});
  for (const Row& row : rows) {
    addInvertedResidual(blocks, next(),
                        {.in = in,
                         .expanded = row.expanded,
                         .out = row.out,
                         .kernel = row.kernel,
                         .stride = row.stride,
                         .activation = row.hard_swish ? Activation::HardSwish : Activation::ReLU,
                         .norm = kNorm,
                         .squeezed = row.squeeze ? divisibleBy8(static_cast<double>(row.expanded / 4)) : 0,
                         .hard_squeeze = true,
                         .body = "block"});
    in = row.out;
  }
  addConvNorm(blocks, next(), in, 6 * in, {.activation = Activation::HardSwish, .norm = kNorm});
  const double p = params.at("dropout").get<double>();
  const Linear hidden = linear(store, "classifier.0", 6 * in, width, {.normal = 0.01});
  const Linear head = linear(store, "classifier.3", width, classes, {.normal = 0.01});
  blocks.add("classifier", [=](const at::Tensor& x_NCHW, RunContext& context) {
    const at::Tensor means_NC = channelMeans(x_NCHW);
    return head(dropout(at::hardswish(hidden(means_NC)), p, context, "classifier.2"));
  });
  return blocks.finish(true);
}

}  // namespace

Result<std::unique_ptr<Model>> makeMobileNetV3Small(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeMobileNetV3(kSmall, 1024, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeMobileNetV3Large(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeMobileNetV3(kLarge, 1280, params, input, classes, seed);
}

}  // namespace trainyard::models
