#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/comm/local_sum.h"
#include "core/comm/local_world.h"

namespace trainyard::comm {

namespace {

constexpr size_t kBlockBytes = 128 * 1024;

const char* name(LocalKind kind) {
  switch (kind) {
    case LocalKind::AllReduce:
      return "all-reduce";
    case LocalKind::Broadcast:
      return "broadcast";
    case LocalKind::AllGather:
      return "all-gather";
    case LocalKind::ReduceScatter:
      return "reduce-scatter";
    case LocalKind::Barrier:
      return "barrier";
  }
  return "";
}

std::string describe(const LocalCall& call) {
  std::string text = name(call.kind);
  if (call.kind == LocalKind::Barrier) return text;
  if (call.kind == LocalKind::Broadcast) text += " from rank " + std::to_string(call.root);
  if (call.op == ReduceOp::Max) text += " (max)";
  return text + " of " + std::to_string(call.in.numel()) + " × " + c10::toString(call.in.scalar_type());
}

bool agree(const LocalCall& a, const LocalCall& b) {
  if (a.kind != b.kind || a.op != b.op || a.root != b.root) return false;
  if (a.kind == LocalKind::Barrier) return true;
  return a.in.scalar_type() == b.in.scalar_type() && a.in.numel() == b.in.numel() && (a.in.is_contiguous() || a.in.strides() == b.in.strides());
}

const std::byte* bytes(const at::Tensor& tensor) { return static_cast<const std::byte*>(tensor.const_data_ptr()); }
std::byte* mutableBytes(const at::Tensor& tensor) { return static_cast<std::byte*>(tensor.data_ptr()); }

}  // namespace

bool LocalOp::join(int rank, LocalCall call, std::string& why) {
  const auto other = std::find(here_.begin(), here_.end(), true);
  if (other != here_.end()) {
    const auto first = static_cast<size_t>(other - here_.begin());
    if (!agree(calls_[first], call)) {
      why = "collective " + std::to_string(number_ + 1) + " is a " + describe(calls_[first]) + " on rank " + std::to_string(first) + " but a " +
            describe(call) + " on rank " + std::to_string(rank);
      return false;
    }
  }
  calls_[static_cast<size_t>(rank)] = std::move(call);
  here_[static_cast<size_t>(rank)] = true;
  ++arrived_;
  return true;
}

std::string LocalOp::waitsFor() const {
  std::string missing;
  int count = 0;
  const LocalCall* call = nullptr;
  for (size_t rank = 0; rank < here_.size(); ++rank) {
    if (here_[rank]) {
      call = &calls_[rank];
    } else {
      missing += (count++ == 0 ? "" : ", ") + std::to_string(rank);
    }
  }
  return describe(*call) + " (number " + std::to_string(number_ + 1) + "): " + (count == 1 ? "rank " + missing + " did" : "ranks " + missing + " did") +
         " not come";
}

void LocalOp::start() {
  const LocalCall& call = calls_[0];
  size_t element = 1, segments = 1;
  if (call.kind != LocalKind::Barrier) {
    element = call.in.element_size();
    segment_ = static_cast<size_t>(call.in.numel());
    if (call.kind == LocalKind::AllGather) segments = calls_.size();
    if (call.kind == LocalKind::ReduceScatter) segments = calls_.size(), segment_ /= calls_.size();
  }
  block_ = kBlockBytes / element;
  per_segment_ = (segment_ + block_ - 1) / block_;
  blocks_ = calls_.size() == 1 && call.in.defined() && call.in.is_same(call.out) ? 0 : per_segment_ * segments;
  if (blocks_ == 0) return finish();
  if (blocks_ == 1) {  // not worth waking anyone
    runBlock(0);
    return finish();
  }
  if (makeReady()) help();
}

void LocalOp::help() {
  for (size_t block; (block = next_.fetch_add(1, std::memory_order_relaxed)) < blocks_;) {
    runBlock(block);
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == blocks_) finish();
  }
}

void LocalOp::runBlock(size_t block) const {
  const size_t segment = block / per_segment_, begin = block % per_segment_ * block_, count = std::min(block_, segment_ - begin);
  const size_t ranks = calls_.size(), element = calls_[0].in.element_size(), offset = begin * element, whole = (segment * segment_ + begin) * element;
  std::vector<const std::byte*> from;
  std::vector<std::byte*> to;
  from.reserve(ranks), to.reserve(ranks);
  const LocalCall& first = calls_[0];
  for (size_t rank = 0; rank < ranks; ++rank) {
    const LocalCall& call = calls_[rank];
    switch (first.kind) {
      case LocalKind::AllReduce:
        from.push_back(bytes(call.in) + offset), to.push_back(mutableBytes(call.out) + offset);
        break;
      case LocalKind::Broadcast:
        to.push_back(mutableBytes(call.out) + offset);
        break;
      case LocalKind::AllGather:
        to.push_back(mutableBytes(call.out) + whole);
        break;
      case LocalKind::ReduceScatter:
        from.push_back(bytes(call.in) + whole);
        break;
      case LocalKind::Barrier:
        break;
    }
  }
  if (first.kind == LocalKind::Broadcast) from.push_back(to[static_cast<size_t>(first.root)]);
  if (first.kind == LocalKind::AllGather) from.push_back(bytes(calls_[segment].in) + offset);
  if (first.kind == LocalKind::ReduceScatter) to.push_back(mutableBytes(calls_[segment].out) + offset);
  if (from.size() > 1) return reduceBlock(first.in.scalar_type(), first.op, from, to, count);
  for (std::byte* target : to) {
    if (target != from[0]) std::memcpy(target, from[0], count * element);
  }
}

}  // namespace trainyard::comm
