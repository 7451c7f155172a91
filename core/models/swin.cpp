#include <array>

#include "core/models/architectures.h"
#include "core/models/attention.h"
#include "core/models/dropout.h"

namespace trainyard::models {

namespace {

constexpr int64_t kPatch = 4, kWindow = 7, kWidth = 96;
constexpr std::array<int64_t, 4> kDepths{2, 2, 6, 2}, kHeads{3, 6, 12, 24};
constexpr int64_t kTotal = 12;    // layers of all stages
constexpr double kMasked = -100;  // added to the scores of places that are no neighbours
constexpr LinearInit kInit{.normal = 0.02};

// Windows of 7 × 7 places, after the picture was moved by `down` and `right`.
struct Windows {
  int64_t rows, columns;  // of windows
  int64_t down, right;

  // For pictures of this size, padded to whole windows; where one window holds all there is nothing to move.
  static Windows of(int64_t height, int64_t width, bool shifted) {
    const int64_t rows = (height + kWindow - 1) / kWindow, columns = (width + kWindow - 1) / kWindow;
    return {rows, columns, shifted && rows > 1 ? kWindow / 2 : 0, shifted && columns > 1 ? kWindow / 2 : 0};
  }
  bool shifted() const { return down > 0 || right > 0; }

  // …×H×W×C → …×windows×49×C, H and W whole windows.
  at::Tensor cut(const at::Tensor& x_NHWC) const {
    return x_NHWC.unflatten(2, {columns, kWindow}).unflatten(1, {rows, kWindow}).transpose(2, 3).flatten(3, 4).flatten(1, 2);
  }
  at::Tensor join(const at::Tensor& x_NWTC) const {
    return x_NWTC.unflatten(2, {kWindow, kWindow}).unflatten(1, {rows, columns}).transpose(2, 3).flatten(3, 4).flatten(1, 2);
  }

  // What is added to the scores within each window, windows×1×49×49: the move brought places of opposite edges into one window.
  at::Tensor mask(const at::TensorOptions& options) const {
    const auto part = [&](int64_t windows, int64_t shift) {
      const at::Tensor place = at::arange(windows * kWindow, options.dtype(at::kLong));
      return (place >= (windows - 1) * kWindow).to(at::kLong) + (place >= windows * kWindow - shift);
    };
    const at::Tensor part_HW = part(rows, down).unsqueeze(1) * 3 + part(columns, right).unsqueeze(0);
    const at::Tensor part_WT = cut(part_HW.unsqueeze(0).unsqueeze(-1)).squeeze(-1).squeeze(0);
    return ((part_WT.unsqueeze(1) != part_WT.unsqueeze(2)).to(options) * kMasked).unsqueeze(1);
  }
};

// Which row of the table of biases each pair of places of a window takes: one per difference of rows and columns, 49·49.
at::Tensor relativeIndex() {
  const at::Tensor place = at::arange(kWindow * kWindow, at::kLong);
  const at::Tensor row = place.div(kWindow, "floor"), column = place.remainder(kWindow);
  const auto difference = [](const at::Tensor& of) { return of.unsqueeze(1) - of.unsqueeze(0) + (kWindow - 1); };
  return (difference(row) * (2 * kWindow - 1) + difference(column)).flatten();
}

struct WindowAttention {
  at::Tensor table, index;  // biases by relative place, 169×heads
  Linear qkv, project;
  int64_t heads;
  bool shifted;
  TransformerDropout shares;
  std::string name;

