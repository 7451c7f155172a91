#pragma once
// The team of a run of several processes, one rank each: rank 0 tells the others by the store where they met, which also carries the first error
// and each process's sign of life.
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <atomic>
#include <thread>

#include "core/comm/rendezvous.h"
#include "core/train/rank.h"
#include "core/train/team.h"

namespace trainyard::train {

class RemoteTeam : public Team {
 public:
  // After joinStore(). `timeout_s`: a process that gave no sign of life for so long is lost, which is an error (Device) on all others that names it.
  // `asked_to_stop`: above 0 on any rank stops the run in order; may be null.
  RemoteTeam(const comm::World& world, c10::intrusive_ptr<c10d::Store> store, double timeout_s, const std::atomic<int>* asked_to_stop);
  // Hands over this process's error, if any; rank 0 waits some seconds until the others have read what there is to read.
  ~RemoteTeam() override;

  bool leads() const { return world_.rank == 0; }
  const comm::World& world() const { return world_; }
  const c10::intrusive_ptr<c10d::Store>& store() const { return store_; }

  // Every rank, once, when it is ready to train: waits for the others however long they take. The devices by rank. Error: any rank's; Usage naming the
  // difference where the facts differ.
  Result<std::vector<DeviceName>> settle(const Json& facts, const DeviceName& own);
  // Where the weights or the checkpoint of a start go through; outlives the last tell() and next().
  void carryBy(const Rank& rank) { rank_ = &rank; }

  void tell(Instruction instruction) override;
  Result<Instruction> next(int follower) override;
  // A lost connection is not yet its cause: waits until the cause is known, or timeout_s and a little more.
  void fail(const Error& error) noexcept override;

  // Of rank 0's process: above 0 when any process was asked to stop.
  const std::atomic<int>* stops() const { return &stops_; }
  bool stoppedEarly() const { return stopped_early_; }  // of the others, after the end

 private:
  struct Link;
  static void pulse(std::shared_ptr<Link> link, c10::intrusive_ptr<c10d::Store> store);
  static void read(std::shared_ptr<Link> link, c10::intrusive_ptr<c10d::Store> store);
  void judge(const std::stop_token& stop);
  void failNow(const Error& error) noexcept;

  comm::World world_;
  c10::intrusive_ptr<c10d::Store> store_;
  double timeout_s_;
  const std::atomic<int>* asked_to_stop_;
  const Rank* rank_ = nullptr;
  uint64_t told_ = 0;
  std::atomic<int> stops_ = 0;
  std::atomic<bool> stopped_early_ = false;
  std::shared_ptr<Link> link_;
  std::jthread judge_;  // last
};

}  // namespace trainyard::train
