#pragma once
// In what order the stages of a pipeline go forward and backward.
#include <cstddef>
#include <string>
#include <vector>

namespace trainyard::parallel {

// GPipe (Huang et al. 2018): all forward, then all backward; holds the activations of all parts. OneForwardOneBackward (PipeDream-Flush,
// Narayanan et al. 2021): the same idle share; stage s of P holds those of at most P - s parts.
enum class PipelineOrder { GPipe, OneForwardOneBackward };

// Of the recipe's "gpipe" or "1f1b".
PipelineOrder pipelineOrder(const std::string& id);

struct Turn {
  bool forward = true;
  size_t part = 0;  // of the batch
  bool operator==(const Turn&) const = default;
};

// What stage `stage` of `stages` does with `parts` parts, each once forward and once backward; both directions in the order of the parts, so that
// gradients are added up as on one device.
std::vector<Turn> turnsOf(PipelineOrder order, size_t stage, size_t stages, size_t parts);

// The share of time that stages of equal cost wait: (P - 1) / (M + P - 1).
double idleShare(size_t stages, size_t parts);

}  // namespace trainyard::parallel
