#include "core/train/whole_state.h"

#include <ATen/ATen.h>

#include <sstream>

namespace trainyard::train {

namespace {

std::string shapeOf(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.scalar_type() << " " << tensor.sizes();
  return text.str();
}

}  // namespace

Result<void> copyFromWhole(std::span<const models::NamedTensor> targets, const models::SafetensorsFile& file, const std::string& where) {
  const at::NoGradGuard no_grad;
  std::vector<const at::Tensor*> sources;
  for (const auto& [name, tensor] : targets) {
    const at::Tensor* source = file.find(name);
    if (source == nullptr) return fail(ErrorCode::Data, "holds no tensor \"" + name + "\"", where, "the file belongs to another network or optimizer");
    if (source->sizes() != tensor.sizes() || source->scalar_type() != tensor.scalar_type()) {
      return fail(ErrorCode::Data, "\"" + name + "\" is " + shapeOf(*source) + ", expected " + shapeOf(tensor), where,
                  "the file belongs to another network or optimizer");
    }
    sources.push_back(source);
  }
  for (size_t i = 0; i < targets.size(); ++i) targets[i].tensor.detach().copy_(*sources[i]);
  return {};
}

}  // namespace trainyard::train
