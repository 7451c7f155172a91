#pragma once
// Gloo: collectives over TCP, between processes and machines, for tensors in main memory.
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "core/comm/communicator.h"

namespace trainyard::comm {

struct GlooOptions : CommOptions {
  std::string interface;           // "eth0"; where it is empty, host decides
  std::string host = "127.0.0.1";  // a name or address of this computer that the other ranks reach
};

// Comes back when all `size` ranks are connected, each having called this with the same store. Error Device where an address is not one of
// this computer's, or ranks are missing after the timeout.
Result<std::unique_ptr<Communicator>> glooCommunicator(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, const GlooOptions& options);

}  // namespace trainyard::comm
