#pragma once
// What the convolutional architectures have in common: convolution with norm and activation, squeeze and excitation, the inverted residual block.
#include <optional>

#include "core/models/layers.h"

namespace trainyard::models {

enum class Activation { None, ReLU, ReLU6, HardSwish, SiLU };
at::Tensor activate(Activation activation, at::Tensor x);  // may write into x

// torchvision's Conv2dNormActivation: no bias, padding that keeps the size.
struct ConvNorm {
  Conv2d conv;
  BatchNorm2d norm;
  Activation activation;
  at::Tensor operator()(const at::Tensor& x_NCHW, const RunContext& context) const;
};
struct ConvNormOptions {
  int64_t kernel = 1, stride = 1, groups = 1;
  Activation activation = Activation::ReLU;
  BatchNormOptions norm;
};
// Named as torchvision does: `name`.0 and `name`.1.
ConvNorm convNorm(Store& store, const std::string& name, int64_t in, int64_t out, const ConvNormOptions& options);
ConvNorm convNorm(Store& store, const std::string& conv_name, const std::string& norm_name, int64_t in, int64_t out, const ConvNormOptions& options);

// Adds one block of the name.
void addConvNorm(BlockList& blocks, const std::string& name, int64_t in, int64_t out, const ConvNormOptions& options);

// Scales each channel by what a small network makes of all channels' means (Hu et al. 2017, arXiv 1709.01507).
struct SqueezeExcitation {
  Conv2d fc1, fc2;
  Activation activation;
  bool hard;  // hardsigmoid instead of sigmoid
  at::Tensor operator()(const at::Tensor& x_NCHW) const;
};

// Expand by 1×1, depthwise, project by 1×1, beside a shortcut where the sizes allow one (Sandler et al. 2018, arXiv 1801.04381).
struct InvertedResidualOptions {
  int64_t in, expanded, out, kernel, stride;
  Activation activation;
  BatchNormOptions norm = {};
  int64_t squeezed = 0;  // channels inside squeeze and excitation; 0: none
  Activation squeeze_activation = Activation::ReLU;
  bool hard_squeeze = false;
  double stochastic_depth = 0;
  bool flat_projection = false;  // the projection and its norm are places of their own, as in MobileNetV2
  std::string body;              // what the places are named below: "block", "conv"
};
// Adds one block of the name.
void addInvertedResidual(BlockList& blocks, const std::string& name, const InvertedResidualOptions& options);

// The nearest multiple of 8 that is at least 90 % of the width.
int64_t divisibleBy8(double width);

}  // namespace trainyard::models
