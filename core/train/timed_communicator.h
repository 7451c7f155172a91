#pragma once
// A communicator that counts how long its rank's thread spends in it.
#include "core/comm/communicator.h"

namespace trainyard::train {

// Passes everything on to `inner`, which must outlive it. Works are waited for by the rank's own thread, and outlived by this.
class TimedCommunicator : public comm::Communicator {
 public:
  explicit TimedCommunicator(comm::Communicator& inner) : inner_(inner) {}
  double seconds() const { return seconds_; }  // since it was made, in starting collectives and in waiting for them

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  comm::WorkPtr allReduce(at::Tensor& tensor, comm::ReduceOp op) override;
  comm::WorkPtr broadcast(at::Tensor& tensor, int root) override;
  comm::WorkPtr allGather(at::Tensor& out, const at::Tensor& in) override;
  comm::WorkPtr reduceScatter(at::Tensor& out, const at::Tensor& in) override;
  comm::WorkPtr barrier() override;
  comm::WorkPtr send(at::Tensor tensor, int to, int tag) override;
  comm::WorkPtr receive(at::Tensor& tensor, int from, int tag) override;
  void abort(const Error& error) noexcept override { inner_.abort(error); }
  Result<std::unique_ptr<comm::Communicator>> split(const std::vector<int>& ranks) override { return inner_.split(ranks); }  // not timed
  c10::intrusive_ptr<c10d::ProcessGroup> group() override;                                                                   // not timed

 private:
  template <class Start>
  comm::WorkPtr timed(Start&& start);

  comm::Communicator& inner_;
  double seconds_ = 0;
};

}  // namespace trainyard::train
