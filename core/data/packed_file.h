#pragma once
// Inside the data room: files that are packed as a whole (.gz, .xz, .bz2, .zst).
#include "core/data/bytes.h"

namespace trainyard::data {

// The whole content, unpacked when the name ends in .gz. Error Data: cannot be read, not gzip, cut short, damaged (checksums are checked).
Result<std::string> readPlainOrGz(const fs::path& file);

// `file`, or `file`.gz when only that is there; empty when neither is.
fs::path plainOrGz(const fs::path& file);

// How `bytes` starts tells how it is packed.
enum class Packing { None, Gzip, Xz, Bzip2, Zstd };
Result<Packing> packingOf(const Bytes& bytes);

// All that `packed` holds, read piece by piece. Error Data: cut short, damaged, or more than `limit` bytes (`too_large` says what to do then).
Result<std::string> unpack(const Bytes& packed, uint64_t limit, const char* too_large);

// Half of the memory that is free now, in bytes.
uint64_t halfOfFreeMemory();

}  // namespace trainyard::data
