#include "core/train/step_options.h"

#include <ATen/ATen.h>

#include "core/optim/optimizer.h"

namespace trainyard::train {

namespace {

std::optional<at::ScalarType> autocastFor(const recipe::Choice& precision) {
  if (precision.id == "bf16") return at::kBFloat16;
  if (precision.id == "fp16") return at::kHalf;
  return {};
}

std::optional<optim::ScalerOptions> scalerFor(const recipe::Choice& precision) {
  if (precision.id != "fp16") return {};
  optim::ScalerOptions scaler;
  scaler.init_scale = precision.number("init_scale", scaler.init_scale);
  scaler.growth_factor = precision.number("growth_factor", scaler.growth_factor);
  scaler.backoff_factor = precision.number("backoff_factor", scaler.backoff_factor);
  scaler.growth_interval = precision.params.value("growth_interval", scaler.growth_interval);
  return scaler;
}

}  // namespace

Result<LossOptions> lossOptions(const recipe::Recipe& recipe, const Input& input) {
  LossOptions loss{recipe.loss, recipe.train.label_smoothing, {}};
  TRAINYARD_TRY(loss.choice.id, lossFor(input.task, recipe.loss));
  if (loss.label_smoothing > 0 && loss.choice.id != "cross_entropy") {
    return fail(ErrorCode::Recipe, "label smoothing belongs to cross-entropy; the loss here is \"" + loss.choice.id + "\"", "train.label_smoothing", "set it to 0");
  }
  const Json weight = recipe.loss.params.value("weight", Json("none"));
  if (weight == "none") return loss;
  if (input.task != data::Task::Classes) {
    return fail(ErrorCode::Recipe, "only samples of one class each can be weighed by class", "loss.weight", "leave it at \"none\"");
  }
  std::vector<double> weights;
  if (weight.is_array()) {
    weights = weight.get<std::vector<double>>();
  } else {
    weights = balancedWeights(data::classCounts(*input.dataset, input.parts.train));
    weights.resize(static_cast<size_t>(input.outputs), 1);
  }
  if (static_cast<int64_t>(weights.size()) != input.outputs) {
    return fail(ErrorCode::Recipe, std::to_string(weights.size()) + " weights are given for " + std::to_string(input.outputs) + " classes", "loss.weight",
                "give one for each class, in the order of their indices");
  }
  loss.class_weights = at::tensor(weights, at::TensorOptions(at::kDouble)).to(at::kFloat);
  return loss;
}

Result<void> checkStep(const recipe::Recipe& recipe, const Input& input, const models::Model& model) {
  TRAINYARD_CHECK(lossOptions(recipe, input));
  if (recipe.train.balanced_sampling && input.task != data::Task::Classes) {
    return fail(ErrorCode::Recipe, "only samples of one class each can be drawn with every class equally often", "train.sampling", "use \"shuffle\"");
  }
  TRAINYARD_CHECK(optim::groupsOf(recipe.optimizer, recipe.parameters, recipe.model.freeze, model.parameters()));
  return {};
}

StepOptions stepOptions(const recipe::Recipe& recipe, data::Task task) {
  StepOptions options;
  options.task = task;
  options.loss = {recipe.loss, recipe.train.label_smoothing, {}};
  options.clip_value = recipe.train.clip_value;
  options.clip_norm = recipe.train.clip_norm;
  options.autocast = autocastFor(recipe.precision);
  options.scaler = scalerFor(recipe.precision);
  options.keep = recipe.train.activation_checkpointing ? parallel::Keep::InputOnly : parallel::Keep::Graph;
  options.ema_decay = recipe.train.ema_decay;
  options.sync_batch_norm = recipe.parallel.strategy.flag("sync_batch_norm");
  options.compress_bf16 = recipe.parallel.strategy.params.value("compress", "none") == "bf16";
  options.rules = recipe.parameters;
  options.freeze = recipe.model.freeze;
  return options;
}

Result<StepOptions> stepOptions(const recipe::Recipe& recipe, const Input& input) {
  StepOptions options = stepOptions(recipe, input.task);
  TRAINYARD_TRY(options.loss, lossOptions(recipe, input));
  return options;
}

}  // namespace trainyard::train
