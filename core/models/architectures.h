#pragma once
// The makers of all architectures; one file each. Keyed by the catalogue's ids in architectures.cpp.
#include "core/models/layers.h"
#include "core/models/model.h"

namespace trainyard::models {

Result<std::unique_ptr<Model>> makeMlp(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeSmallCnn(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet18(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet34(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeLayers(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeTorchScript(const Json& params, InputShape input, int64_t classes, uint64_t seed);

}  // namespace trainyard::models
