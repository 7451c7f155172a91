#pragma once
// SHA-256 of files.
#include "core/base/files.h"

namespace trainyard::fetch {

// 64 hexadecimal digits. Error Data when the file cannot be read.
Result<std::string> sha256Of(const fs::path& file);

}  // namespace trainyard::fetch
