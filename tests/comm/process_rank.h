#pragma once
// A test's own program as one of the ranks of a run of several processes.
#include <optional>

#include "core/comm/rendezvous.h"

namespace trainyard::comm {

// Joins, agrees, sums over Gloo, checks the sum; on and on until a collective fails where `for_ever`. 0: well. With TRAINYARD_TEST_FOR_EVER's value as
// the timeout in seconds, else 10. Writes "summed" and then why it ended to standard output.
int reduceTogether(const World& world, bool for_ever);

// Where TRAINYARD_TEST_CHILD is set: the rank that the environment says; the exit status.
std::optional<int> runAsRank();

}  // namespace trainyard::comm
