#include "core/models/architectures.h"
#include "core/models/conv_blocks.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

// 3×3 convolutions with batch norm, a pool after each stage, three linear layers (Simonyan and Zisserman 2014, arXiv 1409.1556). `depths`: convolutions
// of each stage. Names count the places of torchvision's sequence.
Result<std::unique_ptr<Model>> makeVgg(std::array<int, 5> depths, const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPictureSize("VGG", input, 32));
  BlockList blocks(seed);
  Store& store = blocks.store();
  int64_t in = input.channels, place = 0;
  for (size_t stage = 0; stage < depths.size(); ++stage) {
    const int64_t out = std::min<int64_t>(512, int64_t{64} << stage);
    for (int depth = 0; depth < depths[stage]; ++depth) {
      const std::string name = "features." + std::to_string(place);
      const Conv2d conv = conv2d(store, name, in, out, {.kernel = 3, .padding = 1, .bias = true});
      const BatchNorm2d norm = batchNorm2d(store, "features." + std::to_string(place + 1), out);
      const bool last = depth + 1 == depths[stage];
      blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
        const at::Tensor hidden = norm(conv(x_NCHW), context).relu_();
        return last ? at::max_pool2d(hidden, 2, 2) : hidden;
      });
      in = out;
      place += last ? 4 : 3;
    }
  }
  const double p = params.at("dropout").get<double>();
  const Linear first = linear(store, "classifier.0", in * 49, 4096, {.normal = 0.01});
  blocks.add("classifier.0", [=](const at::Tensor& x_NCHW, RunContext& context) {
    return dropout(first(at::adaptive_avg_pool2d(x_NCHW, {7, 7}).flatten(1)).relu_(), p, context, "classifier.2");
  });
  const Linear second = linear(store, "classifier.3", 4096, 4096, {.normal = 0.01});
  blocks.add("classifier.3", [=](const at::Tensor& x_NI, RunContext& context) { return dropout(second(x_NI).relu_(), p, context, "classifier.5"); });
  const Linear head = linear(store, "classifier.6", 4096, classes, {.normal = 0.01});
  blocks.add("classifier.6", [head](const at::Tensor& x_NI, RunContext&) { return head(x_NI); });
  return blocks.finish(true);
}

}  // namespace

Result<std::unique_ptr<Model>> makeVgg11(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeVgg({1, 1, 2, 2, 2}, params, input, classes, seed);
}

Result<std::unique_ptr<Model>> makeVgg16(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return makeVgg({2, 2, 3, 3, 3}, params, input, classes, seed);
}

}  // namespace trainyard::models
