#include "core/models/architectures.h"

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
    {"layers", makeLayers},
    {"torchscript", makeTorchScript},
};

}  // namespace

Result<std::unique_ptr<Model>> make(const recipe::Choice& arch, InputShape input, int64_t classes, uint64_t seed) {
  for (const auto& maker : kMakers) {
    if (arch.id == maker.id) return maker.make(arch.params, input, classes, seed);
  }
  return fail(ErrorCode::Recipe, "there is no architecture \"" + arch.id + "\"", "model.arch");
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& maker : kMakers) ids.emplace_back(maker.id);
  return ids;
}

void moveTo(const Model& model, at::Device device) {
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
