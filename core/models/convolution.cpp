#include "core/models/convolution.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstring>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;

struct Window {
  int64_t batch, channels, height, width;  // of the input
  int64_t kernel_height, kernel_width, stride, padding;
  int64_t outHeight() const { return (height + 2 * padding - kernel_height) / stride + 1; }
  int64_t outWidth() const { return (width + 2 * padding - kernel_width) / stride + 1; }
  int64_t rows() const { return batch * outHeight() * outWidth(); }
  int64_t columns() const { return kernel_height * kernel_width * channels; }
  bool isPlain() const { return kernel_height == 1 && kernel_width == 1 && stride == 1 && padding == 0; }  // the input's places are the rows
};

Window windowOf(const at::Tensor& x_NCHW, const at::Tensor& weight_OIHW, int64_t stride, int64_t padding) {
  return {x_NCHW.size(0), x_NCHW.size(1), x_NCHW.size(2), x_NCHW.size(3), weight_OIHW.size(2), weight_OIHW.size(3), stride, padding};
}

at::Tensor asRows(const at::Tensor& x_NCHW) { return x_NCHW.permute({0, 2, 3, 1}).reshape({-1, x_NCHW.size(1)}); }
at::Tensor asMatrix(const at::Tensor& weight_OIHW) { return weight_OIHW.permute({0, 2, 3, 1}).reshape({weight_OIHW.size(0), -1}); }

// Calls `each` with the place of a row's next channels among the pictures' channels, -1 in the padding.
template <class Each>
void walkRow(const Window& window, int64_t picture, int64_t row, int64_t column, const Each& each) {
  for (int64_t i = 0; i < window.kernel_height; ++i) {
    const int64_t y = row * window.stride - window.padding + i;
    for (int64_t j = 0; j < window.kernel_width; ++j) {
      const int64_t x = column * window.stride - window.padding + j;
      const bool inside = y >= 0 && y < window.height && x >= 0 && x < window.width;
      each(inside ? ((picture * window.height + y) * window.width + x) * window.channels : -1);
    }
  }
}

// What each place of the output looks at: rows() × columns().
at::Tensor patches(const at::Tensor& x_NCHW, const Window& window) {
  if (window.isPlain()) return asRows(x_NCHW);
  at::Tensor out = at::empty({window.rows(), window.columns()}, x_NCHW.options().memory_format(at::MemoryFormat::Contiguous));
  const size_t size = x_NCHW.element_size(), bytes = static_cast<size_t>(window.channels) * size;
  const char* from = static_cast<const char*>(x_NCHW.const_data_ptr());
  char* const start = static_cast<char*>(out.mutable_data_ptr());
  at::parallel_for(0, window.rows(), 16, [&](int64_t begin, int64_t end) {
    char* to = start + static_cast<size_t>(begin * window.columns()) * size;
    for (int64_t row = begin; row < end; ++row) {
      const int64_t column = row % window.outWidth(), line = row / window.outWidth();
      walkRow(window, line / window.outHeight(), line % window.outHeight(), column, [&](int64_t place) {
        if (place < 0) std::memset(to, 0, bytes);
        else std::memcpy(to, from + static_cast<size_t>(place) * size, bytes);
        to += bytes;
      });
    }
  });
  return out;
}

template <class Value>
void addPatches(const at::Tensor& patches, const Window& window, at::Tensor& sums_NHWC) {
  const Value* const start = patches.const_data_ptr<Value>();
  float* const to = sums_NHWC.mutable_data_ptr<float>();
  const int64_t rows = window.outHeight() * window.outWidth();
  at::parallel_for(0, window.batch, 1, [&](int64_t begin, int64_t end) {  // no two threads on one picture: the order of the sums is fixed
    const Value* from = start + begin * rows * window.columns();
    for (int64_t picture = begin; picture < end; ++picture) {
      for (int64_t row = 0; row < rows; ++row) {
        walkRow(window, picture, row / window.outWidth(), row % window.outWidth(), [&](int64_t place) {
          for (int64_t c = 0; place >= 0 && c < window.channels; ++c) to[place + c] += static_cast<float>(from[c]);
          from += window.channels;
        });
      }
    }
  });
}

