#include "core/models/layer_kinds.h"

#include <cmath>
#include <numeric>

#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

using Made = Result<MadeLayer>;

tl::unexpected<Error> unfit(const std::string& what, const std::string& hint) { return fail(ErrorCode::Recipe, what, "", hint); }

int64_t whole(const LayerPlan& plan, const char* key) { return plan.table.at(key).get<int64_t>(); }
const Sizes& in(const LayerPlan& plan) { return plan.inputs.front(); }

Result<void> needPicture(const LayerPlan& plan) {
  if (in(plan).size() == 3) return {};
  return unfit("needs channels × height × width and gets " + sizesText(in(plan)), "put it before flatten");
}

// Sizes of a window that moves over a picture; nothing where it does not fit.
std::optional<int64_t> slid(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
  const int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
  if (room < 0) return {};
  return room / stride + 1;
}

Result<Sizes> slidOver(const LayerPlan& plan, int64_t channels, int64_t stride, int64_t dilation) {
  const int64_t kernel = whole(plan, "kernel"), padding = whole(plan, "padding");
  const auto height = slid(in(plan)[1], kernel, stride, padding, dilation), width = slid(in(plan)[2], kernel, stride, padding, dilation);
  if (!height || !width) {
    return unfit("a kernel of " + std::to_string(kernel) + " × " + std::to_string(kernel) + " does not fit into " + sizesText(in(plan)), "use a smaller kernel, more padding, or larger pictures (data.size)");
  }
  return Sizes{channels, *height, *width};
}

Made convolution(Store& store, const LayerPlan& plan) {
  TRAINYARD_CHECK(needPicture(plan));
  const int64_t channels = in(plan)[0], out = whole(plan, "out"), kernel = whole(plan, "kernel"), stride = whole(plan, "stride"), padding = whole(plan, "padding");
  const int64_t dilation = whole(plan, "dilation"), groups = whole(plan, "groups");
  if (channels % groups != 0 || out % groups != 0) {
    return unfit(std::to_string(channels) + " channels in and " + std::to_string(out) + " out cannot be cut into " + std::to_string(groups) + " groups", "use a number of groups that divides both");
  }
  TRAINYARD_TRY(Sizes sizes, slidOver(plan, out, stride, dilation));
  at::Tensor weight = store.parameter(plan.name + ".weight", {out, channels / groups, kernel, kernel}), bias;
  const double bound = 1 / std::sqrt(static_cast<double>(channels / groups * kernel * kernel));
  store.uniform(weight, bound);
  if (plan.table.at("bias").get<bool>()) {
    bias = store.parameter(plan.name + ".bias", {out});
    store.uniform(bias, bound);
  }
  if (dilation == 1) return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return convolve(x[0], weight, bias, stride, padding, groups); }, std::move(sizes)};
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::conv2d(x[0], weight, bias, stride, padding, dilation, groups); }, std::move(sizes)};
}

Made dense(Store& store, const LayerPlan& plan) {
  if (in(plan).size() != 1) return unfit("needs a list of numbers and gets " + sizesText(in(plan)), "put a flatten layer before it");
  const int64_t inputs = in(plan)[0], outputs = plan.table.contains("out") ? whole(plan, "out") : plan.outputs;
  if (outputs == 0) return unfit("does not say how many numbers it gives", "add out = …; only the last linear layer takes the number of classes by itself");
  at::Tensor weight = store.parameter(plan.name + ".weight", {outputs, inputs}), bias;
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  store.uniform(weight, bound);
  if (plan.table.at("bias").get<bool>()) {
    bias = store.parameter(plan.name + ".bias", {outputs});
    store.uniform(bias, bound);
  }
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::linear(x[0], weight, bias); }, {outputs}};
}

Made batchNorm(Store& store, const LayerPlan& plan) {
  const BatchNorm2d norm = batchNorm2d(store, plan.name, in(plan)[0]);
  return MadeLayer{[norm](std::span<const at::Tensor> x, RunContext& context) { return norm(x[0], context); }, in(plan)};
}
Made batchNorm1d(Store& store, const LayerPlan& plan) {
  if (in(plan).size() != 1) return unfit("needs a list of numbers and gets " + sizesText(in(plan)), "use batch_norm2d for pictures");
  return batchNorm(store, plan);
}
Made pictureNorm(Store& store, const LayerPlan& plan) {
  TRAINYARD_CHECK(needPicture(plan));
  return batchNorm(store, plan);
}

