#pragma once
// The table of a network's layers: what each gives, holds and costs. Found by running it once on nothing, so it is what training runs.
#include "core/models/model.h"

namespace trainyard::models {

// A layer, or a parameter that stands alone (name: the parameter's). Where one layer's parameters are used twice, the second row holds none.
struct LayerRow {
  std::string name;              // as in the names of its parameters: "layer1.0.conv1"; a layer without any has its block's
  std::string kind;              // as in PyTorch: "Conv2d", "Linear", "BatchNorm2d", "MaxPool2d", "Attention", "Parameter"
  std::vector<int64_t> output;   // sizes, without the batch
  uint64_t parameters = 0;       // values
  uint64_t multiply_adds = 0;    // of one sample: convolutions, linear layers, products of matrices; the rest counts as none
  uint64_t activation_bytes = 0; // of the output of one sample
  bool frozen = false;           // all its parameters are
  size_t block = 0;              // it is part of: index into blocks()
  std::vector<std::string> uses; // parameters by name, also those that an earlier row holds
};

struct Summary {
  uint64_t parameters = 0, trainable = 0;  // values
  uint64_t bytes = 0;                      // of parameters and buffers
  uint64_t multiply_adds = 0, activation_bytes = 0;  // sums over the layers
  std::vector<LayerRow> layers;            // in the order in which they run
};

// `frozen`: whether a parameter is, by name. `tokens`: the network takes whole numbers (1 × width). The model is on the CPU. Throws what LibTorch throws.
Summary summarize(const Model& model, InputShape input, bool tokens, const std::function<bool(const std::string&)>& frozen);

}  // namespace trainyard::models