  at::Tensor operator()(const at::Tensor& x_NHWC, const RunContext& context) const {
    const int64_t height = x_NHWC.size(1), width = x_NHWC.size(2);
    const Windows windows = Windows::of(height, width, shifted);
    at::Tensor x = at::constant_pad_nd(x_NHWC, {0, 0, 0, windows.columns * kWindow - width, 0, windows.rows * kWindow - height});
    if (windows.shifted()) x = x.roll({-windows.down, -windows.right}, {1, 2});
    constexpr int64_t kPlaces = kWindow * kWindow;
    at::Tensor bias = table.index_select(0, index).view({kPlaces, kPlaces, heads}).permute({2, 0, 1});
    if (windows.shifted()) bias = bias + windows.mask(x.options().requires_grad(false));
    x = project(attention(qkv(windows.cut(x)), heads, bias, shares.attention, context, name));
    x = windows.join(dropout(x, shares.values, context, name + ".proj"));
    if (windows.shifted()) x = x.roll({windows.down, windows.right}, {1, 2});
    return x.slice(1, 0, height).slice(2, 0, width).contiguous();
  }
};

WindowAttention windowAttention(Store& store, const std::string& name, int64_t width, int64_t heads, bool shifted, const TransformerDropout& shares) {
  at::Tensor table = store.parameter(name + ".relative_position_bias_table", {(2 * kWindow - 1) * (2 * kWindow - 1), heads});
  store.normal(table, 0.02);
  const at::Tensor index = store.buffer(name + ".relative_position_index", relativeIndex());
  const Linear qkv = linear(store, name + ".qkv", width, 3 * width, kInit);
  return {table, index, qkv, linear(store, name + ".proj", width, width, kInit), heads, shifted, shares, name};
}

// What the options say of random draws.
struct Draws {
  TransformerDropout shares;
  double stochastic_depth;
};

void addLayer(BlockList& blocks, const std::string& name, int64_t width, int64_t heads, bool shifted, const Draws& draws) {
  Store& store = blocks.store();
  const LayerNorm norm_1 = layerNorm(store, name + ".norm1", width);
  const WindowAttention attend = windowAttention(store, name + ".attn", width, heads, shifted, draws.shares);
  const LayerNorm norm_2 = layerNorm(store, name + ".norm2", width);
  const TransformerMlp mlp = transformerMlp(store, name + ".mlp", width, draws.shares.values, &kInit);
  const double skipped = draws.stochastic_depth;
  blocks.add(name, [=](const at::Tensor& x_NHWC, RunContext& context) {
    const at::Tensor y_NHWC = x_NHWC + stochasticDepth(attend(norm_1(x_NHWC), context), skipped, context, name + ".stochastic_depth.1");
    return y_NHWC + stochasticDepth(mlp(norm_2(y_NHWC), context), skipped, context, name + ".stochastic_depth.2");
  });
}

// Half the size and twice the width: each four neighbours side by side, then a linear layer.
void addMerging(BlockList& blocks, const std::string& name, int64_t width) {
  Store& store = blocks.store();
  Linear reduce{store.parameter(name + ".reduction.weight", {2 * width, 4 * width}), {}};
  store.normal(reduce.weight, kInit.normal);
  const LayerNorm norm = layerNorm(store, name + ".norm", 4 * width);
  blocks.add(name, [=](const at::Tensor& x_NHWC, RunContext&) {
    const at::Tensor x = at::constant_pad_nd(x_NHWC, {0, 0, 0, x_NHWC.size(2) % 2, 0, x_NHWC.size(1) % 2});
    const auto every = [&x](int64_t row, int64_t column) { return x.slice(1, row, {}, 2).slice(2, column, {}, 2); };
    return reduce(norm(at::cat({every(0, 0), every(1, 0), every(0, 1), every(1, 1)}, -1)));
  });
}

}  // namespace

// Liu et al. 2021, arXiv 2103.14030.
Result<std::unique_ptr<Model>> makeSwinTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  TRAINYARD_CHECK(checkPictureSize("The Swin transformer", input, kPatch));
  BlockList blocks(seed);
  Store& store = blocks.store();
  const Conv2d patches = conv2d(store, "features.0.0", input.channels, kWidth, {.kernel = kPatch, .stride = kPatch, .bias = true, .init = ConvInit::Default});
  const LayerNorm patch_norm = layerNorm(store, "features.0.2", kWidth);
  blocks.add("features.0", [=](const at::Tensor& x_NCHW, RunContext&) { return patch_norm(patches(x_NCHW).permute({0, 2, 3, 1})); });
  Draws draws{{params.at("dropout").get<double>(), params.at("attention_dropout").get<double>()}, 0};
  const double most = params.at("stochastic_depth").get<double>();
  int64_t width = kWidth, done = 0;
  for (size_t stage = 0; stage < kDepths.size(); ++stage) {
    const std::string name = "features." + std::to_string(2 * stage + 1) + ".";
    for (int64_t depth = 0; depth < kDepths[stage]; ++depth, ++done) {
      draws.stochastic_depth = most * static_cast<double>(done) / (kTotal - 1);
      addLayer(blocks, name + std::to_string(depth), width, kHeads[stage], depth % 2 == 1, draws);
    }
    if (stage + 1 == kDepths.size()) break;
    addMerging(blocks, "features." + std::to_string(2 * stage + 2), width);
    width *= 2;
  }
  const LayerNorm norm = layerNorm(store, "norm", width);
  const Linear head = linear(store, "head", width, classes, kInit);
  blocks.add("head", [=](const at::Tensor& x_NHWC, RunContext&) { return head(norm(x_NHWC).mean({1, 2})); });
  return blocks.finish(false);
}

}  // namespace trainyard::models
