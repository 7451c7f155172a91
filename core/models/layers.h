#pragma once
// The layers that architectures are written with: plain functions over named tensors, with PyTorch's defaults and initialisation.
#include <ATen/ATen.h>

#include "core/models/convolution.h"
#include "core/models/model.h"

namespace trainyard::models {

// Owns the tensors of a model under construction, in the order of registration, and draws their initial values.
class Store {
 public:
  explicit Store(uint64_t seed);
  at::Tensor parameter(const std::string& name, at::IntArrayRef sizes);
  at::Tensor buffer(const std::string& name, at::Tensor value);
  void uniform(at::Tensor& tensor, double bound);
  void normal(at::Tensor& tensor, double deviation);

  struct Entry {
    NamedTensor named;
    bool is_parameter;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  at::Generator generator_;
  std::vector<Entry> entries_;
};

struct Conv2d {
  at::Tensor weight, bias;  // bias undefined: none
  int64_t stride, padding, groups = 1;
  at::Tensor operator()(const at::Tensor& x_NCHW) const { return convolve(x_NCHW, weight, bias, stride, padding, groups); }
};

struct BatchNormOptions {
  double eps = 1e-5, momentum = 0.1;
};

struct BatchNorm2d {
  at::Tensor weight, bias, running_mean, running_var, batches;
  BatchNormOptions options;
  at::Tensor operator()(const at::Tensor& x_NCHW, const RunContext& context) const;

 private:
  at::Tensor overRanks(const at::Tensor& x_NCHW, const RunContext& context) const;
};

struct GroupNorm {
  at::Tensor weight, bias;
  int64_t groups;
  at::Tensor operator()(const at::Tensor& x_NCHW) const { return at::group_norm(x_NCHW, groups, weight, bias); }
};

// Over the last dimension.
struct LayerNorm {
  at::Tensor weight, bias;
  double eps;
  at::Tensor operator()(const at::Tensor& x) const { return at::layer_norm(x, weight.sizes(), weight, bias, eps); }
};

struct Linear {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x_NI) const { return at::linear(x_NI, weight, bias); }
};

// torch.nn.Conv2d's own; He's by fan out and fan in; N(0, 0.02). All but the first set biases to zero.
enum class ConvInit { Default, KaimingFanOut, KaimingFanIn, Normal002 };
struct ConvOptions {
  int64_t kernel = 1, stride = 1, padding = 0, groups = 1;
  bool bias = false;
  ConvInit init = ConvInit::KaimingFanOut;
};
Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, const ConvOptions& options);
Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding,
              ConvInit init = ConvInit::Default);
BatchNorm2d batchNorm2d(Store& store, const std::string& name, int64_t channels, BatchNormOptions options = {});
GroupNorm groupNorm(Store& store, const std::string& name, int64_t channels, int64_t groups);
LayerNorm layerNorm(Store& store, const std::string& name, int64_t width, double eps = 1e-5);

// Where both are 0: torch.nn.Linear's own.
struct LinearInit {
  double normal = 0;   // the weight's standard deviation
  double uniform = 0;  // the weight's bound
  bool zero_bias = true;
};
Linear linear(Store& store, const std::string& name, int64_t in, int64_t out, const LinearInit& init = {.zero_bias = false});

// Each channel's mean over the picture, N × C. Unlike adaptive_avg_pool2d, the gradient comes back in the layout of the input, not stretched from one
// value a channel: what follows then adds it up in the same order whether or not a block's border lies between.
at::Tensor channelMeans(const at::Tensor& x_NCHW);

// Collects blocks; each gets the tensors that were registered since the previous one.
class BlockList {
 public:
  explicit BlockList(uint64_t seed) : store_(seed) {}
  Store& store() { return store_; }
  void add(std::string name, std::function<at::Tensor(const at::Tensor&, RunContext&)> forward);
  std::unique_ptr<Model> finish(bool convolutional, std::vector<std::vector<std::string>> ties = {});  // ties: as Model::ties()

 private:
  Store store_;
  std::vector<Block> blocks_;
  size_t claimed_ = 0;
};

}  // namespace trainyard::models
