#include "core/models/layers.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

#include "core/models/synced_batch_norm.h"

namespace trainyard::models {

namespace {

class BlockModel : public Model {
 public:
  BlockModel(std::vector<Block> blocks, const std::vector<Store::Entry>& entries, bool convolutional, std::vector<std::vector<std::string>> ties)
      : blocks_(std::move(blocks)), entries_(entries), convolutional_(convolutional), ties_(std::move(ties)) {}

  std::span<const Block> blocks() const override { return blocks_; }
  std::vector<NamedTensor> parameters() const override { return pick(true, false); }
  std::vector<NamedTensor> buffers() const override { return pick(false, true); }
  std::vector<NamedTensor> state() const override { return pick(true, true); }
  std::vector<std::vector<std::string>> ties() const override { return ties_; }
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
  std::vector<std::vector<std::string>> ties_;
};

at::Tensor ones(Store& store, const std::string& name, int64_t width) {
  at::Tensor weight = store.parameter(name, {width});
  weight.data().fill_(1);
  return weight;
}

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

at::Tensor BatchNorm2d::overRanks(const at::Tensor& x_NCHW, const RunContext& context) const {
  const Normalised normalised = syncedBatchNorm(x_NCHW, weight, bias, {options.eps, context.sum_over_ranks, !context.stands_in});
  // A single value has no variance, as below; every rank sees that it is one.
  if (normalised.count <= 1) return at::batch_norm(x_NCHW, weight, bias, running_mean, running_var, false, options.momentum, options.eps, true);
  if (context.recomputing) return normalised.values;
  const at::NoGradGuard no_grad;
  at::Tensor count = batches, mean = running_mean, variance = running_var;
  count.add_(1);
  mean.lerp_(normalised.mean, options.momentum);
  variance.lerp_(normalised.variance, options.momentum);
  return normalised.values;
}

at::Tensor BatchNorm2d::operator()(const at::Tensor& x_NCHW, const RunContext& context) const {
  if (context.training && context.sum_over_ranks) return overRanks(x_NCHW, context);
  // A single value has no variance: the running ones stand in, and are left as they are.
  const bool training = context.training && x_NCHW.numel() > x_NCHW.size(1);
  const bool update = training && !context.recomputing;
  if (update) {
    at::Tensor count = batches;
    count.add_(1);
  }
  const bool keep = !training || update;
  return at::batch_norm(x_NCHW, weight, bias, keep ? running_mean : at::Tensor(), keep ? running_var : at::Tensor(), training,
                        options.momentum, options.eps, true);
}

Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, const ConvOptions& options) {
  Conv2d layer;
  layer.weight = store.parameter(name + ".weight", {out, in / options.groups, options.kernel, options.kernel});
  layer.stride = options.stride;
  layer.padding = options.padding;
  layer.groups = options.groups;
  const auto fan_in = static_cast<double>(layer.weight[0].numel()), fan_out = static_cast<double>(out * options.kernel * options.kernel);
  switch (options.init) {
    case ConvInit::Default: store.uniform(layer.weight, 1.0 / std::sqrt(fan_in)); break;
    case ConvInit::KaimingFanOut: store.normal(layer.weight, std::sqrt(2.0 / fan_out)); break;
    case ConvInit::KaimingFanIn: store.normal(layer.weight, std::sqrt(2.0 / fan_in)); break;
    case ConvInit::Normal002: store.normal(layer.weight, 0.02); break;
  }
  if (options.bias) {
    layer.bias = store.parameter(name + ".bias", {out});
    if (options.init == ConvInit::Default) store.uniform(layer.bias, 1.0 / std::sqrt(fan_in));
  }
  return layer;
}

Conv2d conv2d(Store& store, const std::string& name, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding, ConvInit init) {
  return conv2d(store, name, in, out, {.kernel = kernel, .stride = stride, .padding = padding, .init = init});
}

BatchNorm2d batchNorm2d(Store& store, const std::string& name, int64_t channels, BatchNormOptions options) {
  BatchNorm2d layer;
  layer.weight = ones(store, name + ".weight", channels);
  layer.bias = store.parameter(name + ".bias", {channels});
  layer.running_mean = store.buffer(name + ".running_mean", at::zeros({channels}));
  layer.running_var = store.buffer(name + ".running_var", at::ones({channels}));
  layer.batches = store.buffer(name + ".num_batches_tracked", at::zeros({}, at::kLong));
  layer.options = options;
  return layer;
}

GroupNorm groupNorm(Store& store, const std::string& name, int64_t channels, int64_t groups) {
  at::Tensor weight = ones(store, name + ".weight", channels);
  return {std::move(weight), store.parameter(name + ".bias", {channels}), groups};
}

LayerNorm layerNorm(Store& store, const std::string& name, int64_t width, double eps) {
  at::Tensor weight = ones(store, name + ".weight", width);
  return {std::move(weight), store.parameter(name + ".bias", {width}), eps};
}

Linear linear(Store& store, const std::string& name, int64_t in, int64_t out, const LinearInit& init) {
  Linear layer;
  layer.weight = store.parameter(name + ".weight", {out, in});
  layer.bias = store.parameter(name + ".bias", {out});
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  if (init.normal > 0) store.normal(layer.weight, init.normal);
  else store.uniform(layer.weight, init.uniform > 0 ? init.uniform : bound);
  if (!init.zero_bias) store.uniform(layer.bias, bound);
  return layer;
}

at::Tensor channelMeans(const at::Tensor& x_NCHW) { return at::avg_pool2d(x_NCHW, {x_NCHW.size(2), x_NCHW.size(3)}).flatten(1); }

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

std::unique_ptr<Model> BlockList::finish(bool convolutional, std::vector<std::vector<std::string>> ties) {
  return std::make_unique<BlockModel>(std::move(blocks_), store_.entries(), convolutional, std::move(ties));
}

}  // namespace trainyard::models
