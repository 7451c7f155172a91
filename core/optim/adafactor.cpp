#include <ATen/ATen.h>

#include <cmath>

#include "core/optim/slots.h"

namespace trainyard::optim {

namespace {

// Of tensors with two and more dimensions only the averages along the last two are kept: little state for large matrices.
class Adafactor : public GroupedOptimizer {
 public:
  Adafactor(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups)
      : GroupedOptimizer(std::move(groups)),
        beta2_decay_(choice.number("beta2_decay")),
        eps1_(choice.params.at("eps").at(0).get<double>()),
        eps2_(choice.params.at("eps").at(1).get<double>()),
        clip_(choice.number("d")) {
    for (const ParamSlot& slot : slots) {
      State state;
      state.name = slot.name;
      std::vector<int64_t> rows = slot.param.sizes().vec(), columns = rows;
      const at::TensorOptions options = slot.param.options().requires_grad(false);
      if (rows.size() > 1) {
        rows.back() = 1;
        columns[columns.size() - 2] = 1;
        state.row_var = at::zeros(rows, options);
        state.col_var = at::zeros(columns, options);
      } else {
        state.variance = at::zeros(rows, options);
      }
      states_.push_back(std::move(state));
    }
  }

  void collect(std::vector<models::NamedTensor>& tensors, Json& scalars) const override {
    for (const State& state : states_) {
      if (state.variance.defined()) {
        tensors.push_back({"variance." + state.name, state.variance});
      } else {
        tensors.push_back({"row_var." + state.name, state.row_var});
        tensors.push_back({"col_var." + state.name, state.col_var});
      }
    }
    scalars["step"] = steps_;
  }

  void restoreScalars(const Json& scalars) override { steps_ = scalars.value("step", uint64_t{0}); }

 private:
  void begin(const schedule::Hyper&) override { ++steps_; }

  void move(const Lists& lists, double weight_decay, const schedule::Hyper& hyper) override {
    for (size_t i = 0; i < lists.slots.size(); ++i) moveOne(lists.params[i], lists.grads[i], states_[lists.slots[i]], weight_decay, hyper.lr);
  }

  struct State {
    std::string name;
    at::Tensor row_var, col_var, variance;
  };

  // The norms stay on the device: nothing is read back.
  void moveOne(const at::Tensor& param, const at::Tensor& grad, State& state, double weight_decay, double lr) const {
    const double t = static_cast<double>(steps_), root_of_count = std::sqrt(static_cast<double>(param.numel()));
    const at::Tensor scale = (param.norm(2) / root_of_count).clamp_min_(eps2_).mul_(std::min(lr, 1 / std::sqrt(t)));
    if (weight_decay != 0) param.mul_(1 - lr * weight_decay);
    const at::Tensor update = squares(grad, state, std::pow(t, beta2_decay_), eps1_).clamp_min_(eps1_ * eps1_).rsqrt_().mul_(grad);
    const at::Tensor excess = (update.norm(2) / (root_of_count * clip_)).clamp_min_(1);
    param.sub_(update.mul_(scale.div(excess)));
  }

  // The estimate of the squared gradient, after `share` of this one was taken in.
  static at::Tensor squares(const at::Tensor& grad, State& state, double share, double eps1) {
    if (grad.dim() < 2) return state.variance.lerp_(grad * grad, share).clone();
    const auto mean = [&grad](int64_t dim) { return at::linalg_vector_norm(grad, 2, dim, /*keepdim=*/true).square_().div_(grad.size(dim)); };
    state.row_var.lerp_(mean(-1), share);
    state.col_var.lerp_(mean(-2), share);
    return at::matmul(state.row_var, state.col_var).div_(state.row_var.mean(-2, /*keepdim=*/true).clamp_min_(eps1));
  }

  double beta2_decay_, eps1_, eps2_, clip_;
  std::vector<State> states_;
  uint64_t steps_ = 0;
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeAdafactor(const recipe::Choice& choice, std::span<const ParamSlot> slots, std::vector<Group> groups) {
  return std::make_unique<Adafactor>(choice, slots, std::move(groups));
}

}  // namespace trainyard::optim
