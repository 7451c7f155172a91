#pragma once
// A run's best checkpoint, put to use.
#include "core/train/engine.h"

namespace trainyard::train {

// `--json` of evaluate: {samples, loss, metrics, confusion, checkpoint}. data empty: the run's validation part.
Result<Json> evaluateRun(const runs::Layout& run, const fs::path& data);

// `--json` of predict. Error Data naming the first file that is not a picture.
Result<Json> predictFiles(const runs::Layout& run, const std::vector<fs::path>& files, int top);

}  // namespace trainyard::train
