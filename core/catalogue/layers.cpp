#include "core/catalogue/layers.h"

#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

ParamSpec pixels(const char* key, const char* title, const char* help, Json fallback, double minimum) {
  return inUnit(integer(key, title, help, std::move(fallback), minimum, 4096), "pixels");
}

std::vector<ParamSpec> pooling() {
  return {pixels("kernel", "Window", "Edge of the square that one value is made of.", 2, 1), pixels("stride", "Step", "From one window to the next; empty: the window's edge.", nullptr, 1),
          pixels("padding", "Padding", "Border added on every side.", 0, 0)};
}

std::vector<ParamSpec> combining(const char* help) {
  ParamSpec from = list("from", "With", help, nullptr, param(ParamKind::Text, "", "Layer", ""), 1);
  from.required = true;
  return {from};
}

std::vector<ParamSpec> convolution() {
  return {needed(integer("out", "Channels", "How many it gives.", nullptr, 1, 65536)),
          pixels("kernel", "Kernel", "Edge of its square window.", 3, 1),
          pixels("stride", "Step", "From one window to the next.", 1, 1),
          pixels("padding", "Padding", "Border of zeros on every side; half the kernel keeps the size.", 0, 0),
          advanced(integer("dilation", "Dilation", "Spacing of the window's pixels.", 1, 1, 256)),
          advanced(integer("groups", "Groups", "Channels are cut into so many groups that do not mix.", 1, 1, 65536)),
          advanced(boolean("bias", "Bias", "Adds a learned number to each output.", true))};
}

ParamSpec edge() { return integer("size", "Size", "Edge of the square it gives.", 1, 1, 4096); }

// Keys of every layer.
std::vector<ParamSpec> common() {
  return {param(ParamKind::Text, "name", "Name", "Begins the names of its parameters, and is how other layers call it; empty: its place in the list, from 0."),
          advanced(param(ParamKind::Text, "input", "Input", "The layer whose output it takes, or \"input\" for the network's own; empty: the layer before."))};
}

}  // namespace

std::span<const Descriptor> layers() {
  static const std::vector<Descriptor> kTable = {
      {"conv2d", "Conv2d", "Convolution over a picture.", convolution()},
      {"linear", "Linear", "Each output is a weighted sum of all inputs.",
       {integer("out", "Outputs", "Empty in the last one: as many as there are classes.", nullptr, 1, 1000000), advanced(boolean("bias", "Bias", "Adds a learned number to each output.", true))}},
      {"batch_norm1d", "BatchNorm1d", "Normalises each number over the batch.", {}},
      {"batch_norm2d", "BatchNorm2d", "Normalises each channel over the batch.", {}},
      {"group_norm", "GroupNorm", "Normalises groups of channels within a picture; independent of the batch.", {integer("groups", "Groups", "Groups of channels.", 32, 1, 65536)}},
      {"layer_norm", "LayerNorm", "Normalises a list of numbers.", {}},
      {"relu", "ReLU", "Negative values become 0.", {}},
      {"leaky_relu", "LeakyReLU", "Negative values become small.", {real("slope", "Slope", "What negative values are multiplied by.", 0.01, 0, 1)}},
      {"elu", "ELU", "Negative values approach -1.", {}},
      {"gelu", "GELU", "A smooth ReLU, usual in transformers.", {}},
      {"silu", "SiLU", "A smooth ReLU, usual in EfficientNet; also called swish.", {}},
      {"hardswish", "Hardswish", "SiLU made of straight pieces.", {}},
      {"sigmoid", "Sigmoid", "Values between 0 and 1.", {}},
      {"tanh", "Tanh", "Values between -1 and 1.", {}},
      {"max_pool2d", "MaxPool2d", "The largest value of each window.", pooling()},
      {"avg_pool2d", "AvgPool2d", "The mean of each window.", pooling()},
      {"adaptive_avg_pool2d", "AdaptiveAvgPool2d", "Means over as many windows as are wanted.", {edge()}},
      {"adaptive_max_pool2d", "AdaptiveMaxPool2d", "Largest values of as many windows as are wanted.", {edge()}},
      {"flatten", "Flatten", "A picture becomes a list of numbers.", {}},
      {"dropout", "Dropout", "Forgets some values at random while training.", {real("p", "Share", "How many are forgotten.", 0.5, 0, 1)}},
      {"add", "Add", "Sum with outputs of earlier layers: a residual connection.", combining("Earlier layers by name; their outputs have the same sizes.")},
      {"multiply", "Multiply", "Product with outputs of earlier layers: a gate.", combining("Earlier layers by name; a size of 1 stretches.")},
      {"concat", "Concat", "Channels beside those of earlier layers.", combining("Earlier layers by name; all but the channels have the same sizes.")},
  };
  return kTable;
}

const Section& layerSection() {
  static const Section kSection{"layer", "Layer", common(), "type", "", layers(), true};
  return kSection;
}

Json usualLayers() {
  const auto convolution = [](int out) { return Json{{"type", "conv2d"}, {"out", out}, {"kernel", 3}, {"stride", 1}, {"padding", 1}, {"dilation", 1}, {"groups", 1}, {"bias", false}}; };
  const Json norm{{"type", "batch_norm2d"}}, relu{{"type", "relu"}}, pool{{"type", "max_pool2d"}, {"kernel", 2}, {"padding", 0}};
  return Json::array({convolution(32), norm, relu, pool, convolution(64), norm, relu, Json{{"type", "adaptive_avg_pool2d"}, {"size", 1}}, Json{{"type", "flatten"}}, Json{{"type", "linear"}, {"bias", true}}});
}

}  // namespace trainyard::catalogue
