#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

ParamSpec learningRate(double fallback) {
  return above(real("lr", "Learning rate", "How far each update moves the weights.", fallback, 0, 1e6));
}

ParamSpec decayOn(const char* fallback) {
  return advanced(choice("weight_decay_on", "Weight decay on", "Biases and the scales and shifts of norms are usually left alone.", fallback,
                         {{"weights", "Weights only", "Parameters of two dimensions and more."}, {"all", "All parameters", "As torch.optim does it."}}));
}

ParamSpec weightDecay(double fallback) { return real("weight_decay", "Weight decay", "Pulls weights towards zero; guards against memorising.", fallback, 0, 1e3); }

ParamSpec momentum(double fallback) { return real("momentum", "Momentum", "How much of the previous updates is kept.", fallback, 0, 0.999999); }

ParamSpec betas(double second, std::string help = "Averaging of the gradient and of its square.") {
  return advanced(list("betas", "Betas", std::move(help), {0.9, second}, real("", "", "", nullptr, 0, 0.999999), 2, 2));
}

ParamSpec epsilon(double fallback) { return advanced(above(real("eps", "Epsilon", "Added to the denominator, for numerical stability.", fallback, 0, 1))); }

ParamSpec decoupled() {
  return advanced(boolean("decoupled_weight_decay", "Decoupled weight decay", "Pulls the weights themselves, as AdamW does, not through the gradient.", false));
}

std::vector<ParamSpec> adamParams(double weight_decay, const char* decay_on) {
  return {learningRate(0.001), weightDecay(weight_decay), decayOn(decay_on), betas(0.999), epsilon(1e-8),
          advanced(boolean("amsgrad", "AMSGrad", "Keeps the largest average of squared gradients.", false))};
}

Descriptor rmsprop() {
  return {"rmsprop",
          "RMSprop",
          "Divides each step by the recent size of the gradient; usual for recurrent networks and small mobile ones.",
          {learningRate(0.01), momentum(0), weightDecay(0), decayOn("all"), advanced(real("alpha", "Alpha", "Averaging of the squared gradient.", 0.99, 0, 0.999999)), epsilon(1e-8),
           advanced(boolean("centered", "Centred", "Divides by the spread around the average gradient.", false))},
          4};
}

Descriptor adagrad() {
  return {"adagrad",
          "Adagrad",
          "Steps shrink with all gradients so far; for rare features.",
          {learningRate(0.01), weightDecay(0), decayOn("all"), advanced(real("lr_decay", "Rate decay", "The rate is divided by 1 plus this times the updates done.", 0.0, 0, 1e3)),
           advanced(real("initial_accumulator_value", "Initial sum", "Where the sum of squared gradients starts.", 0.0, 0, 1e6)), epsilon(1e-10)},
          4};
}

// State: rows and columns of the last two dimensions. Next to nothing for large matrices; this is the most, for vectors and small kernels.
Descriptor adafactor() {
  return {"adafactor",
          "Adafactor",
          "Steps in proportion to the weights, with hardly any memory beside large matrices.",
          {learningRate(0.01), weightDecay(0), decayOn("all"), advanced(real("beta2_decay", "Averaging", "The share of step t in the average is t to this power.", -0.8, -10, 0)),
           advanced(list("eps", "Epsilons", "The smallest root of the squared gradient, and of the weights' size.", {0x1p-23, 1e-3}, real("", "", "", nullptr, 0, 1), 2, 2)),
           advanced(real("d", "Clipping", "Updates larger than this, on average, are scaled down.", 1.0, 1, 1e6))},
          4};
}

Descriptor lion() {
  return {"lion",
          "Lion",
          "Steps of one size, in the direction of the sign; half of Adam's memory. Wants a third to a tenth of its learning rate.",
          {learningRate(1e-4), weightDecay(0), decayOn("all"), betas(0.99, "Averaging for the step, and of what is remembered.")},
          4};
}

// State: momentum of the matrices; the others have AdamW's two averages.
Descriptor muon() {
  return {"muon",
          "Muon",
          "Orthogonalised momentum for weight matrices, AdamW for the rest; quick for transformers.",
          {learningRate(0.001), momentum(0.95), weightDecay(0.1), decayOn("all"), advanced(boolean("nesterov", "Nesterov", "Looks ahead along the momentum.", true)),
           advanced(choice("adjust_lr_fn", "Evens out", "How the rate goes by a matrix's shape.", "match_rms_adamw",
                           {{"match_rms_adamw", "As large as AdamW's steps", "The same learning rate suits both parts."},
                            {"original", "Tall matrices more", "As first published."},
                            {"spectral_unclamped", "By height over width", ""}})),
           advanced(integer("ns_steps", "Iterations", "Of the orthogonalisation.", 5, 1, 99)),
           advanced(list("ns_coefficients", "Coefficients", "Of the orthogonalisation's polynomial.", {3.4445, -4.775, 2.0315}, real("", "", "", nullptr, -100, 100), 3, 3)),
           epsilon(1e-7), betas(0.999, "AdamW's averaging of the gradient and of its square.")},
          4};
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
       {learningRate(0.01), momentum(0.9), weightDecay(0), decayOn("all"),
        advanced(real("dampening", "Dampening", "Reduces the share of the new gradient in the momentum.", 0, 0, 1)),
        advanced(boolean("nesterov", "Nesterov", "Looks ahead along the momentum.", false))},
       4, checkSgd},
      {"adam", "Adam", "Adapts the step to each weight; works with little tuning.", adamParams(0, "all"), 8},
      {"adamw", "AdamW", "Adam with decoupled weight decay; a sound default.", adamParams(0.01, "weights"), 8},
      {"nadam", "NAdam", "Adam that looks ahead along the momentum.",
       {learningRate(0.002), weightDecay(0), decayOn("all"), betas(0.999), epsilon(1e-8),
        advanced(real("momentum_decay", "Momentum decay", "How fast the momentum rises to its full value; larger is faster.", 0.004, 0, 1)), decoupled()},
       8},
      {"radam", "RAdam", "Adam with a warm-up of its own, until its averages can be trusted.", {learningRate(0.001), weightDecay(0), decayOn("all"), betas(0.999), epsilon(1e-8), decoupled()}, 8},
      rmsprop(),
      adagrad(),
      adafactor(),
      lion(),
      muon(),
  };
  return kTable;
}

}  // namespace trainyard::catalogue
