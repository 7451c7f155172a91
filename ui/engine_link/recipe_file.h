#pragma once
// Recipes on their way to an engine, which reads them from another folder than the one they were written for.
#include <QString>

#include "core/base/json.h"
#include "core/base/result.h"

namespace trainyard::ui {

// Writes `document` as `name`.toml into the folder of things about to start and returns the file. Relative paths count from `base`; empty:
// they are left as they are. Files that nobody fetched go after a week.
Result<QString> writeRecipeFor(const Json& document, const QString& base, const QString& name);

// Whether [model] weights names published weights rather than a file: a word without folders or an ending.
bool isWeightsName(const QString& weights);

}  // namespace trainyard::ui
