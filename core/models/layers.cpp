#include "core/models/layers.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

namespace trainyard::models {

namespace {

class BlockModel : public Model {
 public:
  BlockModel(std::vector<Block> blocks, const std::vector<Store::Entry>& entries, bool convolutional)
      : blocks_(std::move(blocks)), entries_(entries), convolutional_(convolutional) {}

  std::span<const Block> blocks() const override { return blocks_; }
  std::vector<NamedTensor> parameters() const override { return pick(true, false); }
  std::vector<NamedTensor> buffers() const override { return pick(false, true); }
  std::vector<NamedTensor> state() const override { return pick(true, true); }
  std::vector<std::vector<std::string>> ties() const override { return {}; }
  bool convolutional() const override { return convolutional_; }

 private:
  std::vector<NamedTensor> pick(bool parameters, bool buffers) const {
    std::vector<NamedTensor> out;
    for (const auto& entry : entries_) {
      if (entry.is_parameter ? parameters : buffers) out.push_back(entry.named);
    }
    return out;
  }

  std::vector<Block> blocks_;
  std::vector<Store::Entry> entries_;
  bool convolutional_;
};

}  // namespace

Store::Store(uint64_t seed) : generator_(at::detail::createCPUGenerator(seed)) {}

at::Tensor Store::parameter(const std::string& name, at::IntArrayRef sizes) {
  at::Tensor tensor = at::zeros(sizes, at::kFloat).requires_grad_(true);
  entries_.push_back({{name, tensor}, true});
  return tensor;
}

at::Tensor Store::buffer(const std::string& name, at::Tensor value) {
  entries_.push_back({{name, value}, false});
  return value;
}

void Store::uniform(at::Tensor& tensor, double bound) {
  at::NoGradGuard no_grad;
  tensor.uniform_(-bound, bound, generator_);
}

void Store::normal(at::Tensor& tensor, double deviation) {
  at::NoGradGuard no_grad;
  tensor.normal_(0, deviation, generator_);
}

at::Tensor BatchNorm2d::operator()(const at::Tensor& x_NCHW, const RunContext& context) const {
  const bool update = context.training && !context.recomputing;
  if (update) {
    at::Tensor count = batches;
    count.add_(1);
  }
  const bool keep = !context.training || update;
  return at::batch_norm(x_NCHW, weight, bias, keep ? running_mean : at::Tensor(), keep ? running_var : at::Tensor(), context.training, 0.1, 1e-5, true);
}

Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, ConvInit init) {
  Conv2d layer{store.parameter(name + ".weight", {out, in, kernel, kernel}), stride, padding};
  const double area = static_cast<double>(kernel * kernel);
  if (init == ConvInit::KaimingFanOut) store.normal(layer.weight, std::sqrt(2.0 / (static_cast<double>(out) * area)));
  else store.uniform(layer.weight, 1.0 / std::sqrt(static_cast<double>(in) * area));
  return layer;
}

BatchNorm2d batchNorm2d(Store& store, const std::string& name, int64_t channels) {
  BatchNorm2d layer;
  layer.weight = store.parameter(name + ".weight", {channels});
  layer.weight.data().fill_(1);
  layer.bias = store.parameter(name + ".bias", {channels});
  layer.running_mean = store.buffer(name + ".running_mean", at::zeros({channels}));
  layer.running_var = store.buffer(name + ".running_var", at::ones({channels}));
  layer.batches = store.buffer(name + ".num_batches_tracked", at::zeros({}, at::kLong));
  return layer;
}

Linear linear(Store& store, const std::string& name, int64_t in, int64_t out) {
  Linear layer{store.parameter(name + ".weight", {out, in}), store.parameter(name + ".bias", {out})};
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  store.uniform(layer.weight, bound);
  store.uniform(layer.bias, bound);
  return layer;
}

void BlockList::add(std::string name, std::function<at::Tensor(const at::Tensor&, RunContext&)> forward) {
  Block block;
  block.name = std::move(name);
  for (; claimed_ < store_.entries().size(); ++claimed_) {
    const auto& entry = store_.entries()[claimed_];
    (entry.is_parameter ? block.parameters : block.buffers).push_back(entry.named.name);
  }
  block.forward = [forward = std::move(forward)](const Values& in, RunContext& context) { return Values{forward(in.front(), context)}; };
  blocks_.push_back(std::move(block));
}

std::unique_ptr<Model> BlockList::finish(bool convolutional) { return std::make_unique<BlockModel>(std::move(blocks_), store_.entries(), convolutional); }

}  // namespace trainyard::models
