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

// Whether each part's whole is in the file with its shape, and nothing else is but what belongs to parameters of which only `others` have something:
// "exp_avg.<parameter>". Error Data names the tensor.
Result<void> checkParts(std::span<const HeldPart> parts, const models::SafetensorsFile& file, const std::string& where, const std::set<std::string>& others);

// Copies each part out of its whole tensor, which is there; into its device and strides.
void copyParts(std::span<const HeldPart> parts, const models::SafetensorsFile& file);

}  // namespace trainyard::train
