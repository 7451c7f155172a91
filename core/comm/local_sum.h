#pragma once
// The arithmetic of `local`: blocks of several ranks' buffers reduced in rank order.
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <span>

#include "core/comm/communicator.h"

namespace trainyard::comm {

bool canReduce(at::ScalarType type);

// to[k][i] = from[0][i] op from[1][i] op …, for `count` elements; a `to` may be one of the `from`. Half-width floats are added as floats and
// rounded once; booleans are or-ed. canReduce(type) holds.
void reduceBlock(at::ScalarType type, ReduceOp op, std::span<const std::byte* const> from, std::span<std::byte* const> to, size_t count);

}  // namespace trainyard::comm
