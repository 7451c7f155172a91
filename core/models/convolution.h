#pragma once
// Convolutions, in the quicker of two ways.
#include <ATen/core/Tensor.h>

namespace trainyard::models {

// As at::conv2d with dilation 1; an undefined bias is none. On a processor, in channels_last, where the output has few places for the number of weights
// (the deep layers of networks on small pictures), as a product of matrices: oneDNN spends such a step on ordering the weights (512 to 512 channels,
// 16 pictures of 2 × 2: a fifth of the time in fp32). Equal but for rounding. Memory: k² times the input while it computes. Any thread.
at::Tensor convolve(const at::Tensor& x_NCHW, const at::Tensor& weight_OIHW, const at::Tensor& bias, int64_t stride, int64_t padding, int64_t groups);

}  // namespace trainyard::models
