#include "core/loader/slot.h"

#include <algorithm>

namespace trainyard::loader {

namespace {

constexpr size_t kAlignment = 64;

size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

size_t targetsOf(const data::Dataset& dataset, augment::Shape shape) {
  if (dataset.task() == data::Task::Classes) return 1;
  return dataset.task() == data::Task::Tokens ? static_cast<size_t>(shape.width) + 1 : dataset.classes().size();
}

}  // namespace

SlotLayout::SlotLayout(augment::Shape shape, uint64_t largest, const data::Dataset& dataset, bool mixed)
    : shape_(shape),
      task_(dataset.task()),
      floats_(tokens() ? 0 : static_cast<size_t>(shape.channels) * shape.height * shape.width),
      targets_(targetsOf(dataset, shape)) {
  const size_t samples = largest + (mixed ? 1 : 0);
  targets_at_ = aligned(samples * floats_ * sizeof(float));
  bytes_ = targets_at_ + samples * targets_ * (classes() || tokens() ? sizeof(int64_t) : sizeof(float));
  if (!mixed || !classes()) return;
  partners_at_ = aligned(bytes_);
  bytes_ = partners_at_ + largest * sizeof(int64_t);
}

std::span<float> SlotLayout::picture(std::byte* slot, uint64_t position) const { return {reinterpret_cast<float*>(slot) + position * floats_, floats_}; }

std::span<float> SlotLayout::values(std::byte* slot, uint64_t position) const {
  return {reinterpret_cast<float*>(slot + targets_at_) + position * targets_, targets_};
}

void SlotLayout::writeTarget(std::byte* slot, uint64_t position, const data::Dataset& dataset, uint64_t sample) const {
  if (classes()) {
    classTargets(slot)[position] = dataset.label(sample);
  } else if (tokens()) {
    std::ranges::transform(dataset.fileBytes(sample).value_or(""), classTargets(slot) + position * targets_,
                           [](char byte) { return static_cast<unsigned char>(byte); });
  } else {
    dataset.target(sample, values(slot, position));
  }
}

void SlotLayout::closeCircle(std::byte* slot, uint64_t count) const {
  std::ranges::copy(picture(slot, count - 1), picture(slot, count).begin());
  if (classes()) {
    classTargets(slot)[count] = classTargets(slot)[count - 1];
  } else {
    std::ranges::copy(values(slot, count - 1), values(slot, count).begin());
  }
}

void SlotLayout::mix(std::byte* slot, uint64_t count, const augment::Mix& mix) const {
  auto* partners = reinterpret_cast<int64_t*>(slot + partners_at_);
  // From the last to the first, so that the one before is still unmixed.
  for (uint64_t i = count; i-- > 0;) {
    const uint64_t partner = i > 0 ? i - 1 : count;
    augment::apply(mix, shape_, picture(slot, i), picture(slot, partner));
    if (classes()) {
      partners[i] = classTargets(slot)[partner];
      continue;
    }
    const auto own = values(slot, i), other = values(slot, partner);
    for (size_t k = 0; k < targets_; ++k) own[k] = mix.share * own[k] + (1 - mix.share) * other[k];
  }
}

void SlotLayout::describe(std::byte* slot, uint64_t count, const augment::Mix& mix, Batch& batch) const {
  const auto n = static_cast<int64_t>(count), k = static_cast<int64_t>(targets_);
  const int64_t c = shape_.channels, h = shape_.height, w = shape_.width;
  if (tokens()) {
    batch.inputs = {slot + targets_at_, Element::I64, {n, k - 1}, {k, 1}};
    batch.targets = {slot + targets_at_ + sizeof(int64_t), Element::I64, {n, k - 1}, {k, 1}};
    return;
  }
  batch.inputs = {slot, Element::F32, {n, c, h, w}, {h * w * c, 1, w * c, c}};
  if (!classes()) {
    batch.targets = {slot + targets_at_, Element::F32, {n, k}, {k, 1}};
    return;
  }
  batch.targets = {slot + targets_at_, Element::I64, {n}, {1}};
  if (mix.kind == augment::Mix::Kind::None) return;
  batch.targets_b = {slot + partners_at_, Element::I64, {n}, {1}};
  batch.mix = mix.share;
}

}  // namespace trainyard::loader
