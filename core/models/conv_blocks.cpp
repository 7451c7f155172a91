#include "core/models/conv_blocks.h"

#include <algorithm>

#include "core/models/dropout.h"

namespace trainyard::models {

at::Tensor activate(Activation activation, at::Tensor x) {
  switch (activation) {
    case Activation::None:
      return x;
    case Activation::ReLU:
      return x.relu_();
    case Activation::ReLU6:
      return at::hardtanh_(x, 0, 6);
    case Activation::HardSwish:
      return at::hardswish(x);
    case Activation::SiLU:
      return at::silu(x);
  }
  return x;
}

at::Tensor ConvNorm::operator()(const at::Tensor& x_NCHW, const RunContext& context) const { return activate(activation, norm(conv(x_NCHW), context)); }

ConvNorm convNorm(Store& store, const std::string& conv_name, const std::string& norm_name, int64_t in, int64_t out, const ConvNormOptions& options) {
  ConvNorm layer;
  layer.conv =
      conv2d(store, conv_name, in, out, {.kernel = options.kernel, .stride = options.stride, .padding = (options.kernel - 1) / 2, .groups = options.groups});
  layer.norm = batchNorm2d(store, norm_name, out, options.norm);
  layer.activation = options.activation;
  return layer;
}

ConvNorm convNorm(Store& store, const std::string& name, int64_t in, int64_t out, const ConvNormOptions& options) {
  return convNorm(store, name + ".0", name + ".1", in, out, options);
}

void addConvNorm(BlockList& blocks, const std::string& name, int64_t in, int64_t out, const ConvNormOptions& options) {
  const ConvNorm layer = convNorm(blocks.store(), name, in, out, options);
  blocks.add(name, [layer](const at::Tensor& x_NCHW, RunContext& context) { return layer(x_NCHW, context); });
}

at::Tensor SqueezeExcitation::operator()(const at::Tensor& x_NCHW) const {
  const at::Tensor means = at::adaptive_avg_pool2d(x_NCHW, {1, 1});
  const at::Tensor scale = fc2(activate(activation, fc1(means)));
  return (hard ? at::hardsigmoid(scale) : at::sigmoid(scale)) * x_NCHW;
}

void addInvertedResidual(BlockList& blocks, const std::string& name, const InvertedResidualOptions& options) {
  Store& store = blocks.store();
  int place = 0;
  const auto next = [&] { return name + "." + options.body + "." + std::to_string(place++); };
  std::optional<ConvNorm> expand;
  if (options.expanded != options.in) expand = convNorm(store, next(), options.in, options.expanded, {.activation = options.activation, .norm = options.norm});
  const ConvNorm depthwise =
      convNorm(store, next(), options.expanded, options.expanded,
               {.kernel = options.kernel, .stride = options.stride, .groups = options.expanded, .activation = options.activation, .norm = options.norm});
  std::optional<SqueezeExcitation> squeeze;
  if (options.squeezed > 0) {
    const std::string at = next();
    const Conv2d fc1 = conv2d(store, at + ".fc1", options.expanded, options.squeezed, {.bias = true});
    const Conv2d fc2 = conv2d(store, at + ".fc2", options.squeezed, options.expanded, {.bias = true});
    squeeze = SqueezeExcitation{fc1, fc2, options.squeeze_activation, options.hard_squeeze};
  }
  const ConvNormOptions linear{.activation = Activation::None, .norm = options.norm};
  const std::string last = next();
  const ConvNorm project = options.flat_projection ? convNorm(store, last, next(), options.expanded, options.out, linear)
                                                   : convNorm(store, last, options.expanded, options.out, linear);
  const bool shortcut = options.stride == 1 && options.in == options.out;
  const double p = shortcut ? options.stochastic_depth : 0;
  blocks.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
    at::Tensor hidden = depthwise(expand ? (*expand)(x_NCHW, context) : x_NCHW, context);
    if (squeeze) hidden = (*squeeze)(hidden);
    at::Tensor out_NCHW = stochasticDepth(project(hidden, context), p, context, name);
    return shortcut ? out_NCHW.add_(x_NCHW) : out_NCHW;
  });
}

int64_t divisibleBy8(double width) {
  const int64_t near = std::max<int64_t>(8, static_cast<int64_t>(width + 4) / 8 * 8);
  return static_cast<double>(near) < 0.9 * width ? near + 8 : near;
}

}  // namespace trainyard::models
