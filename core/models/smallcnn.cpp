#include "core/models/architectures.h"

namespace trainyard::models {

// conv 3×3 (32) - pool - conv (64) - pool - conv (128) - mean - linear; batch norm and ReLU after each convolution.
Result<std::unique_ptr<Model>> makeSmallCnn(const Json&, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPictureSize("The small CNN", input, 4));
  BlockList blocks(seed);
  int64_t in = input.channels;
  int place = 0;
  for (const int64_t out : {32, 64, 128}) {
    const std::string name = "features." + std::to_string(place);
    const Conv2d conv = conv2d(blocks.store(), name + ".0", in, out, 3, 1, 1);
    const BatchNorm2d norm = batchNorm2d(blocks.store(), name + ".1", out);
    const bool pool_first = place > 0;
    blocks.add(name, [conv, norm, pool_first](const at::Tensor& x_NCHW, RunContext& context) {
      return norm(conv(pool_first ? at::max_pool2d(x_NCHW, 2) : x_NCHW), context).relu_();
    });
    in = out;
    place += 2;
  }
  const Linear head = linear(blocks.store(), "classifier", in, classes);
  blocks.add("classifier", [head](const at::Tensor& x_NCHW, RunContext&) { return head(x_NCHW.mean({2, 3})); });
  return blocks.finish(true);
}

}  // namespace trainyard::models
