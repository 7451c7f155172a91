#pragma once
// The makers of all architectures; one file each. Keyed by the catalogue's ids in architectures.cpp. `params` holds every
// key of the descriptor, defaults included.
#include "core/models/layers.h"
#include "core/models/model.h"

namespace trainyard::models {

Result<std::unique_ptr<Model>> makeMlp(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeSmallCnn(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet18(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet34(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet50(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet101(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNet152(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeResNeXt50(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeWideResNet50(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeVgg11(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeVgg16(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeDenseNet121(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeMobileNetV2(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeMobileNetV3Small(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeMobileNetV3Large(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeEfficientNetB0(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeEfficientNetB1(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeEfficientNetB2(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeEfficientNetB3(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeConvNeXtTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeConvNeXtSmall(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeViTTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeViTSmall(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeViTBase(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeSwinTiny(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeGpt(const Json& params, InputShape input, int64_t classes, uint64_t seed);

// Error Recipe, with the smallest size, when the pictures are smaller.
Result<void> checkPictureSize(const std::string& architecture, InputShape input, int64_t least);
Result<std::unique_ptr<Model>> makeLayers(const Json& params, InputShape input, int64_t classes, uint64_t seed);
Result<std::unique_ptr<Model>> makeTorchScript(const Json& params, InputShape input, int64_t classes, uint64_t seed);

}  // namespace trainyard::models
