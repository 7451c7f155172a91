#include "core/optim/slots.h"

#include <ATen/ATen.h>

namespace trainyard::optim {

namespace {

// Whether both walk memory alike; the strides of dimensions of one element do not matter.
bool sameLayout(const at::Tensor& a, const at::Tensor& b) {
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
}

}  // namespace

SlotState::SlotState(std::string state_name, std::span<const ParamSlot> slots) : name(std::move(state_name)) {
  for (const auto& slot : slots) {
    parameters.push_back(slot.name);
    tensors.push_back(at::zeros_like(slot.param, at::MemoryFormat::Preserve).detach());
  }
}

void SlotState::collect(std::vector<models::NamedTensor>& out) const {
  for (size_t i = 0; i < tensors.size(); ++i) out.push_back({name + "." + parameters[i], tensors[i]});
}

std::vector<at::Tensor> Lists::pick(const SlotState& state) const {
  std::vector<at::Tensor> out;
  out.reserve(slots.size());
  for (const size_t slot : slots) out.push_back(state.tensors[slot]);
  return out;
}

Lists listsOf(std::span<const ParamSlot> slots, int group) {
  Lists lists;
  lists.params.reserve(slots.size());
  lists.grads.reserve(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].group != group || !slots[i].grad.defined()) continue;
    TORCH_CHECK(sameLayout(slots[i].grad, slots[i].param), "gradient of ", slots[i].name, " has strides ", slots[i].grad.strides(), ", the parameter ",
                slots[i].param.strides());
    lists.params.push_back(slots[i].param);
    lists.grads.push_back(slots[i].grad);
    lists.slots.push_back(i);
  }
  return lists;
}

std::vector<at::Tensor> flat(std::vector<at::Tensor> tensors) {
  for (auto& tensor : tensors) {
    if (tensor.is_contiguous()) continue;
    TORCH_CHECK(tensor.is_non_overlapping_and_dense(), "a tensor with gaps has no row of its own");
    tensor = tensor.as_strided({tensor.numel()}, {1});
  }
  return tensors;
}

std::vector<at::Tensor> gradientsOf(std::span<const ParamSlot> slots) {
  std::vector<at::Tensor> grads;
  for (const auto& slot : slots) {
    if (slot.grad.defined()) grads.push_back(slot.grad);
  }
  return grads;
}

Result<void> Optimizer::restore(const models::StateReader& reader) {
  std::vector<models::NamedTensor> targets;
  Json scalars;
  collect(targets, scalars);
  TRAINYARD_CHECK(models::loadInto(targets, reader.tensors, reader.where));
  restoreScalars(reader.scalars);
  return {};
}

void GroupedOptimizer::step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) {
  if (found_inf != nullptr && found_inf->item<double>() != 0) return;
  at::NoGradGuard no_grad;
  begin(hyper);
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Lists lists = listsOf(slots, static_cast<int>(g));
    if (!lists.params.empty()) move(lists, groups_[g].weight_decay, {hyper.lr * groups_[g].lr_factor, hyper.momentum});
  }
}

at::Tensor stepCount(std::span<const ParamSlot> slots) {
  return at::zeros({}, slots.empty() ? at::TensorOptions(at::kFloat) : slots.front().param.options().dtype(at::kFloat).requires_grad(false));
}

std::pair<double, double> betasOf(const recipe::Choice& choice) {
  const Json& betas = choice.params.at("betas");
  return {betas.at(0).get<double>(), betas.at(1).get<double>()};
}

std::vector<at::Tensor> decayed(const Lists& lists, double weight_decay, double lr, bool decoupled) {
  if (weight_decay == 0) return lists.grads;
  if (!decoupled) return at::_foreach_add(lists.grads, lists.params, weight_decay);
  at::_foreach_mul_(lists.params, 1 - lr * weight_decay);
  return lists.grads;
}

at::Tensor gradientNorm(std::span<const ParamSlot> slots) {
  const std::vector<at::Tensor> grads = gradientsOf(slots);
  if (grads.empty()) return at::zeros({});
  return at::linalg_vector_norm(at::stack(at::_foreach_norm(grads, 2)));
}

at::Tensor clipGradientNorm(std::span<ParamSlot> slots, double max_norm) {
  at::Tensor norm = gradientNorm(slots);
  const std::vector<at::Tensor> grads = gradientsOf(slots);
  const at::Tensor factor = at::clamp_max(max_norm / (norm + 1e-6), 1.0);
  if (!grads.empty()) at::_foreach_mul_(grads, factor);
  return norm;
}

void clipGradientValue(std::span<ParamSlot> slots, double limit) {
  const std::vector<at::Tensor> grads = gradientsOf(slots);
  if (grads.empty()) return;
  at::_foreach_clamp_min_(grads, -limit);
  at::_foreach_clamp_max_(grads, limit);
}

namespace {

struct Maker {
  const char* id;
  Result<std::unique_ptr<Optimizer>> (*make)(const recipe::Choice&, std::span<const ParamSlot>, std::vector<Group>);
};
constexpr Maker kMakers[] = {{"sgd", makeSgd},         {"adam", makeAdam},       {"adamw", makeAdamW},         {"nadam", makeNAdam}, {"radam", makeRAdam},
                             {"rmsprop", makeRmsprop}, {"adagrad", makeAdagrad}, {"adafactor", makeAdafactor}, {"lion", makeLion},   {"muon", makeMuon}};

}  // namespace

Result<std::unique_ptr<Optimizer>> make(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  if (groups.empty()) groups.push_back({1, choice.number("weight_decay")});
  for (const auto& maker : kMakers) {
    if (choice.id == maker.id) return maker.make(choice, slots, std::move(groups));
  }
  return fail(ErrorCode::Recipe, "there is no optimizer \"" + choice.id + "\"", "optimizer.type");
}

std::vector<std::string> madeIds() {
  std::vector<std::string> ids;
  for (const auto& maker : kMakers) ids.emplace_back(maker.id);
  return ids;
}

}  // namespace trainyard::optim
