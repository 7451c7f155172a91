// The trainer's side of evaluations: the end of an epoch, what is the best, when to stop.
#include <cmath>

#include "core/base/units.h"
#include "core/runs/metric_order.h"
#include "core/train/evaluation_share.h"
#include "core/train/metrics.h"
#include "core/train/trainer.h"

namespace trainyard::train {

namespace {

constexpr size_t kSamplesKept = 2000;  // of largest loss

}  // namespace

Result<Trainer::Outcome> Trainer::endEpoch() {
  const uint64_t ended = epoch();
  std::optional<Best> better;
  if (!input_.parts.validation.empty()) {
    auto evaluated = evaluateNow();
    if (!evaluated && evaluated.error().code == ErrorCode::Interrupted) return Outcome::Stopped;
    if (!evaluated) return tl::unexpected(evaluated.error());
    const double value = lastValue(metric());
    if (const std::string watched = schedule_->watches(); !watched.empty()) schedule_->evaluated(lastValue(watched), updates(), state_.schedule);
    if (isBetter(value)) better = Best{metric(), value, state_.step};
    watchProgress(value);
  }
  state_.cursor = {ended + 1, 0};
  if (better) state_.best = better;
  if (better || (ended + 1) % recipe_.checkpoint.every_epochs == 0) TRAINYARD_CHECK(save(better));
  if (better) keepSamples("best.json");
  window_.started = steadySeconds();
  return obey().value_or(Outcome::Finished);
}

// With averaged weights, both are evaluated; the average counts.
Result<Json> Trainer::evaluateNow() {
  const double begin = steadySeconds();
  TRAINYARD_TRY(Json fields, evaluatePart("validation"));
  if (recipe_.train.ema_decay > 0) {
    team_.tell({.what = Instruction::Do::Average, .on = true});
    session_.step->useAverage(true);
    auto averaged = evaluatePart("validation_ema");
    team_.tell({.what = Instruction::Do::Average, .on = false});
    session_.step->useAverage(false);
    if (!averaged) return averaged;
    fields = std::move(*averaged);
  }
  report_.last["loss"] = fields["loss"];
  report_.last["metrics"] = fields["metrics"];
  window_.started += steadySeconds() - begin;
  return fields;
}

Result<Json> Trainer::evaluatePart(const std::string& split) {
  const auto stopped = [this] { return stopRequested(); };
  const PredictionWishes wishes{kSamplesKept, {}};
  TRAINYARD_TRY(const Evaluation evaluation, rank_.alone() ? evaluate(*session_.model, input_, input_.parts.validation, recipe_, stopped, wishes) : evaluateTogether(stopped, wishes));
  Json fields{{"split", split}, {"loss", jsonNumber(evaluation.loss)}, {"metrics", evaluation.metrics}, {"samples", evaluation.samples}};
  sink_.emit("eval", fields, state_.step, epoch());
  samples_ = {{"step", state_.step},
              {"epoch", epoch()},
              {"split", split},
              {"task", data::taskName(input_.task)},
              {"classes", input_.dataset->classes()},
              {"confusion", evaluation.confusion},
              {"per_class", evaluation.per_class},
              {"samples", Json::array()}};
  for (const auto& prediction : evaluation.worst) samples_["samples"].push_back(toJson(prediction, input_));
  keepSamples("latest.json");
  return fields;
}

Result<Evaluation> Trainer::evaluateTogether(const std::function<bool()>& interrupted, const PredictionWishes& wishes) {
  if (input_.parts.validation.empty()) return Evaluation{};
  const at::NoGradGuard no_grad;
  team_.tell({.what = Instruction::Do::Evaluate});
  TRAINYARD_TRY(const auto share, EvaluationShare::begin(*session_.model, *session_.step, rank_, input_, recipe_));
  uint64_t round = 0;
  const auto next = [&]() -> Result<std::vector<Answered>> {
    if (round++ == share->rounds()) return std::vector<Answered>();
    team_.tell({.what = Instruction::Do::Answer});
    return share->answer();
  };
  return evaluateAnswers(input_, recipe_, next, interrupted, wishes);
}

// For people to look at: a failure is logged and training goes on.
void Trainer::keepSamples(const char* name) {
  if (const auto written = replaceFile(run_.dir / "samples" / name, compactJson(samples_) + "\n"); !written) sink_.log("samples not written: " + toText(written.error()));
}

// Where the data has no such value, the loss.
std::string Trainer::metric() const { return report_.last["metrics"].is_object() && !report_.last["metrics"].contains(recipe_.checkpoint.metric) ? "loss" : recipe_.checkpoint.metric; }

double Trainer::lastValue(const std::string& name) { return numberFrom(name == "loss" ? report_.last["loss"] : report_.last["metrics"][name]); }

bool Trainer::isBetter(double value) const {
  if (!std::isfinite(value)) return false;
  if (!state_.best || state_.best->metric != metric()) return true;
  return runs::higherIsBetter(metric()) ? value > state_.best->value : value < state_.best->value;
}

// Counts evaluations without an improvement of at least early_stop_min_delta.
void Trainer::watchProgress(double value) {
  if (recipe_.train.early_stop == 0) return;
  const double gain = state_.reached ? (runs::higherIsBetter(metric()) ? value - *state_.reached : *state_.reached - value) : INFINITY;
  if (std::isfinite(value) && gain > recipe_.train.early_stop_min_delta) {
    state_.reached = value;
    state_.waited = 0;
    return;
  }
  if (++state_.waited < recipe_.train.early_stop) return;
  sink_.notice("note", "early_stop", "no improvement of " + metric() + " in " + std::to_string(state_.waited) + " evaluations: training ends",
               {{"metric", metric()}, {"evaluations", state_.waited}, {"best", state_.best ? jsonNumber(state_.best->value) : Json()}, {"best_step", state_.best ? Json(state_.best->step) : Json()}});
}

bool Trainer::hasStalled() const { return recipe_.train.early_stop > 0 && state_.waited >= recipe_.train.early_stop; }

}  // namespace trainyard::train
