#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

ParamSpec learningRate(double fallback) {
  return above(real("lr", "Learning rate", "How far each update moves the weights.", fallback, 0, 1e6));
}

ParamSpec weightDecay(double fallback) { return real("weight_decay", "Weight decay", "Pulls weights towards zero; guards against memorising.", fallback, 0, 1e3); }

std::vector<ParamSpec> adamParams(double weight_decay) {
  return {learningRate(0.001), weightDecay(weight_decay),
          advanced(list("betas", "Betas", "Averaging of the gradient and of its square.", {0.9, 0.999}, real("", "", "", nullptr, 0, 0.999999), 2, 2)),
          advanced(above(real("eps", "Epsilon", "Added to the denominator, for numerical stability.", 1e-8, 0, 1))),
          advanced(boolean("amsgrad", "AMSGrad", "Keeps the largest average of squared gradients.", false))};
}

std::optional<Conflict> checkSgd(const Json& table) {
  const double momentum = numberFrom(table.at("momentum"), 0), dampening = numberFrom(table.at("dampening"), 0);
  if (table.value("nesterov", false) && (momentum <= 0 || dampening != 0)) {
    return Conflict{"nesterov", "needs a momentum above 0 and no dampening", "set momentum = 0.9 and dampening = 0, or nesterov = false"};
  }
  return {};
}

}  // namespace

std::span<const Descriptor> optimizers() {
  static const std::vector<Descriptor> kTable = {
      {"sgd", "SGD", "Stochastic gradient descent with momentum; the classic for convolutional networks.",
       {learningRate(0.01), real("momentum", "Momentum", "How much of the previous updates is kept.", 0.9, 0, 0.999999), weightDecay(0),
        advanced(real("dampening", "Dampening", "Reduces the share of the new gradient in the momentum.", 0, 0, 1)),
        advanced(boolean("nesterov", "Nesterov", "Looks ahead along the momentum.", false))},
       4, checkSgd},
      {"adam", "Adam", "Adapts the step to each weight; works with little tuning.", adamParams(0), 8},
      {"adamw", "AdamW", "Adam with decoupled weight decay; a sound default.", adamParams(0.01), 8},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
