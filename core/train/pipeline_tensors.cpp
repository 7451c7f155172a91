#include "core/train/pipeline_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard::train {

StageTensors tensorsOf(const models::Model& model, const parallel::StageCut& cut, size_t stage) {
  StageTensors own;
  const parallel::Stage& part = cut.stages[stage];
  own.blocks = model.blocks().subspan(part.first, part.last - part.first + 1);
  std::set<std::string> names;
  for (const auto& block : own.blocks) {
    names.insert(block.parameters.begin(), block.parameters.end());
    names.insert(block.buffers.begin(), block.buffers.end());
  }
  for (const auto& shared : cut.shared) {
    if (std::find(shared.stages.begin(), shared.stages.end(), stage) == shared.stages.end()) continue;
    names.insert(shared.name);
    if (shared.stages.front() != stage) own.copies.insert(shared.name);
  }
  const auto isOwn = [&names](const models::NamedTensor& named) { return names.contains(named.name); };
  for (const auto& named : model.parameters()) {
    if (isOwn(named)) own.parameters.push_back(named);
  }
  for (const auto& named : model.buffers()) {
    if (isOwn(named)) own.buffers.push_back(named);
  }
  return own;
}

void moveStage(const models::Model& model, const parallel::StageCut& cut, size_t stage, at::Device device) {
  const at::NoGradGuard no_grad;
  const StageTensors own = tensorsOf(model, cut, stage);
  std::set<std::string> names;
  for (const auto* kept : {&own.parameters, &own.buffers}) {
    for (const auto& named : *kept) names.insert(named.name);
  }
  for (const auto& [name, tensor] : model.state()) {
    if (!names.contains(name)) {
      tensor.set_requires_grad(false);
      tensor.set_data(at::zeros({}, tensor.options().requires_grad(false).device(device)).expand(tensor.sizes()));
      continue;
    }
    at::Tensor moved = tensor.detach().to(device);
    if (model.convolutional() && tensor.dim() == 4) moved = moved.contiguous(at::MemoryFormat::ChannelsLast);
    tensor.set_data(moved);
  }
}

}  // namespace trainyard::train
