#include "core/parallel/shard_buckets.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/parallel/shard_wait.h"

namespace trainyard::parallel {

namespace {

constexpr size_t kOnTheWay = 2;  // buckets at once: their memory comes on top of the gradients'

// A dense tensor's values as they lie in memory.
at::Tensor memoryOf(const at::Tensor& tensor) { return tensor.as_strided({tensor.numel()}, {1}); }

std::vector<int64_t> countsOf(std::span<const optim::ParamSlot> slots) {
  std::vector<int64_t> counts;
  for (const auto& slot : slots) counts.push_back(slot.param.numel());
  return counts;
}

}  // namespace

ShardBuckets::ShardBuckets(std::span<const optim::ParamSlot> slots, std::span<const size_t> blocks, comm::Communicator& comm, int64_t largest)
    : owners_(ownersOf(countsOf(slots), comm.size())), grads_(slots.size()), comm_(comm) {
  for (size_t i = 0; i < slots.size(); ++i) {
    TORCH_CHECK(slots[i].param.is_non_overlapping_and_dense() && slots[i].param.scalar_type() == slots[0].param.scalar_type(), "parameter ", slots[i].name,
                " is not dense, or of another type than the first");
    params_.push_back(slots[i].param);
    if (owners_[i] == comm.rank()) owned_.push_back(i);
  }
  buckets_ = bucketsOf(countsOf(slots), owners_, blocks, comm.size(), largest);
}

void ShardBuckets::reached(size_t block) {
  while (next_ < buckets_.size() && buckets_[next_].block >= block) start(next_++);
}

ShardBuckets::Travelling ShardBuckets::take(size_t bucket) {
  const Bucket& layout = buckets_[bucket];
  const at::TensorOptions options = params_[0].options().requires_grad(false);
  Travelling next{nullptr, bucket, at::zeros({layout.segment * comm_.size()}, options), at::zeros({layout.segment}, options)};
  bytes_ += next.all.nbytes() + next.own.nbytes();
  peak_bytes_ = std::max(peak_bytes_, bytes_);
  return next;
}

void ShardBuckets::ended(const Travelling& done) {
  if (!buckets_[done.bucket].alone) bytes_ -= done.all.nbytes() + done.own.nbytes();
}

void ShardBuckets::start(size_t bucket) {
  at::NoGradGuard no_grad;
  if (on_the_way_.size() == kOnTheWay) arrive();
  on_the_way_.push_back(buckets_[bucket].alone ? sendAlone(bucket) : sendTogether(bucket));
}

// In the gradient's own memory.
ShardBuckets::Travelling ShardBuckets::sendAlone(size_t bucket) {
  const at::Tensor& param = params_[buckets_[bucket].members.front().parameter];
  at::Tensor grad = param.grad().defined() ? param.grad() : at::zeros_like(param, at::MemoryFormat::Preserve);
  param.mutable_grad().reset();
  Travelling next{nullptr, bucket, memoryOf(grad), grad};
  next.work = comm_.allReduce(next.all, comm::ReduceOp::Sum);
  return next;
}

ShardBuckets::Travelling ShardBuckets::sendTogether(size_t bucket) {
  const Bucket& layout = buckets_[bucket];
  Travelling next = take(bucket);
  for (const auto& member : layout.members) {
    const at::Tensor& param = params_[member.parameter];
    if (!param.grad().defined()) continue;
    next.all.narrow(0, member.owner * layout.segment + member.begin, param.numel()).copy_(memoryOf(param.grad()));
    param.mutable_grad().reset();
  }
  next.work = comm_.reduceScatter(next.own, next.all);
  return next;
}

void ShardBuckets::arrive() {
  const Travelling done = std::move(on_the_way_.front());
  on_the_way_.pop_front();
  await(done.work);
  const Bucket& layout = buckets_[done.bucket];
  for (const auto& member : layout.members) {
    if (member.owner != comm_.rank()) continue;
    const at::Tensor& param = params_[member.parameter];
    grads_[member.parameter] = layout.alone ? done.own : done.own.as_strided(param.sizes(), param.strides(), member.begin);
  }
  ended(done);
}

std::vector<at::Tensor> ShardBuckets::finish() {
  reached(0);
  while (!on_the_way_.empty()) arrive();
  next_ = 0;
  std::vector<at::Tensor> own;
  for (const size_t slot : owned_) own.push_back(std::move(grads_[slot]));
  return own;
}

// Starts to send the owners' values; `own` is this rank's.
ShardBuckets::Travelling ShardBuckets::send(size_t bucket) {
  const Bucket& layout = buckets_[bucket];
  if (layout.alone) {
    const auto& member = layout.members.front();
    Travelling next{nullptr, bucket, memoryOf(params_[member.parameter].detach()), {}};
    next.work = comm_.broadcast(next.all, member.owner);
    return next;
  }
  Travelling next = take(bucket);
  for (const auto& member : layout.members) {
    const at::Tensor& param = params_[member.parameter];
    if (member.owner == comm_.rank()) next.own.narrow(0, member.begin, param.numel()).copy_(memoryOf(param.detach()));
  }
  next.work = comm_.allGather(next.all, next.own);
  return next;
}

void ShardBuckets::receive() {
  const Travelling done = std::move(on_the_way_.front());
  on_the_way_.pop_front();
  await(done.work);
  const Bucket& layout = buckets_[done.bucket];
  for (const auto& member : layout.members) {
    if (member.owner == comm_.rank() || layout.alone) continue;
    const at::Tensor& param = params_[member.parameter];
    memoryOf(param.detach()).copy_(done.all.narrow(0, member.owner * layout.segment + member.begin, param.numel()));
  }
  ended(done);
}

void ShardBuckets::spread() {
  at::NoGradGuard no_grad;
  for (size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    on_the_way_.push_back(send(bucket));
    if (bucket > 0) receive();
  }
  if (!on_the_way_.empty()) receive();
}

}  // namespace trainyard::parallel
