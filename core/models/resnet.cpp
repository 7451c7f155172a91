#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "core/models/architectures.h"

namespace trainyard::models {

namespace {

struct Norm {
  std::variant<BatchNorm2d, GroupNorm> kind;
  at::Tensor operator()(const at::Tensor& x_NCHW, const RunContext& context) const {
    const auto* batch = std::get_if<BatchNorm2d>(&kind);
    return batch != nullptr ? (*batch)(x_NCHW, context) : std::get<GroupNorm>(kind)(x_NCHW);
  }
};

struct Shape {
  std::array<int, 4> depths;
  bool bottleneck = false;
  int64_t groups = 1, width_per_group = 64;
};

struct Downsample {
  Conv2d conv;
  Norm norm;
};

// He et al. 2015 (arXiv 1512.03385), Xie et al. 2016 (1611.05431), Zagoruyko and Komodakis 2016 (1605.07146); the stride is in the 3×3 convolution.
class ResNetMaker {
 public:
  ResNetMaker(const Shape& shape, const Json& params, uint64_t seed)
      : shape_(shape), small_stem_(params.at("stem") == "cifar"), group_norm_(params.at("norm") == "group"), blocks_(seed) {}

  std::unique_ptr<Model> make(int64_t input_channels, int64_t classes) {
    addStem(input_channels);
    for (size_t stage = 0; stage < shape_.depths.size(); ++stage) {
      for (int depth = 0; depth < shape_.depths[stage]; ++depth) {
        const std::string name = "layer" + std::to_string(stage + 1) + "." + std::to_string(depth);
        const int64_t planes = int64_t{64} << stage, stride = stage > 0 && depth == 0 ? 2 : 1;
        if (shape_.bottleneck)
          addBottleneck(name, planes, stride);
        else
          addBasic(name, planes, stride);
      }
    }
    const Linear fc = linear(store(), "fc", channels_, classes);
    blocks_.add("fc", [fc](const at::Tensor& x_NCHW, RunContext&) { return fc(at::adaptive_avg_pool2d(x_NCHW, {1, 1}).flatten(1)); });
    return blocks_.finish(true);
  }

 private:
  Store& store() { return blocks_.store(); }

  Conv2d conv(const std::string& name, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t groups = 1) {
    return conv2d(store(), name, in, out, {.kernel = kernel, .stride = stride, .padding = kernel / 2, .groups = groups});
  }

  Norm norm(const std::string& name, int64_t channels) {
    if (group_norm_) return {groupNorm(store(), name, channels, std::min<int64_t>(32, channels))};
    return {batchNorm2d(store(), name, channels)};
  }

  void addStem(int64_t input_channels) {
    const Conv2d conv1 = small_stem_ ? conv("conv1", input_channels, channels_, 3, 1) : conv("conv1", input_channels, channels_, 7, 2);
    const Norm bn1 = norm("bn1", channels_);
    const bool pool = !small_stem_;
    blocks_.add("stem", [conv1, bn1, pool](const at::Tensor& x_NCHW, RunContext& context) {
      const at::Tensor hidden = bn1(conv1(x_NCHW), context).relu_();
      return pool ? at::max_pool2d(hidden, 3, 2, 1) : hidden;
    });
  }

  std::optional<Downsample> downsample(const std::string& name, int64_t out, int64_t stride) {
    if (stride == 1 && channels_ == out) return {};
    const Conv2d projection = conv(name + ".downsample.0", channels_, out, 1, stride);
    return Downsample{projection, norm(name + ".downsample.1", out)};
  }

  // Two 3×3 convolutions beside a shortcut.
  void addBasic(const std::string& name, int64_t planes, int64_t stride) {
    const Conv2d conv1 = conv(name + ".conv1", channels_, planes, 3, stride);
    const Norm bn1 = norm(name + ".bn1", planes);
    const Conv2d conv2 = conv(name + ".conv2", planes, planes, 3, 1);
    const Norm bn2 = norm(name + ".bn2", planes);
    const auto shortcut = downsample(name, planes, stride);
    blocks_.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
      const at::Tensor hidden = bn1(conv1(x_NCHW), context).relu_();
      at::Tensor out_NCHW = bn2(conv2(hidden), context);
      out_NCHW += shortcut ? shortcut->norm(shortcut->conv(x_NCHW), context) : x_NCHW;
      return out_NCHW.relu_();
    });
    channels_ = planes;
  }

  // 1×1, 3×3, 1×1 beside a shortcut.
  void addBottleneck(const std::string& name, int64_t planes, int64_t stride) {
    const int64_t width = planes * shape_.width_per_group / 64 * shape_.groups, out = planes * 4;
    const Conv2d conv1 = conv(name + ".conv1", channels_, width, 1, 1);
    const Norm bn1 = norm(name + ".bn1", width);
    const Conv2d conv2 = conv(name + ".conv2", width, width, 3, stride, shape_.groups);
    const Norm bn2 = norm(name + ".bn2", width);
    const Conv2d conv3 = conv(name + ".conv3", width, out, 1, 1);
    const Norm bn3 = norm(name + ".bn3", out);
    const auto shortcut = downsample(name, out, stride);
    blocks_.add(name, [=](const at::Tensor& x_NCHW, RunContext& context) {
      at::Tensor hidden = bn1(conv1(x_NCHW), context).relu_();
      hidden = bn2(conv2(hidden), context).relu_();
      at::Tensor out_NCHW = bn3(conv3(hidden), context);
      out_NCHW += shortcut ? shortcut->norm(shortcut->conv(x_NCHW), context) : x_NCHW;
      return out_NCHW.relu_();
    });
    channels_ = out;
  }

  Shape shape_;
  bool small_stem_, group_norm_;
  BlockList blocks_;
  int64_t channels_ = 64;
};

}  // namespace

Result<std::unique_ptr<Model>> makeResNet18(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {2, 2, 2, 2}}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeResNet34(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 4, 6, 3}}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeResNet50(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 4, 6, 3}, .bottleneck = true}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeResNet101(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 4, 23, 3}, .bottleneck = true}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeResNet152(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 8, 36, 3}, .bottleneck = true}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeResNeXt50(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 4, 6, 3}, .bottleneck = true, .groups = 32, .width_per_group = 4}, params, seed).make(input.channels, classes);
}

Result<std::unique_ptr<Model>> makeWideResNet50(const Json& params, InputShape input, int64_t classes, uint64_t seed) {
  return ResNetMaker({.depths = {3, 4, 6, 3}, .bottleneck = true, .width_per_group = 128}, params, seed).make(input.channels, classes);
}

}  // namespace trainyard::models
