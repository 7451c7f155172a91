#pragma once
// Inside the room: parts of whole tensors, by name.
#include <set>

#include "core/train/train_step.h"

namespace trainyard::train {

// A part that this rank has; `everywhere`: every rank has the same.
struct HeldPart {
  StatePart part;
  bool everywhere = false;
};

// "exp_avg.layer1.0.weight" → "layer1.0.weight"; empty where there is no dot.
std::string parameterOf(const std::string& state);

// Copies each part out of its whole tensor in the file, keeping device and strides. Every one must be there with its shape, and the file may have
// nothing else but what belongs to `others`, by name(of a tensor) → parameter. Nothing is copied unless everything fits. Error Data.
Result<void> loadParts(std::span<const HeldPart> parts, const models::SafetensorsFile& file, const std::string& where, const std::set<std::string>& others,
                       std::string (*parameter)(const std::string& name));

}  // namespace trainyard::train
