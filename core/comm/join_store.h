#pragma once
// The meeting of a run's processes over TCP. Neither it nor what follows authenticates or encrypts: it belongs on a private network.
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "core/base/json.h"
#include "core/comm/rendezvous.h"

namespace trainyard::comm {

struct JoinOptions {
  double timeout_s = 120;  // for all ranks to come
  std::string listen;      // rank 0: the address of this computer to listen on; empty: what World::host means here
};

// Rank 0 listens on one address alone, the others connect; comes back on every rank when all have come. Error Device names host, port, what
// was tried and for how long, or the ranks that are missing; a rank that joins a second time; a port in use.
Result<c10::intrusive_ptr<c10d::Store>> joinStore(const World& world, const JoinOptions& options);

// Every rank gives the same named facts (version, recipe's hash, world size…): Error Usage says which ranks differ from rank 0 in what.
// Called once, by all ranks.
Result<void> agree(const c10::intrusive_ptr<c10d::Store>& store, const World& world, const Json& facts, double timeout_s);

// An address of this computer by which others on the way to `host` reach it; for Gloo. Empty where there is no way.
std::string addressTowards(const std::string& host, int port);

}  // namespace trainyard::comm
