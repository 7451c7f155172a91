// The trainer's side of the control channel: what is asked between two steps.
#include "core/base/units.h"
#include "core/train/trainer.h"

namespace trainyard::train {

namespace {

constexpr auto kPoll = std::chrono::milliseconds(100);

Error unknownCommand(const std::string& command) {
  return {ErrorCode::Usage, "there is no command \"" + command + "\"", "command", "known: pause, release, resume, stop, checkpoint, evaluate, set"};
}

}  // namespace

std::optional<Trainer::Outcome> Trainer::obey() {
  if (stopRequested()) return Outcome::Stopped;
  // A pause shows at once, however quickly the next command follows.
  while (!paused_) {
    const auto pending = commands_.take();
    if (!pending) return std::nullopt;
    if (const auto outcome = obeyOne(*pending)) return outcome;
  }
  return waitPaused();
}

std::optional<Trainer::Outcome> Trainer::waitPaused() {
  const double begin = steadySeconds();
  setState(runs::State::Paused);
  sink_.emit("paused", Json::object(), state_.step, epoch());
  while (paused_) {
    if (stopRequested()) return Outcome::Stopped;
    const auto pending = commands_.take(kPoll);
    if (!pending) continue;
    if (const auto outcome = obeyOne(*pending)) return outcome;
  }
  const double paused_s = steadySeconds() - begin;
  window_.started += paused_s;
  session_started_ += paused_s;
  sink_.emit("continued", Json::object(), state_.step, epoch());
  setState(runs::State::Running);
  return std::nullopt;
}

// The device has been given back; everything is in the newest checkpoint.
Result<Trainer::Outcome> Trainer::waitReleased(std::shared_ptr<const Loaded>& checkpoint) {
  if (last_saved_step_ != state_.step) TRAINYARD_CHECK(save(std::nullopt));
  TRAINYARD_CHECK(writer_.drain());
  seconds_before_ = state_.seconds;
  team_.tell({.what = Instruction::Do::Release});
  session_ = {};
  setState(runs::State::Paused, true);
  sink_.emit("released", Json::object(), state_.step, epoch());
  paused_ = true;
  while (paused_) {
    if (stopRequested()) return Outcome::Stopped;
    const auto pending = commands_.take(kPoll);
    if (!pending) continue;
    const std::string command = pending->request.value("command", "");
    if (command == "resume" || command == "stop") {
      commands_.answer(*pending, okAnswer());
      if (command == "stop") return Outcome::Stopped;
      paused_ = false;
    } else if (command == "pause" || command == "release" || command == "checkpoint") {
      commands_.answer(*pending, okAnswer({{"path", report_.checkpoint}}));
    } else {
      commands_.answer(*pending, errorAnswer({ErrorCode::Usage, "the device was given back", command, "send resume first"}));
    }
  }
  TRAINYARD_TRY(auto newest, loadNewest(run_));
  if (!newest) return fail(ErrorCode::Data, "the checkpoint to continue from is gone", displayPath(run_.checkpoints()));
  checkpoint = std::make_shared<const Loaded>(std::move(*newest));
  state_ = checkpoint->trainer;
  sink_.emit("continued", Json::object(), state_.step, epoch());
  return Outcome::Released;
}

std::optional<Trainer::Outcome> Trainer::obeyOne(const Commands::Pending& pending) {
  const std::string command = pending.request.value("command", "");
  if (command == "pause" || command == "resume") {
    paused_ = command == "pause";
    commands_.answer(pending, okAnswer({{"step", state_.step}}));
  } else if (command == "stop" || command == "release") {
    commands_.answer(pending, okAnswer({{"step", state_.step}}));
    return command == "stop" ? Outcome::Stopped : Outcome::Released;
  } else if (command == "checkpoint") {
    const auto saved = save(std::nullopt);
    commands_.answer(pending, saved ? okAnswer({{"step", state_.step}}) : errorAnswer(saved.error()));
  } else if (command == "evaluate") {
    const auto evaluated = evaluateNow();
    commands_.answer(pending, evaluated ? okAnswer(*evaluated) : errorAnswer(evaluated.error()));
  } else if (command == "set") {
    commands_.answer(pending, setLive(pending.request.value("values", Json::object())));
  } else {
    commands_.answer(pending, errorAnswer(unknownCommand(command)));
  }
  return std::nullopt;
}

Json Trainer::setLive(const Json& values) {
  for (const auto& [key, value] : values.items()) {
    if (key != "lr") return errorAnswer({ErrorCode::Usage, "\"" + key + "\" cannot be changed while training", key, "known: lr"});
    const double wanted = numberFrom(value);
    if (!(wanted > 0) || !(wanted <= 1e6)) return errorAnswer({ErrorCode::Usage, compactJson(value) + " is not a learning rate", "lr", "give a number greater than 0"});
    const double planned = schedule_->at(updates(), state_.schedule).lr;
    if (planned <= 0) return errorAnswer({ErrorCode::Usage, "the schedule has the learning rate at 0 now", "lr", "try again when it is above 0"});
    const double before = planned * state_.lr_factor;
    state_.lr_factor = wanted / planned;
    sink_.emit("set", {{"key", "lr"}, {"from", before}, {"to", wanted}}, state_.step, epoch());
  }
  return okAnswer({{"lr", schedule_->at(updates(), state_.schedule).lr * state_.lr_factor}});
}

// What changes with the learning rate is in a checkpoint at once: whoever takes the run up again without asking for it gets it all the same.
Result<void> Trainer::apply(const Changes& changes) {
  for (const auto& [key, from, to] : changes.keys) sink_.emit("set", {{"key", key}, {"from", from}, {"to", to}}, state_.step, epoch());
  if (!changes.keys.empty()) state_.waited = 0;  // whoever changes something means it to go on
  if (changes.lr_factor == 1) return {};
  const double before = hyperNow().lr;
  state_.lr_factor *= changes.lr_factor;
  sink_.emit("set", {{"key", "lr"}, {"from", before}, {"to", hyperNow().lr}}, state_.step, epoch());
  if (state_.step == 0) return {};
  TRAINYARD_CHECK(save(std::nullopt));
  (void)writer_.drain();  // a full disk has been reported, and is no reason not to train
  return {};
}

}  // namespace trainyard::train
