#pragma once
#include "core/comm/comm_error.h"
#include "core/comm/communicator.h"

namespace trainyard::parallel {

// Waits; a failure goes on as comm::CommError, past the tape that stands between.
inline void await(const comm::WorkPtr& work) {
  if (auto done = work->wait(); !done) throw comm::CommError(std::move(done.error()));
}

}  // namespace trainyard::parallel
