#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// Orthogonalised momentum for weights of two dimensions, AdamW for all others (biases, norms, convolutions).
class Muon : public GroupedOptimizer {
 public:
  Muon(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        eps_(choice.number("eps")),
        nesterov_(choice.flag("nesterov")),
        iterations_(static_cast<int>(choice.number("ns_steps"))),
        coefficients_(choice.params.at("ns_coefficients").get<std::vector<double>>()),
        adjust_(choice.params.at("adjust_lr_fn").get<std::string>()),
        beta1_(betasOf(choice).first),
        momentum_buffer_("momentum_buffer", part(slots, true)) {
    recipe::Choice others{"adamw", choice.params};
    others.params["eps"] = 1e-8;
    others.params["amsgrad"] = false;
    auto adamw = makeAdamW(others, part(slots, false), this->groups());
    adamw_ = std::move(*adamw);
  }

  void step(std::span<ParamSlot> slots, const schedule::Hyper& hyper, const at::Tensor* found_inf) override {
    std::vector<ParamSlot> matrices = part(slots, true), others = part(slots, false);
    adamw_->step(others, {hyper.lr, beta1_}, found_inf);  // counts the step also where there is none of them, as on some ranks
    GroupedOptimizer::step(matrices, hyper, found_inf);
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    momentum_buffer_.collect(tensors);
    adamw_->collect(tensors, scalars);
  }

 private:
  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    const auto buffers = lists.pick(momentum_buffer_);
    at::_foreach_lerp_(buffers, lists.grads, 1 - hyper.momentum);
    const auto updates = nesterov_ ? at::_foreach_lerp(lists.grads, buffers, hyper.momentum) : buffers;
    at::_foreach_mul_(lists.params, 1 - hyper.lr * weight_decay);
    for (size_t i = 0; i < updates.size(); ++i) lists.params[i].add_(orthogonal(updates[i]), -hyper.lr * factorFor(lists.params[i]));
  }

  static std::vector<ParamSlot> part(std::span<const ParamSlot> slots, bool matrices) {
    std::vector<ParamSlot> out;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(out), [matrices](const ParamSlot& slot) { return (slot.param.dim() == 2) == matrices; });
    return out;
  }

  // Newton-Schulz: brings all singular values near to 1. In bfloat16, as torch's.
  at::Tensor orthogonal(const at::Tensor& matrix_MN) const {
    const bool tall = matrix_MN.size(0) > matrix_MN.size(1);
    at::Tensor x = matrix_MN.to(at::kBFloat16, /*non_blocking=*/false, /*copy=*/true);
    if (tall) x = x.t();
    x.div_(x.norm().clamp_min(eps_));
    for (int i = 0; i < iterations_; ++i) {
      const at::Tensor gram = at::mm(x, x.t());
      const at::Tensor polynomial = at::addmm(gram, gram, gram, coefficients_[1], coefficients_[2]);
      x = at::addmm(x, polynomial, x, coefficients_[0]);
    }
    return tall ? x.t() : x;
  }

  // Evens out the size of updates over shapes.
  double factorFor(const at::Tensor& param_MN) const {
    const auto rows = static_cast<double>(param_MN.size(0)), columns = static_cast<double>(param_MN.size(1));
    if (adjust_ == "match_rms_adamw") return 0.2 * std::sqrt(std::max(rows, columns));
    return adjust_ == "original" ? std::sqrt(std::max(1.0, rows / columns)) : std::sqrt(rows / columns);
  }

  double eps_;
  bool nesterov_;
  int iterations_;
  std::vector<double> coefficients_;
  std::string adjust_;
  double beta1_;  // of AdamW; the schedule moves the momentum
  SlotState momentum_buffer_;
  std::unique_ptr<Optimizer> adamw_;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeMuon(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Muon>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
