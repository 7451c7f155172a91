#pragma once
// What a run starts with, from rank 0 to ranks on other machines: the weights, or the files of a checkpoint.
#include "core/train/rank.h"
#include "core/train/team.h"

namespace trainyard::train {

// Rank 0; the others call receiveStart() at the same time. Error Device, or Failed where a file cannot be read.
Result<void> sendStart(const Instruction& start, const Rank& rank);
// Fills in the weights or the checkpoint, which lies in a temporary folder until it is mapped. Error Device, Failed naming the file, Data.
Result<void> receiveStart(Instruction& start, const Rank& rank);

}  // namespace trainyard::train
