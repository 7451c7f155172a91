#pragma once
// Published weights: which there are, where they come from and where they lie once fetched. Fetching is app/cli/weights.cpp.
#include <span>
#include <string_view>

#include "core/base/files.h"

namespace trainyard::catalogue {

// torchvision's, trained on ImageNet-1k: 1,000 classes, colour pictures, normalised by ImageNet's mean and deviation.
struct PublishedWeights {
  const char* name;      // as in model.weights: torchvision's name of the model, "_v2" for its second recipe
  const char* arch;      // the architecture they fit
  const char* file;      // below kPublishedAt
  const char* sha256;    // the first eight hexadecimal digits
  uint64_t bytes;        // about
  double accuracy;       // top-1 on ImageNet's validation part, as torchvision measured it
  int size;              // edge of the pictures in that measurement
};

inline constexpr std::string_view kPublishedAt = "https://download.pytorch.org/models/";
inline constexpr std::string_view kPublishedLicence = "BSD-3-Clause";  // torchvision's; ImageNet's own terms apply to its pictures

std::span<const PublishedWeights> publishedWeights();

// nullptr when there are none of that name.
const PublishedWeights* findWeights(std::string_view name);

// The file in $XDG_CACHE_HOME/trainyard/weights or ~/.cache/trainyard/weights, whether it is there or not. A file of that name has been verified.
fs::path cachedWeights(const PublishedWeights& weights);

}  // namespace trainyard::catalogue