struct Scale {
  at::Tensor weight, bias;
};
Scale scale(Store& store, const std::string& name, int64_t count) {
  Scale made{store.parameter(name + ".weight", {count}), store.parameter(name + ".bias", {count})};
  made.weight.data().fill_(1);
  return made;
}

Made groupNorm(Store& store, const LayerPlan& plan) {
  const int64_t channels = in(plan)[0], groups = whole(plan, "groups");
  if (channels % groups != 0) return unfit(std::to_string(channels) + " channels cannot be cut into " + std::to_string(groups) + " groups", "use a number of groups that divides the channels");
  const Scale norm = scale(store, plan.name, channels);
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::group_norm(x[0], groups, norm.weight, norm.bias); }, in(plan)};
}

Made layerNorm(Store& store, const LayerPlan& plan) {
  if (in(plan).size() != 1) return unfit("needs a list of numbers and gets " + sizesText(in(plan)), "use group_norm with groups = 1 for pictures");
  const int64_t count = in(plan)[0];
  const Scale norm = scale(store, plan.name, count);
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::layer_norm(x[0], {count}, norm.weight, norm.bias); }, in(plan)};
}

template <class Function>
MadeLayer elementwise(const LayerPlan& plan, Function function) {
  return {[function](std::span<const at::Tensor> x, RunContext&) { return function(x[0]); }, in(plan)};
}

Made relu(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::relu(x); }); }
Made leakyRelu(Store&, const LayerPlan& plan) {
  const double slope = plan.table.at("slope").get<double>();
  return elementwise(plan, [slope](const at::Tensor& x) { return at::leaky_relu(x, slope); });
}
Made elu(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::elu(x); }); }
Made gelu(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::gelu(x); }); }
Made silu(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::silu(x); }); }
Made hardswish(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::hardswish(x); }); }
Made sigmoid(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::sigmoid(x); }); }
Made tanhOf(Store&, const LayerPlan& plan) { return elementwise(plan, [](const at::Tensor& x) { return at::tanh(x); }); }

// Pooling pads by at most half the window, as PyTorch does.
Result<Sizes> pooled(const LayerPlan& plan, int64_t stride) {
  TRAINYARD_CHECK(needPicture(plan));
  if (2 * whole(plan, "padding") > whole(plan, "kernel")) return unfit("a padding of " + std::to_string(whole(plan, "padding")) + " is more than half the window of " + std::to_string(whole(plan, "kernel")), "use less padding");
  return slidOver(plan, in(plan)[0], stride, 1);
}
Made maxPool(Store&, const LayerPlan& plan) {
  const int64_t kernel = whole(plan, "kernel"), stride = plan.table.value("stride", kernel), padding = whole(plan, "padding");
  TRAINYARD_TRY(Sizes sizes, pooled(plan, stride));
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::max_pool2d(x[0], kernel, stride, padding); }, std::move(sizes)};
}
Made averagePool(Store&, const LayerPlan& plan) {
  const int64_t kernel = whole(plan, "kernel"), stride = plan.table.value("stride", kernel), padding = whole(plan, "padding");
  TRAINYARD_TRY(Sizes sizes, pooled(plan, stride));
  return MadeLayer{[=](std::span<const at::Tensor> x, RunContext&) { return at::avg_pool2d(x[0], kernel, stride, padding); }, std::move(sizes)};
}
Made adaptiveAverage(Store&, const LayerPlan& plan) {
  TRAINYARD_CHECK(needPicture(plan));
  const int64_t size = whole(plan, "size");
  return MadeLayer{[size](std::span<const at::Tensor> x, RunContext&) { return at::adaptive_avg_pool2d(x[0], {size, size}); }, {in(plan)[0], size, size}};
}
Made adaptiveMax(Store&, const LayerPlan& plan) {
  TRAINYARD_CHECK(needPicture(plan));
  const int64_t size = whole(plan, "size");
  return MadeLayer{[size](std::span<const at::Tensor> x, RunContext&) { return std::get<0>(at::adaptive_max_pool2d(x[0], {size, size})); }, {in(plan)[0], size, size}};
}

