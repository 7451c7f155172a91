#pragma once
// What the ranks of `local` share: the collectives under way, the mailboxes, the watch over timeouts.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>

#include "core/comm/communicator.h"
#include "core/comm/completion.h"

namespace trainyard::comm {

using Clock = std::chrono::steady_clock;

enum class LocalKind { AllReduce, Broadcast, AllGather, ReduceScatter, Barrier };

// One rank's part in a collective. AllReduce and Broadcast work in place: in and out are the same tensor.
struct LocalCall {
  LocalKind kind = LocalKind::Barrier;
  ReduceOp op = ReduceOp::Sum;
  int root = 0;
  at::Tensor in, out;
};

// A collective of all ranks. The rank that arrives last starts it, and ranks that wait take blocks of it, so that no thread of its own is
// needed and none works while others idle.
class LocalOp : public Completion {
 public:
  LocalOp(int size, uint64_t number) : number_(number), calls_(static_cast<size_t>(size)), here_(static_cast<size_t>(size)) {}
  // Under the world's lock. False where the ranks call different things: `why` says what.
  bool join(int rank, LocalCall call, std::string& why);
  bool complete() const { return arrived_ == here_.size(); }
  void start();                  // once, by the last rank, outside of the world's lock
  std::string waitsFor() const;  // "all-reduce 12: rank 1 is missing"; under the world's lock
  Clock::time_point since() const { return since_; }

 protected:
  void help() override;

 private:
  void runBlock(size_t block) const;

  const uint64_t number_;
  std::vector<LocalCall> calls_;
  std::vector<bool> here_;
  size_t arrived_ = 0;
  Clock::time_point since_ = Clock::now();
  size_t segment_ = 0, per_segment_ = 0, block_ = 0, blocks_ = 0;  // elements, blocks, elements, blocks
  std::atomic<size_t> next_{0}, done_{0};
};

// A tensor on its way from one rank to another.
struct LocalTransfer : Completion {
  at::Tensor source, target;               // one of them until the other rank comes
  std::optional<Clock::time_point> since;  // a receiver waits; a sender only once it asks for the end. Under the world's lock.
  std::string words;
};

class LocalWorld;

// A world and those split from it: they fail together.
class LocalFamily {
 public:
  explicit LocalFamily(double timeout_s);
  ~LocalFamily();
  void add(LocalWorld* world);
  void remove(LocalWorld* world);
  void abort(const Error& error);
  std::optional<Error> error() const;

 private:
  void watch(const std::stop_token& stop);

  const std::chrono::nanoseconds timeout_;
  mutable std::mutex mutex_;
  std::optional<Error> error_;
  std::vector<LocalWorld*> worlds_;
  std::mutex sleep_mutex_;
  std::condition_variable_any sleep_;
  std::jthread watcher_;
};

class LocalWorld {
 public:
  LocalWorld(int size, std::shared_ptr<LocalFamily> family);
  ~LocalWorld();
  int size() const { return size_; }
  LocalFamily& family() { return *family_; }

  std::shared_ptr<Completion> issue(int rank, LocalCall call);
  std::shared_ptr<LocalTransfer> send(int from, int to, int tag, at::Tensor source);
  std::shared_ptr<LocalTransfer> receive(int from, int to, int tag, at::Tensor target);
  void awaited(LocalTransfer& transfer);  // from now on its time runs
  std::shared_ptr<LocalWorld> split(int rank, const std::vector<int>& ranks);

  // What waits since before `then`, in words; empty: nothing.
  std::string overdue(Clock::time_point then);
  // What is under way, to be failed by the caller outside of all locks.
  void takeUnfinished(std::vector<std::shared_ptr<Completion>>& unfinished);

 private:
  using Mailbox = std::tuple<int, int, int>;  // from, to, tag
  struct Children {
    std::vector<size_t> next;  // by position in the group: how many times it called
    std::deque<std::shared_ptr<LocalWorld>> worlds;
    size_t first = 0;  // number of worlds.front()
  };
  std::shared_ptr<LocalTransfer> transfer(const Mailbox& mailbox, at::Tensor tensor, bool sending);

  const int size_;
  const std::shared_ptr<LocalFamily> family_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<LocalOp>> ops_;  // not all ranks have come
  uint64_t first_ = 0;                        // number of ops_.front()
  std::vector<uint64_t> next_;                // by rank
  std::map<Mailbox, std::deque<std::shared_ptr<LocalTransfer>>> sends_, receives_;
  std::mutex split_mutex_;  // taken before the family's lock, as mutex_ is taken after it
  std::map<std::vector<int>, Children> children_;
};

}  // namespace trainyard::comm
