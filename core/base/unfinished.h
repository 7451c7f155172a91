#pragma once
// What a killed process left behind.
#include "core/base/files.h"

namespace trainyard {

// Removes the side files that another process's replaceFile left in this folder (not below it). Only for whose process alone writes there.
void removeUnfinished(const fs::path& folder);

}  // namespace trainyard
