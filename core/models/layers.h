#pragma once
// The layers that architectures are written with: plain functions over named tensors, with PyTorch's defaults and initialisation.
#include <ATen/ATen.h>

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
  at::Tensor weight;
  int64_t stride, padding;
  at::Tensor operator()(const at::Tensor& x_NCHW) const { return at::conv2d(x_NCHW, weight, {}, stride, padding); }
};

struct BatchNorm2d {
  at::Tensor weight, bias, running_mean, running_var, batches;
  at::Tensor operator()(const at::Tensor& x_NCHW, const RunContext& context) const;
};

struct Linear {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x_NI) const { return at::linear(x_NI, weight, bias); }
};

enum class ConvInit { Default, KaimingFanOut };  // torch.nn.Conv2d's own; torchvision's ResNet
Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, ConvInit init = ConvInit::Default);
BatchNorm2d batchNorm2d(Store& store, const std::string& name, int64_t channels);
Linear linear(Store& store, const std::string& name, int64_t in, int64_t out);

// Collects blocks; each gets the tensors that were registered since the previous one.
class BlockList {
 public:
  explicit BlockList(uint64_t seed) : store_(seed) {}
  Store& store() { return store_; }
  void add(std::string name, std::function<at::Tensor(const at::Tensor&, RunContext&)> forward);
  std::unique_ptr<Model> finish(bool convolutional);

 private:
  Store store_;
  std::vector<Block> blocks_;
  size_t claimed_ = 0;
};

}  // namespace trainyard::models
