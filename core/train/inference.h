#pragma once
// A run's best checkpoint, put to use.
#include "core/train/engine.h"

namespace trainyard::train {

// `--json` of evaluate: {split, samples, loss, metrics, per_class, confusion, classes, checkpoint}. `where` of an error names what is missing.
Result<Json> evaluateRun(const runs::Layout& run, const EvaluateOptions& options);

// `--json` of predict. Error Data naming the first file that is not a picture.
Result<Json> predictFiles(const runs::Layout& run, const std::vector<fs::path>& files, int top);

}  // namespace trainyard::train
