#pragma once
// Weights as torch.save writes them (.pt, .pth): a zip archive since PyTorch 1.6, a row of pickles before. Read without running anything.
#include <vector>

#include "core/base/files.h"
#include "core/models/model.h"

namespace trainyard::models {

// Whether the file begins as one of the two does; also false where it cannot be opened.
bool isTorchFile(const fs::path& file);

// The tensors by name, in the file's order; views that own what they look at. A state dictionary may be the whole file or lie under one of the names that
// training scripts use ("state_dict", "model", …); a prefix that all names share from DataParallel or torch.compile is taken off. Any thread.
// Error Data naming the file: cut short, damaged, more than weights in it (nothing is ever executed), no tensors.
Result<std::vector<NamedTensor>> readTorchFile(const fs::path& file);

}  // namespace trainyard::models
