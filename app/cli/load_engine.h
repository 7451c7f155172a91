#pragma once
#include "core/base/result.h"
#include "core/train/engine.h"

namespace trainyard::cli {

// Loads ../lib/trainyard/libtrainyard_engine.so, and LibTorch with it, on the first call. Error Failed naming the file.
Result<train::Engine*> loadEngine();

}  // namespace trainyard::cli
