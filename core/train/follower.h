#pragma once
// The ranks besides rank 0: they do what the trainer, on rank 0's thread, tells all ranks to do.
#include "core/train/rank.h"
#include "core/train/session.h"
#include "core/train/team.h"

namespace trainyard::train {

// Until the end. On the rank's thread, with its communicators connected. Throws what LibTorch throws.
Result<void> follow(Team& team, const Rank& rank, const recipe::Recipe& recipe, const Input& input);

// What a rank did since it was last asked.
struct RankSpan {
  RankTimes times;
  double data_wait_s = 0;
  void add(const RankTimes& more) {
    times.compute_s += more.compute_s;
    times.comm_s += more.comm_s;
    times.wait_s += more.wait_s;
  }
};
// Rank r of `all` to rank 0; both call it after a measured step. Error Device.
Result<void> giveSpan(const RankSpan& span, const Rank& rank);
Result<RankSpan> receiveSpan(int from, const Rank& rank);

}  // namespace trainyard::train
