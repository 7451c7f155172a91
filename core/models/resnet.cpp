#include <array>

#include "core/models/architectures.h"

namespace trainyard::models {

namespace {

struct Downsample {
  Conv2d conv;
  BatchNorm2d norm;
};

// Two 3×3 convolutions beside a shortcut (He et al. 2015, arXiv 1512.03385; names as in torchvision's BasicBlock).
int64_t addBasicBlock(BlockList& blocks, const std::string& name, int64_t in, int64_t out, int64_t stride) {
  Store& store = blocks.store();
  const Conv2d conv1 = conv2d(store, name + ".conv1", in, out, 3, stride, 1, ConvInit::KaimingFanOut);
  const BatchNorm2d bn1 = batchNorm2d(store, name + ".bn1", out);
  const Conv2d conv2 = conv2d(store, name + ".conv2", out, out, 3, 1, 1, ConvInit::KaimingFanOut);
  const BatchNorm2d bn2 = batchNorm2d(store, name + ".bn2", out);
  std::optional<Downsample> shortcut;
  if (stride != 1 || in != out) {
    shortcut = Downsample{conv2d(store, name + ".downsample.0", in, out, 1, stride, 0, ConvInit::KaimingFanOut), batchNorm2d(store, name + ".downsample.1", out)};
  }
  blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
    const at::Tensor hidden = bn1(conv1(x_NCHW), context).relu_();
    at::Tensor out_NCHW = bn2(conv2(hidden), context);
    out_NCHW += shortcut ? shortcut->norm(shortcut->conv(x_NCHW), context) : x_NCHW;
    return out_NCHW.relu_();
  });
  return out;
}

Result<std::unique_ptr<Model>> makeResNet(std::array<int, 4> depths, InputShape input, int64_t classes, uint64_t seed) {
  BlockList blocks(seed);
  const Conv2d conv1 = conv2d(blocks.store(), "conv1", input.channels, 64, 7, 2, 3, ConvInit::KaimingFanOut);
  const BatchNorm2d bn1 = batchNorm2d(blocks.store(), "bn1", 64);
  blocks.add("stem", [conv1, bn1](const at::Tensor& x_NCHW, RunContext& context) { return at::max_pool2d(bn1(conv1(x_NCHW), context).relu_(), 3, 2, 1); });
  int64_t channels = 64;
  for (size_t stage = 0; stage < depths.size(); ++stage) {
    const int64_t out = int64_t{64} << stage;
    for (int depth = 0; depth < depths[stage]; ++depth) {
      const std::string name = "layer" + std::to_string(stage + 1) + "." + std::to_string(depth);
      channels = addBasicBlock(blocks, name, channels, out, stage > 0 && depth == 0 ? 2 : 1);
    }
  }
  const Linear fc = linear(blocks.store(), "fc", channels, classes);
  blocks.add("fc", [fc](const at::Tensor& x_NCHW, RunContext&) { return fc(at::adaptive_avg_pool2d(x_NCHW, {1, 1}).flatten(1)); });
  return blocks.finish(true);
}

}  // namespace

Result<std::unique_ptr<Model>> makeResNet18(const Json&, InputShape input, int64_t classes, uint64_t seed) { return makeResNet({2, 2, 2, 2}, input, classes, seed); }

Result<std::unique_ptr<Model>> makeResNet34(const Json&, InputShape input, int64_t classes, uint64_t seed) { return makeResNet({3, 4, 6, 3}, input, classes, seed); }

}  // namespace trainyard::models
