#include <array>

#include "core/models/architectures.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

constexpr int64_t kGrowth = 32, kBottleneck = 4 * kGrowth;
constexpr ConvInit kInit = ConvInit::KaimingFanIn;

// Appends kGrowth channels to those that come in.
void addDenseLayer(BlockList& blocks, const std::string& name, int64_t in, double p) {
  Store& store = blocks.store();
  const BatchNorm2d norm1 = batchNorm2d(store, name + ".norm1", in);
  const Conv2d conv1 = conv2d(store, name + ".conv1", in, kBottleneck, {.init = kInit});
  const BatchNorm2d norm2 = batchNorm2d(store, name + ".norm2", kBottleneck);
  const Conv2d conv2 = conv2d(store, name + ".conv2", kBottleneck, kGrowth, {.kernel = 3, .padding = 1, .init = kInit});
  blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
    const at::Tensor hidden = conv1(norm1(x_NCHW, context).relu_());
    const at::Tensor added = conv2(norm2(hidden, context).relu_());
    return at::cat({x_NCHW, dropout(added, p, context, name)}, 1);
  });
}

// Half the channels, half the size.
void addTransition(BlockList& blocks, const std::string& name, int64_t in) {
  const BatchNorm2d norm = batchNorm2d(blocks.store(), name + ".norm", in);
  const Conv2d conv = conv2d(blocks.store(), name + ".conv", in, in / 2, {.init = kInit});
  blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) { return at::avg_pool2d(conv(norm(x_NCHW, context).relu_()), 2, 2); });
}

}  // namespace

// Every layer sees what all before it in its stage made (Huang et al. 2016, arXiv 1608.06993).
Result<std::unique_ptr<Model>> makeDenseNet121(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPictureSize("DenseNet-121", input, 29));
  BlockList blocks(seed);
  Store& store = blocks.store();
  int64_t channels = 64;
  const Conv2d conv0 = conv2d(store, "features.conv0", input.channels, channels, {.kernel = 7, .stride = 2, .padding = 3, .init = kInit});
  const BatchNorm2d norm0 = batchNorm2d(store, "features.norm0", channels);
  blocks.add("features.conv0", [=](const at::Tensor& x_NCHW, RunContext& context) { return at::max_pool2d(norm0(conv0(x_NCHW), context).relu_(), 3, 2, 1); });
  const double p = params.at("dropout").get<double>();
  const std::array<int, 4> depths{6, 12, 24, 16};
  for (size_t stage = 0; stage < depths.size(); ++stage) {
    const std::string number = std::to_string(stage + 1);
    for (int depth = 0; depth < depths[stage]; ++depth, channels += kGrowth) {
      addDenseLayer(blocks, "features.denseblock" + number + ".denselayer" + std::to_string(depth + 1), channels, p);
    }
    if (stage + 1 == depths.size()) break;
    addTransition(blocks, "features.transition" + number, channels);
    channels /= 2;
  }
  const BatchNorm2d norm5 = batchNorm2d(store, "features.norm5", channels);
  blocks.add("features.norm5", [norm5](const at::Tensor& x_NCHW, RunContext& context) { return norm5(x_NCHW, context).relu_(); });
  const Linear head = linear(store, "classifier", channels, classes, {});
  blocks.add("classifier", [head](const at::Tensor& x_NCHW, RunContext&) { return head(channelMeans(x_NCHW)); });
  return blocks.finish(true);
}

}  // namespace trainyard::models
