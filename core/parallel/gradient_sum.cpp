#include "core/parallel/gradient_sum.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <torch/csrc/distributed/c10d/default_comm_hooks.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include "core/base/units.h"
#include "core/comm/comm_error.h"

namespace trainyard::parallel {

struct GradientSum::Travelling {
  c10::intrusive_ptr<c10d::ProcessGroup> group;
  bool bf16 = false;
  double last_started = 0;  // steadySeconds() of the last bucket
};

namespace {

constexpr int64_t kFirstBucketBytes = int64_t{1} << 20, kBucketBytes = int64_t{25} << 20;

// DistributedDataParallel's own would divide by the number of ranks. State: a pointer to Travelling.
template <class State>
class SumHook : public c10d::CppCommHookInterface<State> {
 public:
  using c10d::CppCommHookInterface<State>::CppCommHookInterface;
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    State& state = this->state_;
    at::Tensor& full = bucket.getBufferRef();
    std::vector<at::Tensor> tensors{state->bf16 ? full.to(at::kBFloat16) : full};
    const auto work = state->group->allreduce(tensors);
    state->last_started = steadySeconds();
    if (bucket.isLast()) work->wait();  // nothing is left to do beside it; on a CPU the waiting ranks share the adding
    const auto summed = work->getFuture();
    if (!state->bf16) return summed;
    return summed->then(
        [full](c10::ivalue::Future& future) -> c10::IValue {
          full.copy_(future.value().toTensorVector().front());
          return std::vector<at::Tensor>{full};
        },
        c10::ListType::create(c10::TensorType::get()));
  }
};

}  // namespace

GradientSum::GradientSum(std::vector<at::Tensor> parameters, comm::Communicator& comm, SumOptions options)
    : parameters_(std::move(parameters)), comm_(comm), options_(options) {
  if (!options_.overlap) return;
  const std::vector<size_t> limits{static_cast<size_t>(kFirstBucketBytes), static_cast<size_t>(kBucketBytes)};
  // The last parameters get their gradients first.
  std::vector<at::Tensor> backwards(parameters_.rbegin(), parameters_.rend());
  auto [buckets, bucket_limits] = c10d::compute_bucket_assignment_by_size(backwards, limits);
  for (auto& bucket : buckets) {
    for (auto& index : bucket) index = parameters_.size() - 1 - index;
  }
  travelling_ = std::make_shared<Travelling>(Travelling{comm_.group(), options_.bf16});
  reducer_ = std::make_unique<c10d::Reducer>(parameters_, std::move(buckets), travelling_->group, std::vector<bool>(parameters_.size(), false), kBucketBytes, false, true,
                                             std::unordered_map<size_t, std::string>(), kFirstBucketBytes, false, false, std::vector<int64_t>());
  reducer_->register_comm_hook(std::make_unique<SumHook<std::shared_ptr<Travelling>>>(travelling_));
}

GradientSum::~GradientSum() = default;

// In place: the Reducer's gradients are views of its buckets.
void GradientSum::begin() {
  std::vector<at::Tensor> grads;
  for (const auto& parameter : parameters_) {
    if (parameter.grad().defined()) grads.push_back(parameter.grad());
  }
  if (!grads.empty()) at::_foreach_zero_(grads);
}

void GradientSum::beforeForward(bool last) {
  if (!reducer_ || !last) return;
  reducer_->prepare_for_forward();
  reducer_->rebuild_buckets();
}

void GradientSum::beforeBackward(bool last) {
  if (reducer_ && last) reducer_->prepare_for_backward({});
}

void GradientSum::finish() {
  const double begin = reducer_ ? travelling_->last_started : steadySeconds();
  if (!reducer_) sumAfterwards();
  waited_s_ = steadySeconds() - begin;
}

void GradientSum::sumAfterwards() {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> backwards;
  for (auto parameter = parameters_.rbegin(); parameter != parameters_.rend(); ++parameter) {
    if (!parameter->grad().defined()) parameter->mutable_grad() = at::zeros_like(*parameter);
    backwards.push_back(parameter->grad());
  }
  const auto [buckets, limits] = c10d::compute_bucket_assignment_by_size(backwards, {static_cast<size_t>(kFirstBucketBytes), static_cast<size_t>(kBucketBytes)});
  struct Bucket {
    at::Tensor flat;
    comm::WorkPtr work;
  };
  const auto flatOf = [](const at::Tensor& grad) { return at::as_strided(grad, {grad.numel()}, {1}); };  // in memory's order, as all ranks have it
  std::vector<Bucket> under_way;
  for (const auto& bucket : buckets) {
    std::vector<at::Tensor> flats;
    for (const size_t index : bucket) flats.push_back(flatOf(backwards[index]));
    at::Tensor flat = at::cat(flats);
    if (options_.bf16) flat = flat.to(at::kBFloat16);
    under_way.push_back({flat, nullptr});
    under_way.back().work = comm_.allReduce(under_way.back().flat, comm::ReduceOp::Sum);
  }
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (const auto done = under_way[i].work->wait(); !done) throw comm::CommError(done.error());
    int64_t offset = 0;
    for (const size_t index : buckets[i]) {
      const at::Tensor flat = flatOf(backwards[index]);
      flat.copy_(under_way[i].flat.narrow(0, offset, flat.numel()));
      offset += flat.numel();
    }
  }
}

}  // namespace trainyard::parallel
