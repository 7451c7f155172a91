#pragma once
// How a network's parameters are divided over ranks: functions of names and sizes alone, so every rank comes to the same. Counts are in values.
#include <map>

#include "core/models/model.h"

namespace trainyard::parallel {

// Which block each parameter belongs to, as an index; with a parameter tied to a name that has no tensor of its own (a head that is the
// embedding), also the last block: that is where such a name is used.
struct Users {
  std::vector<size_t> first, last;  // of each parameter, in the order of the network's
  bool tied(size_t parameter) const { return first[parameter] != last[parameter]; }
};
Users usersOf(const models::Model& model);

// Stage 1: the rank that keeps the state of each parameter, whole. The largest first, each to the rank that has least.
std::vector<int> ownersOf(std::span<const int64_t> counts, int ranks);

// Stage 1: parameters that travel together, in the order in which backward finishes their gradients. In memory: a segment for each rank, of the
// parameters it owns. A very large parameter travels alone: segments for the other ranks would be as long.
struct Bucket {
  struct Member {
    size_t parameter = 0;
    int owner = 0;
    int64_t begin = 0;  // within the owner's segment
  };
  std::vector<Member> members;
  int64_t segment = 0;  // of each rank; the longest one's length
  size_t block = 0;     // complete once backward has gone through this block
  bool alone = false;
};
// blocks: of each parameter, the block whose backward is the last to add to its gradient. Buckets of about `largest` values; parameters with more
// travel alone.
std::vector<Bucket> bucketsOf(std::span<const int64_t> counts, std::span<const int> owners, std::span<const size_t> blocks, int ranks, int64_t largest);

// Stage 3: parameters that are gathered together, one after the other in a flat row that is cut into one slice a rank.
struct Unit {
  struct Place {
    size_t parameter = 0;
    int64_t begin = 0;  // in the row
  };
  std::vector<Place> places;
  int64_t slice = 0;  // of each rank; the row has ranks × slice
};
struct Units {
  std::vector<Unit> units;
  std::vector<std::vector<size_t>> of_block;  // the units that a block needs
  bool needs(size_t block, size_t unit) const;
};
// A unit a block; neighbouring blocks are joined until they have `join_below` values. Tied parameters have units of their own.
Units unitsOf(const models::Model& model, int ranks, int64_t join_below);

}  // namespace trainyard::parallel