// The transpose of patches().
at::Tensor together(const at::Tensor& patches, const Window& window) {
  const std::array<int64_t, 4> sizes{window.batch, window.height, window.width, window.channels};
  if (window.isPlain()) return patches.view(sizes).permute({0, 3, 1, 2});
  at::Tensor sums_NHWC = at::zeros(sizes, patches.options().dtype(at::kFloat));
  if (patches.scalar_type() == at::kFloat) addPatches<float>(patches, window, sums_NHWC);
  else addPatches<at::BFloat16>(patches, window, sums_NHWC);
  return sums_NHWC.to(patches.scalar_type()).permute({0, 3, 1, 2});
}

class Product : public torch::autograd::Function<Product> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x_NCHW, const at::Tensor& weight_OIHW, int64_t stride, int64_t padding) {
    const Window window = windowOf(x_NCHW, weight_OIHW, stride, padding);
    ctx->save_for_backward({x_NCHW, weight_OIHW});
    ctx->saved_data["stride"] = stride;
    ctx->saved_data["padding"] = padding;
    return at::mm(patches(x_NCHW, window), asMatrix(weight_OIHW).t()).view({window.batch, window.outHeight(), window.outWidth(), -1}).permute({0, 3, 1, 2});
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const at::Tensor &x_NCHW = saved[0], &weight_OIHW = saved[1];
    const Window window = windowOf(x_NCHW, weight_OIHW, ctx->saved_data["stride"].toInt(), ctx->saved_data["padding"].toInt());
    const at::Tensor grad = asRows(grads[0].contiguous(kChannelsLast));
    at::Tensor of_x, of_weight;
    // In the weight's own strides, so that nothing copies it afterwards.
    if (ctx->needs_input_grad(1)) of_weight = at::mm(grad.t(), patches(x_NCHW, window)).as_strided(weight_OIHW.sizes(), weight_OIHW.strides());
    if (ctx->needs_input_grad(0)) of_x = together(at::mm(grad, asMatrix(weight_OIHW)), window);
    return {of_x, of_weight, {}, {}};
  }
};

// Where the product was measured to be the quicker one.
bool suitsProduct(const at::Tensor& x_NCHW, const at::Tensor& weight_OIHW, int64_t stride, int64_t padding, int64_t groups) {
  constexpr int64_t kVector = 32, kFewPlaces = 4, kFewRows = 256, kFewRowsHalf = 64;
  const bool half = x_NCHW.scalar_type() == at::kBFloat16;
  if (groups != 1 || x_NCHW.dim() != 4 || !x_NCHW.is_cpu() || (!half && x_NCHW.scalar_type() != at::kFloat) || x_NCHW.numel() == 0) return false;
  if (x_NCHW.size(1) < kVector || !x_NCHW.is_contiguous(kChannelsLast) || !weight_OIHW.is_contiguous(kChannelsLast)) return false;
  const Window window = windowOf(x_NCHW, weight_OIHW, stride, padding);
  if (window.isPlain() && window.height * window.width == 1) return false;  // of any memory format
  return window.outHeight() * window.outWidth() <= kFewPlaces || window.rows() <= (half ? kFewRowsHalf : kFewRows);
}

at::Tensor cast(const at::Tensor& value) {
  return at::autocast::is_autocast_enabled(at::kCPU) ? at::autocast::cached_cast(at::autocast::get_autocast_dtype(at::kCPU), value, at::kCPU) : value;
}

}  // namespace

at::Tensor convolve(const at::Tensor& x_NCHW, const at::Tensor& weight_OIHW, const at::Tensor& bias, int64_t stride, int64_t padding, int64_t groups) {
  if (!x_NCHW.is_cpu()) return at::conv2d(x_NCHW, weight_OIHW, bias, stride, padding, 1, groups);
  const at::Tensor x = cast(x_NCHW), weight = cast(weight_OIHW), shift = bias.defined() ? cast(bias) : bias;
  if (!suitsProduct(x, weight, stride, padding, groups)) return at::conv2d(x, weight, shift, stride, padding, 1, groups);
  const c10::impl::ExcludeDispatchKeyGuard as_given(c10::DispatchKey::AutocastCPU);
  const at::Tensor out = Product::apply(x, weight, stride, padding);
  return shift.defined() ? out + shift.view({1, -1, 1, 1}) : out;
}

}  // namespace trainyard::models
