#pragma once
// Quick, Balanced, Best: several keys of a recipe at once. Pure functions over documents, so that the page can say which of them a recipe is.
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"

namespace trainyard::ui {

enum class Preset { Quick, Balanced, Best };

struct PresetFacts {
  uint64_t updates_per_epoch = 0;  // 0: the data is not read; then as if there were 100
};

// The recipe with the preset's keys; everything else stays. `given` as it is written, without defaults.
Json withPreset(const Json& given, Preset preset, const PresetFacts& facts = {});

// The preset that would change nothing; none: made by hand.
std::optional<Preset> presetOf(const Json& given, const PresetFacts& facts = {});

// Whether weights are published for the architecture, so that training can start from them.
bool hasPublishedWeights(const std::string& architecture);

}  // namespace trainyard::ui
