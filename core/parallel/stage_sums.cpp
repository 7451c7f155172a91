#include "core/parallel/stage_sums.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard::parallel {

namespace {

constexpr int kSharedTag = 16;
constexpr uint64_t kPieceBytes = 25 << 20;

struct Piece {
  std::vector<at::Tensor> gradients;
  at::Tensor values;  // theirs, one behind the other
  comm::WorkPtr sum;
};

void startSum(Piece& piece, comm::Communicator& data) {
  std::vector<at::Tensor> flat;
  for (const auto& gradient : piece.gradients) flat.push_back(gradient.reshape(-1));
  piece.values = at::cat(flat);
  piece.sum = data.allReduce(piece.values, comm::ReduceOp::Sum);
}

Result<void> finishSum(Piece& piece) {
  TRAINYARD_CHECK(piece.sum->wait());
  int64_t begin = 0;
  for (auto& gradient : piece.gradients) {
    gradient.copy_(piece.values.narrow(0, begin, gradient.numel()).view(gradient.sizes()));
    begin += gradient.numel();
  }
  return {};
}

optim::ParamSlot* slotNamed(std::span<optim::ParamSlot> slots, const std::string& name) {
  const auto found = std::find_if(slots.begin(), slots.end(), [&name](const optim::ParamSlot& slot) { return slot.name == name; });
  return found == slots.end() ? nullptr : &*found;
}

Result<void> sumAtOwner(at::Tensor& gradient, const SharedParameter& shared, comm::Communicator& forward, comm::Communicator& backward) {
  at::Tensor sum = gradient.contiguous();
  at::Tensor other = at::empty_like(sum);
  for (size_t i = 1; i < shared.stages.size(); ++i) {
    TRAINYARD_CHECK(backward.receive(other, static_cast<int>(shared.stages[i]), kSharedTag)->wait());
    sum.add_(other);
  }
  std::vector<comm::WorkPtr> sent;
  for (size_t i = 1; i < shared.stages.size(); ++i) sent.push_back(forward.send(sum, static_cast<int>(shared.stages[i]), kSharedTag));
  for (auto& work : sent) TRAINYARD_CHECK(work->wait());
  gradient.copy_(sum);
  return {};
}

Result<void> sumAtUser(at::Tensor& gradient, int owner, comm::Communicator& forward, comm::Communicator& backward) {
  TRAINYARD_CHECK(backward.send(gradient.contiguous(), owner, kSharedTag)->wait());
  at::Tensor sum = at::empty(gradient.sizes(), gradient.options());
  TRAINYARD_CHECK(forward.receive(sum, owner, kSharedTag)->wait());
  gradient.copy_(sum);
  return {};
}

void fillMissing(optim::ParamSlot& slot) {
  if (!slot.grad.defined()) slot.grad = at::zeros_like(slot.param, at::MemoryFormat::Preserve).detach();
}

}  // namespace

Result<void> sumOverReplicas(std::span<optim::ParamSlot> slots, comm::Communicator& data) {
  const at::NoGradGuard no_grad;
  std::vector<Piece> pieces;
  uint64_t bytes = kPieceBytes;
  for (auto& slot : slots) {
    fillMissing(slot);
    if (bytes >= kPieceBytes) {
      if (!pieces.empty()) startSum(pieces.back(), data);
      pieces.emplace_back();
      bytes = 0;
    }
    pieces.back().gradients.push_back(slot.grad);
    bytes += slot.grad.nbytes();
  }
  if (!pieces.empty()) startSum(pieces.back(), data);
  for (auto& piece : pieces) TRAINYARD_CHECK(finishSum(piece));
  return {};
}

Result<void> sumShared(std::span<optim::ParamSlot> slots, std::span<const SharedParameter> shared, comm::Communicator& forward, comm::Communicator& backward) {
  const at::NoGradGuard no_grad;
  const auto stage = static_cast<size_t>(forward.rank());
  for (const auto& parameter : shared) {
    if (std::find(parameter.stages.begin(), parameter.stages.end(), stage) == parameter.stages.end()) continue;
    optim::ParamSlot* slot = slotNamed(slots, parameter.name);
    if (slot == nullptr) continue;  // frozen, on all of them
    fillMissing(*slot);
    const size_t owner = parameter.stages.front();
    TRAINYARD_CHECK(stage == owner ? sumAtOwner(slot->grad, parameter, forward, backward) : sumAtUser(slot->grad, static_cast<int>(owner), forward, backward));
  }
  return {};
}

Result<at::Tensor> normOverStages(std::span<const optim::ParamSlot> slots, const std::set<std::string>& copies, comm::Communicator& stages, at::Device device) {
  std::vector<optim::ParamSlot> owned;
  for (const auto& slot : slots) {
    if (!copies.contains(slot.name)) owned.push_back(slot);
  }
  at::Tensor squares = optim::gradientNorm(owned).to(device, at::kDouble).square();
  TRAINYARD_CHECK(stages.allReduce(squares, comm::ReduceOp::Sum)->wait());
  return squares.sqrt().to(at::kFloat);
}

}  // namespace trainyard::parallel
