#pragma once
// A model is a list of blocks over named tensors. Blocks are the coarse notion that pipelines, sharding, activation checkpointing and the
// forecast share; names are torchvision's, so that state dictionaries move both ways.
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/recipe/recipe.h"

namespace trainyard::models {

using Values = std::vector<at::Tensor>;  // tensors crossing a border between blocks

// What a forward pass may depend on besides its inputs and parameters.
struct RunContext {
  bool training = false;
  bool recomputing = false;  // second forward of an activation-checkpointed block: buffers stay untouched
  uint64_t seed = 0, step = 0;
  uint32_t micro = 0, rank = 0;
  at::Generator generator;   // the rank's own; undefined where no block draws
  std::function<void(at::Tensor&)> sum_over_ranks;  // of a vector, in place: batch norm then goes by the samples of all ranks; empty: by this rank's
  bool stands_in = false;                           // this pass is one of zeros, for a rank without samples
};

struct Block {
  std::string name;                              // "layer1.0", "fc"
  std::vector<std::string> parameters, buffers;  // names as in checkpoints
  std::function<Values(const Values&, RunContext&)> forward;
};

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

// Of one sample: a picture, a table's row (1 × 1 × columns), or `width` token ids of a text (channels and height 1).
struct InputShape {
  int64_t channels = 0, height = 0, width = 0;
};

// Built on the CPU in fp32; moveTo keeps the tensors' identity, so blocks and optimizers hold the same ones. One thread at a time.
class Model {
 public:
  virtual ~Model() = default;
  virtual std::span<const Block> blocks() const = 0;
  virtual std::vector<NamedTensor> parameters() const = 0;  // in torchvision's order
  virtual std::vector<NamedTensor> buffers() const = 0;     // running statistics
  virtual std::vector<std::vector<std::string>> ties() const = 0;  // groups of names that share one tensor
  virtual bool convolutional() const = 0;                   // profits from channels_last

  // Parameters and buffers in the order of a PyTorch state dictionary.
  virtual std::vector<NamedTensor> state() const = 0;
};

// Makes the architecture with PyTorch's default initialisation, drawn from `seed`. Error Recipe, for example when the input is too small.
Result<std::unique_ptr<Model>> make(const recipe::Choice& arch, InputShape input, int64_t classes, uint64_t seed);

// Moves every tensor to the device; 4-D parameters become channels_last for convolutional models.
void moveTo(const Model& model, at::Device device);

// The ids with a maker; equal to the catalogue's.
std::vector<std::string> madeIds();

// Number of trainable values.
uint64_t parameterCount(const Model& model);

// Runs all blocks.
at::Tensor forward(const Model& model, const at::Tensor& images_NCHW, RunContext& context);

}  // namespace trainyard::models
