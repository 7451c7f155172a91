#pragma once
// A communicator that fails on purpose, to see what becomes of a run then.
#include "core/comm/communicator.h"

namespace trainyard::comm {

enum class FakeFailure {
  Work,       // the work fails
  Exception,  // the call throws, as LibTorch does (inside c10d::Reducer; a Communicator turns it into a failed work)
  Silence,    // this rank stays away and never hears: its work ends only with an abort
};

struct FakeOptions {
  int fail_on = 1;  // the n-th call, of collectives and transfers alike, groups split from it included
  FakeFailure failure = FakeFailure::Work;
  Error error{ErrorCode::Device, "failed on purpose", "", ""};
};

// `inner` as made in this room.
std::unique_ptr<Communicator> fakeCommunicator(std::unique_ptr<Communicator> inner, const FakeOptions& options);

}  // namespace trainyard::comm
