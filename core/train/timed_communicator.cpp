#include "core/train/timed_communicator.h"

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "core/base/units.h"

namespace trainyard::train {

namespace {

class TimedWork : public comm::Work {
 public:
  TimedWork(comm::WorkPtr inner, double& seconds) : inner_(std::move(inner)), seconds_(seconds) {}
  Result<void> wait() override {
    const double begin = steadySeconds();
    Result<void> result = inner_->wait();
    seconds_ += steadySeconds() - begin;
    return result;
  }

 private:
  comm::WorkPtr inner_;
  double& seconds_;
};

}  // namespace

c10::intrusive_ptr<c10d::ProcessGroup> TimedCommunicator::group() { return inner_.group(); }

template <class Start>
comm::WorkPtr TimedCommunicator::timed(Start&& start) {
  const double begin = steadySeconds();
  auto work = std::make_shared<TimedWork>(start(), seconds_);
  seconds_ += steadySeconds() - begin;
  return work;
}

comm::WorkPtr TimedCommunicator::allReduce(at::Tensor& tensor, comm::ReduceOp op) {
  return timed([&] { return inner_.allReduce(tensor, op); });
}
comm::WorkPtr TimedCommunicator::broadcast(at::Tensor& tensor, int root) {
  return timed([&] { return inner_.broadcast(tensor, root); });
}
comm::WorkPtr TimedCommunicator::allGather(at::Tensor& out, const at::Tensor& in) {
  return timed([&] { return inner_.allGather(out, in); });
}
comm::WorkPtr TimedCommunicator::reduceScatter(at::Tensor& out, const at::Tensor& in) {
  return timed([&] { return inner_.reduceScatter(out, in); });
}
comm::WorkPtr TimedCommunicator::barrier() {
  return timed([&] { return inner_.barrier(); });
}
comm::WorkPtr TimedCommunicator::send(at::Tensor tensor, int to, int tag) {
  return timed([&] { return inner_.send(std::move(tensor), to, tag); });
}
comm::WorkPtr TimedCommunicator::receive(at::Tensor& tensor, int from, int tag) {
  return timed([&] { return inner_.receive(tensor, from, tag); });
}

}  // namespace trainyard::train
