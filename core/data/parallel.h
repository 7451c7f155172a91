#pragma once
// Inside the data room: the same work for many samples, on all cores.
#include <cstdint>
#include <functional>

#include "core/data/look.h"

namespace trainyard::data {

// Calls work(i) once for every i in [0, count), from options.threads threads, and options.progress from this one with done_before + done of
// done_before + count. False: options.cancelled was set, and some were left out.
bool forEach(uint64_t count, uint64_t done_before, const ScanOptions& options, const std::function<void(uint64_t)>& work);

}  // namespace trainyard::data
