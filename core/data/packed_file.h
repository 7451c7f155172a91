#pragma once
// Inside the data room: a file that may be gzipped.
#include "core/base/files.h"
#include "core/base/result.h"

namespace trainyard::data {

// The whole content, unpacked when the name ends in .gz. Error Data: cannot be read, not gzip, cut short.
Result<std::string> readPlainOrGz(const fs::path& file);

// `file`, or `file`.gz when only that is there; empty when neither is.
fs::path plainOrGz(const fs::path& file);

}  // namespace trainyard::data
