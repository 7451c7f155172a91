#pragma once
// Random masks of a training step. A mask is a function of the run's seed, the step, the micro-batch, the rank and the place in the network, so a block
// that is run a second time draws the same one, and a resumed run goes on with the numbers of the uninterrupted one.
#include <ATen/core/Generator.h>

#include <string_view>

#include "core/models/model.h"

namespace trainyard::models {

// torch.nn.Dropout: each value is zeroed with probability p in [0, 1], the others are divided by 1 - p; `x` itself outside of training. `site` names
// the place: no two of a network may share one.
at::Tensor dropout(const at::Tensor& x, double p, const RunContext& context, std::string_view site);

// torchvision's StochasticDepth, mode "row": as dropout, of whole samples (the first dimension).
at::Tensor stochasticDepth(const at::Tensor& x, double p, const RunContext& context, std::string_view site);

// The generator behind them, on the device.
at::Generator generatorOf(const RunContext& context, std::string_view site, at::Device device);

}  // namespace trainyard::models