Made flatten(Store&, const LayerPlan& plan) {
  const int64_t count = std::accumulate(in(plan).begin(), in(plan).end(), int64_t{1}, std::multiplies<>());
  return MadeLayer{[](std::span<const at::Tensor> x, RunContext&) { return x[0].flatten(1); }, {count}};
}
Made forget(Store&, const LayerPlan& plan) {
  const double share = plan.table.at("p").get<double>();
  return MadeLayer{[share, site = plan.name](std::span<const at::Tensor> x, RunContext& context) { return dropout(x[0], share, context, site); }, in(plan)};
}

Made add(Store&, const LayerPlan& plan) {
  for (const auto& other : plan.inputs) {
    if (other != in(plan)) return unfit("cannot add " + sizesText(other) + " to " + sizesText(in(plan)), "bring both to the same sizes, with a convolution of kernel 1 for example");
  }
  return MadeLayer{[](std::span<const at::Tensor> x, RunContext&) {
                     at::Tensor sum = x[0] + x[1];
                     for (const auto& more : x.subspan(2)) sum = sum + more;
                     return sum;
                   },
                   in(plan)};
}
Made multiply(Store&, const LayerPlan& plan) {
  Sizes sizes = in(plan);
  for (const auto& other : plan.inputs) {
    bool fits = other.size() == sizes.size();
    for (size_t i = 0; fits && i < sizes.size(); ++i) {
      fits = other[i] == sizes[i] || other[i] == 1 || sizes[i] == 1;
      sizes[i] = std::max(sizes[i], other[i]);
    }
    if (!fits) return unfit("cannot multiply " + sizesText(in(plan)) + " by " + sizesText(other), "sizes must be equal, or 1");
  }
  return MadeLayer{[](std::span<const at::Tensor> x, RunContext&) {
                     at::Tensor product = x[0] * x[1];
                     for (const auto& more : x.subspan(2)) product = product * more;
                     return product;
                   },
                   std::move(sizes)};
}
Made concat(Store&, const LayerPlan& plan) {
  Sizes sizes = in(plan);
  sizes[0] = 0;
  for (const auto& other : plan.inputs) {
    if (other.size() != sizes.size() || !std::equal(other.begin() + 1, other.end(), sizes.begin() + 1)) {
      return unfit("cannot put " + sizesText(other) + " beside " + sizesText(in(plan)), "all sizes but the first must be equal");
    }
    sizes[0] += other[0];
  }
  return MadeLayer{[](std::span<const at::Tensor> x, RunContext&) { return at::cat(std::vector<at::Tensor>(x.begin(), x.end()), 1); }, std::move(sizes)};
}

struct Maker {
  const char* id;
  Made (*make)(Store&, const LayerPlan&);
};
constexpr Maker kMakers[] = {
    {"conv2d", convolution}, {"linear", dense},         {"batch_norm1d", batchNorm1d}, {"batch_norm2d", pictureNorm}, {"group_norm", groupNorm},
    {"layer_norm", layerNorm}, {"relu", relu},          {"leaky_relu", leakyRelu},     {"elu", elu},                  {"gelu", gelu},
    {"silu", silu},          {"hardswish", hardswish},  {"sigmoid", sigmoid},          {"tanh", tanhOf},              {"max_pool2d", maxPool},
    {"avg_pool2d", averagePool}, {"adaptive_avg_pool2d", adaptiveAverage}, {"adaptive_max_pool2d", adaptiveMax}, {"flatten", flatten}, {"dropout", forget},
    {"add", add},            {"multiply", multiply},    {"concat", concat},
};

}  // namespace

Result<MadeLayer> makeLayer(Store& store, const LayerPlan& plan) {
  const auto kind = plan.table.at("type").get<std::string>();
  for (const auto& maker : kMakers) {
    if (kind == maker.id) return maker.make(store, plan);
  }
  return unfit("there is no layer \"" + kind + "\"", "");
}

std::vector<std::string> madeLayerIds() {
  std::vector<std::string> ids;
  for (const auto& maker : kMakers) ids.emplace_back(maker.id);
  return ids;
}

std::string sizesText(const Sizes& sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text;
}

}  // namespace trainyard::models
