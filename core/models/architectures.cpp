#include "core/models/architectures.h"

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/models/products.h"

namespace trainyard::models {

namespace {

struct Maker {
  const char* id;
  Result<std::unique_ptr<Model>> (*make)(const Json&, InputShape, int64_t, uint64_t);
};

constexpr Maker kMakers[] = {
    {"mlp", makeMlp},
    {"smallcnn", makeSmallCnn},
    {"resnet18", makeResNet18},
    {"resnet34", makeResNet34},
    {"resnet50", makeResNet50},
    {"resnet101", makeResNet101},
    {"resnet152", makeResNet152},
    {"resnext50_32x4d", makeResNeXt50},
    {"wide_resnet50_2", makeWideResNet50},
    {"vgg11_bn", makeVgg11},
    {"vgg16_bn", makeVgg16},
    {"densenet121", makeDenseNet121},
    {"mobilenet_v2", makeMobileNetV2},
    {"mobilenet_v3_small", makeMobileNetV3Small},
    {"mobilenet_v3_large", makeMobileNetV3Large},
    {"efficientnet_b0", makeEfficientNetB0},
    {"efficientnet_b1", makeEfficientNetB1},
    {"efficientnet_b2", makeEfficientNetB2},
    {"efficientnet_b3", makeEfficientNetB3},
    {"convnext_tiny", makeConvNeXtTiny},
    {"convnext_small", makeConvNeXtSmall},
    {"layers", makeLayers},
    {"vit_tiny", makeViTTiny},
    {"vit_small", makeViTSmall},
    {"vit_base", makeViTBase},
    {"swin_t", makeSwinTiny},
    {"gpt", makeGpt},
    {"torchscript", makeTorchScript},
};

}  // namespace

Result<std::unique_ptr<Model>> make(const recipe::Choice& arch, InputShape input, int64_t classes, uint64_t seed) {
  const auto* descriptor = catalogue::find(catalogue::architectures(), arch.id);
  const auto* maker = std::find_if(std::begin(kMakers), std::end(kMakers), [&](const Maker& each) { return arch.id == each.id; });
  if (descriptor == nullptr || maker == std::end(kMakers)) return fail(ErrorCode::Recipe, "there is no architecture \"" + arch.id + "\"", "model.arch");
  Json params = arch.params;
  for (const auto& spec : descriptor->params) {
    if (!params.contains(spec.key)) params[spec.key] = spec.fallback;
  }
  return maker->make(params, input, classes, seed);
}

Result<void> checkPictureSize(const std::string& architecture, InputShape input, int64_t least) {
  if (input.height >= least && input.width >= least) return {};
  const auto size = [](int64_t width, int64_t height) { return std::to_string(width) + " × " + std::to_string(height); };
  return fail(ErrorCode::Recipe, architecture + " needs pictures of at least " + size(least, least) + " pixels; these are " + size(input.width, input.height),
              "data.size", "set data.size to " + std::to_string(least) + " or more, or choose another architecture");
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& maker : kMakers) ids.emplace_back(maker.id);
  return ids;
}

void moveTo(const Model& model, at::Device device) {
  chooseProducts(model);
  at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : model.state()) {
    at::Tensor moved = tensor.detach().to(device);
    if (model.convolutional() && tensor.dim() == 4) moved = moved.contiguous(at::MemoryFormat::ChannelsLast);
    tensor.set_data(moved);
  }
}

uint64_t parameterCount(const Model& model) {
  uint64_t count = 0;
  for (const auto& [name, tensor] : model.parameters()) count += static_cast<uint64_t>(tensor.numel());
  return count;
}

at::Tensor forward(const Model& model, const at::Tensor& images_NCHW, RunContext& context) {
  Values values{images_NCHW};
  for (const auto& block : model.blocks()) values = block.forward(values, context);
  return values.front();
}

}  // namespace trainyard::models
