#include "core/train/sharded_parts.h"

#include <ATen/ATen.h>

namespace trainyard::train {

namespace {

std::string shapeText(at::IntArrayRef sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "]";
}

void copyPart(const StatePart& part, const at::Tensor& whole) {
  at::Tensor target = part.tensor.detach();
  if (target.sizes() == whole.sizes())
    target.copy_(whole);
  else
    target.copy_(whole.contiguous().flatten().narrow(0, part.offset, target.numel()).view(target.sizes()));
}

}  // namespace

std::string parameterOf(const std::string& state) {
  const size_t dot = state.find('.');
  return dot == std::string::npos ? std::string() : state.substr(dot + 1);
}

Result<void> checkParts(std::span<const HeldPart> parts, const models::SafetensorsFile& file, const std::string& where, const std::set<std::string>& others) {
  const std::string hint = "these weights belong to another architecture, or to another number of classes";
  std::set<std::string> mine;
  for (const auto& [part, everywhere] : parts) {
    mine.insert(part.name);
    const at::Tensor* found = file.find(part.name);
    if (found == nullptr) return fail(ErrorCode::Data, "tensor \"" + part.name + "\" of shape " + shapeText(part.full_sizes) + " is missing", where, hint);
    if (found->sizes() != at::IntArrayRef(part.full_sizes)) {
      return fail(ErrorCode::Data,
                  "tensor \"" + part.name + "\" has shape " + shapeText(found->sizes()) + " in the file; the model needs " + shapeText(part.full_sizes), where,
                  hint);
    }
  }
  for (const auto& [name, tensor] : file.tensors()) {
    if (mine.contains(name) || others.contains(parameterOf(name))) continue;
    return fail(ErrorCode::Data, "the model has no tensor \"" + name + "\" of shape " + shapeText(tensor.sizes()), where, hint);
  }
  return {};
}

void copyParts(std::span<const HeldPart> parts, const models::SafetensorsFile& file) {
  at::NoGradGuard no_grad;
  for (const auto& held : parts) copyPart(held.part, *file.find(held.part.name));
}

}  // namespace trainyard::train
