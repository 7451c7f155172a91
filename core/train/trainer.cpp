#include "core/train/trainer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"

namespace trainyard::train {

Trainer::Trainer(const Prepared& prepared, const Rank& rank, Team& team, const RunEnds& ends)
    : recipe_(prepared.recipe),
      run_(ends.run),
      input_(prepared.input),
      rank_(rank),
      team_(team),
      devices_(Json::array()),
      sink_(ends.sink),
      commands_(ends.commands),
      observer_(ends.observer),
      socket_(ends.socket),
      steps_per_epoch_(loader::stepsPerEpoch(input_.parts.train.size(), recipe_.train.batch_size)),
      steps_total_(steps_per_epoch_ * recipe_.train.epochs),
      writer_(run_, recipe_.checkpoint.keep, [this](const Result<Written>& written, uint64_t step) { checkpointDone(written, step); }) {
  for (const auto& device : prepared.devices) devices_.push_back(device.text());
}

Result<void> checkSchedule(const recipe::Recipe& recipe, const Input& input) {
  const uint64_t steps_per_epoch = loader::stepsPerEpoch(input.parts.train.size(), recipe.train.batch_size);
  TRAINYARD_TRY(const auto schedule, schedule::make(recipe, steps_per_epoch, steps_per_epoch * recipe.train.epochs));
  const std::string watched = schedule->watches();
  if (!watched.empty() && input.parts.validation.empty()) {
    return fail(ErrorCode::Recipe, "the schedule watches the evaluation, but nothing is held out for checking", "data.validation", "hold a share out, as 0.1, or choose another schedule");
  }
  if (recipe.train.early_stop > 0 && input.parts.validation.empty()) {
    return fail(ErrorCode::Recipe, "training cannot stop by the evaluation: nothing is held out for checking", "train.early_stop", "hold a share out with data.validation = 0.1, or leave it away");
  }
  if (watched == "accuracy" && input.task == data::Task::Numbers) {
    return fail(ErrorCode::Recipe, "numbers have no accuracy that the schedule could watch", "schedule.mode", "use \"min\": it watches the loss");
  }
  return {};
}

Result<RunReport> Trainer::run(std::shared_ptr<const Loaded> checkpoint, FreshModel fresh, const Changes& changes) {
  TRAINYARD_TRY(schedule_, schedule::make(recipe_, steps_per_epoch_, steps_total_));
  if (checkpoint) {
    state_ = checkpoint->trainer;
    last_saved_step_ = state_.step;
    report_.checkpoint = displayPath(checkpoint->folder.lexically_relative(run_.dir));
  }
  seconds_before_ = state_.seconds;
  const Json plan{{"steps_total", steps_total_}, {"epochs", recipe_.train.epochs}, {"samples", input_.parts.train.size()}, {"devices", devices_}};
  Outcome outcome = Outcome::Released;
  bool first = true;
  const auto tell_broken = [this](const Error& error) { sink_.notice("caution", "broken_sample", toText(error)); };
  while (outcome == Outcome::Released) {
    if (!checkpoint && !fresh.model) {
      TRAINYARD_TRY(fresh, freshModel(recipe_, input_));
    }
    tellToStart(checkpoint, fresh);
    TRAINYARD_TRY(session_, checkpoint ? resumeSession(*checkpoint, recipe_, input_, rank_, tell_broken) : startSession(std::move(fresh), recipe_, input_, rank_, tell_broken));
    if (first) {
      Json fields = plan;
      fields["parameters"] = models::parameterCount(*session_.model);
      sink_.emit(checkpoint ? "resumed" : "run_started", fields, state_.step, epoch());
      tellOfHead();
      first = false;
      session_started_ = steadySeconds();
      TRAINYARD_CHECK(apply(changes));
    }
    checkpoint.reset();
    TRAINYARD_TRY(outcome, trainSession());
    if (outcome == Outcome::Released) {
      TRAINYARD_TRY(outcome, waitReleased(checkpoint));
    }
  }
  return conclude(outcome);
}

// The weights are drawn once and copied: the others get theirs before the first step changes them.
void Trainer::tellToStart(const std::shared_ptr<const Loaded>& checkpoint, const FreshModel& fresh) {
  if (rank_.alone()) return;
  Instruction start{.what = Instruction::Do::Start, .checkpoint = checkpoint};
  if (!checkpoint) {
    auto weights = std::make_shared<std::vector<models::NamedTensor>>();
    for (const auto& [name, tensor] : fresh.model->state()) weights->push_back({name, tensor.detach().clone()});
    start.weights = std::move(weights);
  }
  team_.tell(std::move(start));
}

void Trainer::tellOfHead() {
  const auto& names = session_.replaced_head;
  if (names.empty()) return;
  sink_.notice("note", "head_replaced", "the starting weights are for another number of classes: " + names.front() + (names.size() > 1 ? ", …" : "") + " starts afresh for " + std::to_string(input_.outputs),
               {{"parameters", names}, {"classes", input_.outputs}});
}

Result<Trainer::Outcome> Trainer::trainSession() {
  if (!partsAreSpread(recipe_, rank_)) prepareSnapshots(session_, writer_.memory());
  session_started_ = steadySeconds();
  window_ = {.started = session_started_};
  setState(runs::State::Running);
  while (epoch() < recipe_.train.epochs && !hasStalled()) {
    TRAINYARD_TRY(const Outcome outcome, trainEpoch());
    if (outcome != Outcome::Finished) return outcome;
  }
  return Outcome::Finished;
}

Result<Trainer::Outcome> Trainer::trainEpoch() {
  std::vector<loader::Batch> micros;
  double data_wait_s = 0;
  while (true) {
    const double begin = steadySeconds();
    TRAINYARD_TRY(auto batch, session_.loader->next());
    data_wait_s += steadySeconds() - begin;
    if (!batch) break;
    const bool whole = batch->last_of_step;
    micros.push_back(std::move(*batch));
    if (!whole) continue;
    TRAINYARD_CHECK(trainOneStep(micros, data_wait_s));
    micros.clear();
    data_wait_s = 0;
    if (const auto outcome = obey()) return *outcome;
  }
  return endEpoch();
}

Result<void> Trainer::trainOneStep(std::vector<loader::Batch>& micros, double data_wait_s) {
  models::RunContext context;
  context.training = true;
  context.seed = recipe_.run.seed;
  context.step = state_.step;
  if (steps_here_++ == profileFrom()) profile_.emplace(rank_.device.cuda);
  const bool log = (state_.step + 1) % recipe_.train.log_every == 0 || state_.step + 1 == steps_total_;
  const double begin = steadySeconds();
  const schedule::Hyper hyper = hyperNow();
  team_.tell({.what = Instruction::Do::Step, .step = state_.step, .lr = hyper.lr, .momentum = hyper.momentum, .on = log});
  TRAINYARD_TRY(const StepReport report, session_.step->run(micros, hyper, context, log));
  window_.compute_s += steadySeconds() - begin;
  window_.data_wait_s += data_wait_s;
  span_.add(session_.step->times());
  span_.data_wait_s += data_wait_s;
  window_.samples += report.samples;
  window_.skipped += report.skipped ? 1 : 0;
  ++window_.steps;
  ++state_.step;
  state_.skipped += report.skipped ? 1 : 0;
  state_.cursor = session_.loader->consumed();
  losses_.emplace_back(report.loss_sum, report.weight);
  if (profile_ && steps_here_ == profileFrom() + observer_.profile_steps) finishProfile();
  if (!log) return {};
  const uint64_t steps = window_.steps;
  TRAINYARD_CHECK(logSteps(report));
  return rank_.alone() ? Result<void>() : logRanks(steps);
}

// How each device spent its time, in milliseconds of a step.
Result<void> Trainer::logRanks(uint64_t steps) {
  Json ranks = Json::array();
  for (int rank = 0; rank < rank_.grid.ranks; ++rank) {
    RankSpan span = span_;
    if (rank > 0) {
      TRAINYARD_TRY(span, receiveSpan(rank, rank_));
    }
    const double each = 1000 / static_cast<double>(steps);
    ranks.push_back({{"rank", rank},
                     {"device", devices_[static_cast<size_t>(rank)]},
                     {"compute_ms", span.times.compute_s * each},
                     {"comm_ms", span.times.comm_s * each},
                     {"idle_ms", span.times.wait_s * each},
                     {"data_wait_ms", span.data_wait_s * each}});
  }
  span_ = {};
  sink_.emit("ranks", {{"ranks", ranks}}, state_.step, epoch());
  return {};
}

// Steps in a row whose loss is not finite: more than the patience allows ends the training. What it began with is named.
Result<void> Trainer::readLosses() {
  for (const auto& [loss, weight] : losses_) {
    state_.pending.emplace_back(loss.item<double>(), weight);
    state_.not_finite = std::isfinite(state_.pending.back().first) ? 0 : state_.not_finite + 1;
  }
  losses_.clear();
  return state_.not_finite < recipe_.train.nonfinite_patience ? Result<void>() : brokenLoss();
}

Result<void> Trainer::brokenLoss() const {
  const std::string since = std::to_string(state_.step - state_.not_finite + 1);
  const std::string good = last_saved_step_ == UINT64_MAX ? "there is no checkpoint yet: start again" : "continue from the last good checkpoint, step " + std::to_string(last_saved_step_) + ",";
  return fail(ErrorCode::Failed, "the loss is no longer finite at step " + since, "optimizer.lr", good + " with a lower learning rate, or limit sudden jumps with train.clip_norm");
}

Result<void> Trainer::logSteps(const StepReport& report) {
  TRAINYARD_CHECK(readLosses());
  double sum = 0, weights = 0;
  for (const auto& [loss, weight] : state_.pending) {
    sum += loss * weight;
    weights += weight;
  }
  state_.pending.clear();
  const double wall = steadySeconds() - window_.started, steps = static_cast<double>(window_.steps);
  report_.last["train_loss"] = sum / weights;
  Json fields{{"loss", jsonNumber(sum / weights)}, {"lr", last_lr_}};
  if (report.grad_norm.defined()) fields["grad_norm"] = jsonNumber(report.grad_norm.item<double>());
  if (recipe_.precision.id == "fp16") {
    fields["loss_scale"] = report.loss_scale;
    fields["skipped"] = window_.skipped;
  }
  fields["step_ms"] = wall * 1000 / steps;
  fields["data_wait_ms"] = window_.data_wait_s * 1000 / steps;
  fields["compute_ms"] = window_.compute_s * 1000 / steps;
  if (!rank_.alone()) fields["comm_ms"] = span_.times.comm_s * 1000 / steps;
  fields["samples_per_s"] = static_cast<double>(window_.samples) / wall;
  sink_.emit("step", std::move(fields), state_.step, epoch());
  window_ = {.started = steadySeconds()};
  return {};
}

// The first of the few updates under the profiler: when those are done that touch everything for the first time.
uint64_t Trainer::profileFrom() const {
  constexpr uint64_t kFirst = 10;
  if (observer_.profile_steps == 0) return UINT64_MAX;
  return std::min(kFirst, steps_total_ > observer_.profile_steps ? steps_total_ - observer_.profile_steps : 0);
}

void Trainer::finishProfile() {
  if (!profile_) return;
  const auto operators = profile_->finish(run_.dir / "profile");
  profile_.reset();
  if (!operators) return sink_.notice("caution", "profile_failed", toText(operators.error()));
  Json top = Json::array();
  for (size_t i = 0; i < std::min<size_t>(operators->size(), 20); ++i) top.push_back((*operators)[i]);
  sink_.notice("note", "profile", "profile/trace.json (for chrome://tracing) and profile/operators.json say where the time of " + std::to_string(steps_here_ - profileFrom()) + " updates went", {{"operators", top}});
}

schedule::Hyper Trainer::hyperNow() {
  schedule::Hyper hyper = schedule_->at(updates(), state_.schedule);
  hyper.lr *= state_.lr_factor;
  last_lr_ = hyper.lr;
  return hyper;
}

Result<void> Trainer::save(std::optional<Best> better) {
  TRAINYARD_CHECK(readLosses());
  state_.seconds = seconds_before_ + steadySeconds() - session_started_;
  const bool spread = partsAreSpread(recipe_, rank_);
  if (spread) team_.tell({.what = Instruction::Do::Gather});
  TRAINYARD_TRY(Snapshot snapshot, takeSnapshot(session_, state_, writer_.memory(), rank_, spread));
  snapshot.best = better.has_value();
  snapshot.about = {{"format", "pt"}, {"arch", recipe_.model.arch.id}, {"classes", compactJson(Json(input_.dataset->classes()))}};
  last_saved_step_ = state_.step;
  writer_.submit(std::move(snapshot));
  return {};
}

void Trainer::checkpointDone(const Result<Written>& written, uint64_t step) {
  if (!written) {
    const uint64_t left = freeBytes(run_.dir);
    sink_.notice("bad", "checkpoint_failed", "checkpoint of step " + std::to_string(step) + " not saved: " + toText(written.error()) + "; training continues", {{"step", step}, {"free_bytes", left}});
    return;
  }
  sink_.emit("checkpoint", {{"path", displayPath(written->folder)}, {"bytes", written->bytes}, {"seconds", written->seconds}, {"stall_ms", written->stall_ms}, {"best", written->best}}, step);
  sink_.sync();
}

void Trainer::setState(runs::State state, bool released) {
  runs::RunState written;
  written.state = state;
  written.socket = state == runs::State::Running || state == runs::State::Paused ? socket_ : "";
  written.released = released;
  sink_.setState(written);
}

Result<RunReport> Trainer::conclude(Outcome outcome) {
  const bool finished = outcome == Outcome::Finished;
  finishProfile();
  if (finished) {
    TRAINYARD_CHECK(readLosses());
    if (state_.not_finite > 0) return tl::unexpected(brokenLoss().error());
  }
  if (session_.model) state_.seconds = seconds_before_ + steadySeconds() - session_started_;
  if (session_.model && last_saved_step_ != state_.step) TRAINYARD_CHECK(save(std::nullopt));
  const auto saved = writer_.drain();
  report_.run = displayPath(run_.dir.filename());
  report_.dir = run_.dir;
  report_.state = finished ? "finished" : "stopped";
  report_.steps = state_.step;
  report_.epochs = epoch();
  report_.seconds = state_.seconds;
  if (state_.best) report_.best = {{"metric", state_.best->metric}, {"value", jsonNumber(state_.best->value)}, {"step", state_.best->step}};
  const auto index = readFile(run_.checkpointIndex());
  const Json checkpoints = index ? Json::parse(*index, nullptr, false) : Json();
  if (checkpoints.is_object() && checkpoints["latest"].is_string()) report_.checkpoint = checkpoints["latest"].get<std::string>();
  if (!saved) return tl::unexpected(saved.error());
  sink_.emit(report_.state, {{"steps", report_.steps}, {"seconds", report_.seconds}, {"best", report_.best}}, state_.step, epoch());
  setState(finished ? runs::State::Finished : runs::State::Stopped);
  return report_;
}

}  // namespace trainyard::train
