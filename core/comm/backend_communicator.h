#pragma once
// Any c10d backend as a Communicator.
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "core/comm/communicator.h"

namespace trainyard::comm {

// The first error of a communicator and all that were split from it, and what is to be ended with it. Any thread.
class AbortFlag {
 public:
  std::optional<Error> error() const;
  // Remembers the first error and calls what was registered, once.
  void raise(const Error& error) noexcept;
  // Called by raise(), or at once where it has been raised. The key removes it.
  uint64_t onRaise(std::function<void(const Error&)> end);
  void forget(uint64_t key);

 private:
  mutable std::mutex mutex_;
  std::optional<Error> error_;
  uint64_t next_ = 0;
  std::vector<std::pair<uint64_t, std::function<void(const Error&)>>> ends_;
};

struct BackendParts {
  c10::intrusive_ptr<c10d::Backend> backend;
  c10d::ProcessGroup::BackendType type = c10d::ProcessGroup::BackendType::CUSTOM;
  c10::DeviceType device = c10::DeviceType::CPU;
  std::string where;  // for errors: "cuda:1", "rank 1"
  std::shared_ptr<AbortFlag> aborted;
  std::function<void(const Error&)> abort;  // ends what is under way; any thread
  // The same for a group of ranks of this one; may throw.
  std::function<BackendParts(const std::vector<int>& ranks)> split;
  std::function<std::string(const std::string& thrown)> explain;  // the backend's words in ours; may be empty
  bool sleeps_through_abort = false;                              // a wait of the backend's does not end with abort(): ask now and then
};

// The names of groups in a store: the k-th group of the same ranks has the same name on each of them.
class GroupNames {
 public:
  std::string next(const std::vector<int>& ranks) {
    std::string name = "group";
    for (const int rank : ranks) name.append("-").append(std::to_string(rank));
    return name + "/" + std::to_string(counts_[ranks]++);
  }

 private:
  std::map<std::vector<int>, int> counts_;
};

// The place of `rank` among the ranks of a group.
inline int placeIn(const std::vector<int>& ranks, int rank) { return static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin()); }

class BackendCommunicator : public Communicator {
 public:
  explicit BackendCommunicator(BackendParts parts);
  ~BackendCommunicator() override;
  int rank() const override { return parts_->backend->getRank(); }
  int size() const override { return parts_->backend->getSize(); }
  WorkPtr allReduce(at::Tensor& tensor, ReduceOp op) override;
  WorkPtr broadcast(at::Tensor& tensor, int root) override;
  WorkPtr allGather(at::Tensor& out, const at::Tensor& in) override;
  WorkPtr reduceScatter(at::Tensor& out, const at::Tensor& in) override;
  WorkPtr barrier() override;
  WorkPtr send(at::Tensor tensor, int to, int tag) override;
  WorkPtr receive(at::Tensor& tensor, int from, int tag) override;
  void abort(const Error& error) noexcept override { parts_->aborted->raise(error); }
  Result<std::unique_ptr<Communicator>> split(const std::vector<int>& ranks) override;
  c10::intrusive_ptr<c10d::ProcessGroup> group() override;
  const BackendParts& parts() const { return *parts_; }

 private:
  WorkPtr start(const std::function<c10::intrusive_ptr<c10d::Work>()>& issue, bool is_transfer = false);

  std::shared_ptr<const BackendParts> parts_;
  uint64_t end_key_ = 0;
  // The first call that failed at once, here or in a group split from it. None is made after it: the others would take the next one for it.
  std::shared_ptr<std::optional<Error>> failed_ = std::make_shared<std::optional<Error>>();
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
};

}  // namespace trainyard::comm
