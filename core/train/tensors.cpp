#include "core/train/tensors.h"

#include <ATen/ATen.h>

namespace trainyard::train {

namespace {

at::Tensor viewOf(const loader::TensorView& view, const std::shared_ptr<void>& lease) {
  const at::ScalarType type = view.element == loader::Element::F32 ? at::kFloat : view.element == loader::Element::I64 ? at::kLong : view.element == loader::Element::BF16 ? at::kBFloat16 : at::kByte;
  return at::from_blob(view.data, view.sizes, view.strides, [lease](void*) {}, at::TensorOptions(type));
}

}  // namespace

Tensors toTensors(const loader::Batch& batch, at::Device device) {
  const auto moved = [&](const loader::TensorView& view) {
    const at::Tensor here = viewOf(view, batch.lease);
    return device.is_cpu() ? here : here.to(device, here.scalar_type(), true);
  };
  Tensors tensors{moved(batch.inputs), moved(batch.targets), {}, 1};
  if (batch.targets_b.data != nullptr) {
    tensors.targets_b = moved(batch.targets_b);
    tensors.mix = batch.mix;
  }
  return tensors;
}

}  // namespace trainyard::train
