#pragma once
// Weights to start training from: a file of safetensors or PyTorch, or published weights by name.
#include "core/base/files.h"
#include "core/models/model.h"

namespace trainyard::models {

// What of the model did not come from the file.
struct Started {
  std::vector<std::string> replaced_head;  // parameters of a head for another number of classes: they stay as they were drawn
};

// `source` is a file, or the name of published weights (catalogue/weights.h) that are in the cache. Everything must fit by name and shape, but for the
// head of another number of classes; numbers are converted to the model's type, and a batch-norm counter that is missing stays 0, as in PyTorch. Nothing is copied
// unless everything fits. The model is on the CPU. Error Data naming tensors and file; Error Recipe where the weights are not on this computer.
Result<Started> loadStartingWeights(const Model& model, const fs::path& source);

// All tensors of a file by name, whichever of the formats it has. Error Data.
Result<std::vector<NamedTensor>> readWeights(const fs::path& file);

// "[64, 3, 7, 7]"
std::string shapeText(at::IntArrayRef sizes);

}  // namespace trainyard::models
