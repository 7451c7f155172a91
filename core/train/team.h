#pragma once
// What the ranks share (those of one process; team_remote.h for several): rank 0 tells the others what to do next, and the first error ends them all.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "core/comm/communicator.h"
#include "core/train/checkpoint.h"

namespace trainyard::train {

// What all ranks do together. Rank 0 runs the trainer and tells each of these to the others before it does its own part.
struct Instruction {
  enum class Do {
    Start,      // make model, step and loader: from `checkpoint`, or from rank 0's weights
    Step,       // one update
    Evaluate,   // begin to go through the held-out samples
    Answer,     // … their next samples
    Average,    // the averaged weights in place of the own ones, or back
    Gather,     // hand rank 0 what this rank alone holds
    Release,    // give the device back
    End,        // `on`: stopped before it was finished
  };
  Do what = Do::End;
  uint64_t step = 0;
  double lr = 0, momentum = 0;
  bool on = false;  // Step: measure; Average: on; End: stopped early
  loader::Cursor cursor;
  std::shared_ptr<const Loaded> checkpoint;                          // Start: what to go on from …
  std::shared_ptr<const std::vector<models::NamedTensor>> weights;  // … or what to begin with, on the CPU
};

class Team {
 public:
  explicit Team(int followers) : seen_(static_cast<size_t>(followers), 0) {}
  virtual ~Team() = default;

  // By rank 0. Nothing happens where nobody follows.
  virtual void tell(Instruction instruction);
  // By follower 1 … : waits for the next one. Error: that of fail().
  virtual Result<Instruction> next(int follower);

  // The first error counts: it aborts the communicators that were added, and next() gives it. Any thread.
  virtual void fail(const Error& error) noexcept;
  std::optional<Error> error() const;
  void add(comm::Communicator& communicator);  // outlives the last fail()

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Instruction> told_;
  uint64_t first_ = 0;          // number of told_.front()
  std::vector<uint64_t> seen_;  // how many each follower has had
  std::optional<Error> error_;
  std::vector<comm::Communicator*> communicators_;
};

}  // namespace trainyard::train
