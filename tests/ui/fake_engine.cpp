#include "fake_engine.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/runs/control.h"
#include "core/runs/event_log.h"
#include "core/runs/run_directory.h"

namespace trainyard::test {
namespace {

using runs::Event;
using runs::State;

int number(const char* name, int fallback) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : fallback;
}

std::string word(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

Event make(const char* type, int64_t step, Json fields = Json::object()) {
  Event event;
  event.type = type;
  event.step = step;
  event.fields = std::move(fields);
  return event;
}

Event stepEvent(int64_t step, double loss, double lr) {
  return make("step", step,
              {{"loss", jsonNumber(loss)},
               {"lr", lr},
               {"grad_norm", 1.5},
               {"step_ms", 5.0},
               {"data_wait_ms", 0.25},
               {"compute_ms", 4.0},
               {"samples_per_s", 1000.0 + static_cast<double>(step % 7)}});
}

Event evalEvent(int64_t step, int64_t epoch) {
  const double share = 1 - 0.5 / static_cast<double>(epoch + 1);
  Event event =
      make("eval", step, {{"split", "validation"}, {"loss", 1.0 / static_cast<double>(epoch + 1)}, {"metrics", {{"accuracy", share}}}, {"samples", 400}});
  event.epoch = epoch;
  return event;
}

Event deviceEvent(int64_t step) {
  return make("device", step,
              {{"device", "cpu"}, {"memory_used_bytes", 100.0 * 1024 * 1024}, {"memory_total_bytes", 8.0 * 1024 * 1024 * 1024}, {"utilization", 0.8}});
}

double lossAt(int64_t step) { return 2 / (1 + static_cast<double>(step) / 50); }

// The engine's side of a run.
class Engine {
 public:
  Engine(runs::Layout run, bool resuming) : run_(std::move(run)), resuming_(resuming) {}

  void change(const std::string& lr_factor, const std::string& epochs) {
    if (!lr_factor.empty()) lr_ *= std::stod(lr_factor);
    if (epochs.empty()) return;
    steps_ = steps_ / epochs_ * std::stoi(epochs);
    epochs_ = std::stoi(epochs);
  }

  int play() {
    auto lock = runs::RunLock::take(run_.dir);
    if (!lock) return 1;
    auto writer = runs::EventWriter::open(run_.events());
    auto socket = runs::socketPath(run_.dir);
    if (!writer || !socket) return 1;
    events_ = std::move(*writer);
    socket_ = socket->string();
    auto server = runs::ControlServer::listen(*socket, [this](const Json& request) { return answer(request); });
    if (!server) return 1;
    if (resuming_) step_ = lastCheckpoint();
    state(State::Running);
    const Json plan{{"steps_total", steps_}, {"epochs", epochs_}, {"samples", 1000}, {"devices", {"cpu"}}, {"parameters", 1234}};
    say(make(resuming_ ? "resumed" : "run_started", step_, plan));
    return train();
  }

 private:
  int train() {
    double next_device = 0;
    while (step_ < steps_ && !stop_) {
      if (steadySeconds() >= next_device) {
        say(deviceEvent(step_));
        next_device = steadySeconds() + 0.1;
      }
      if (!paused_) oneStep();
      if (broken_) return fail();
      std::this_thread::sleep_for(std::chrono::milliseconds(number("FAKE_STEP_MS", 5)));
    }
    checkpoint();
    say(make(stop_ ? "stopped" : "finished", step_, {{"steps", step_.load()}, {"seconds", steadySeconds() - begun_}}));
    state(stop_ ? State::Stopped : State::Finished);
    return 0;
  }

  void oneStep() {
    const std::scoped_lock guard(mutex_);
    ++step_;
    const bool breaks = word("FAKE_TROUBLE") == "nan" && step_ == steps_ / 2;
    say(stepEvent(step_, breaks ? std::nan("") : lossAt(step_), lr_));
    if (breaks) broken_ = true;
    const int64_t per_epoch = steps_ / epochs_;
    if (step_ % per_epoch != 0 || breaks) return;
    say(evalEvent(step_, step_ / per_epoch - 1));
    checkpoint();
  }

  void checkpoint() {
    say(make("checkpoint", step_,
             {{"path", "checkpoints/step-" + std::to_string(step_)}, {"bytes", 1000}, {"seconds", 0.1}, {"stall_ms", 2.0}, {"best", true}}));
  }

  int fail() {
    say(make("failed", step_, {{"code", "failed"}, {"what", "The loss is no longer finite."}, {"where", "train"}, {"hint", "Lower the learning rate."}}));
    state(State::Failed);
    return 1;
  }

  Json answer(const Json& request) {
    const std::scoped_lock guard(mutex_);
    const std::string command = request.value("command", "");
    if (command == "pause") {
      paused_ = true;
      say(make("paused", step_));
      state(State::Paused);
    } else if (command == "release") {
      paused_ = released_ = true;
      checkpoint();
      say(make("released", step_));
      state(State::Paused);
    } else if (command == "resume") {
      paused_ = released_ = false;
      say(make("continued", step_));
      state(State::Running);
    } else if (command == "stop") {
      stop_ = true;
    } else if (command == "checkpoint") {
      checkpoint();
    } else if (command == "set") {
      const double to = numberFrom(request.at("values").at("lr"));
      if (to > 10)
        return {{"ok", false}, {"error", {{"code", "usage"}, {"what", "The learning rate 11 is too high."}, {"where", "lr"}, {"hint", "At most 10."}}}};
      say(make("set", step_, {{"key", "lr"}, {"from", lr_}, {"to", to}}));
      lr_ = to;
    }
    return {{"ok", true}};
  }

  int64_t lastCheckpoint() const {
    int64_t step = 0;
    if (const auto history = runs::readHistory(run_.events())) {
      for (const auto& event : *history) {
        if (event.type == "checkpoint") step = event.step.value_or(step);
      }
    }
    return step;
  }

  void say(const Event& event) { (void)events_->append(event); }

  void state(State state) {
    runs::RunState now;
    now.state = state;
    now.pid = ::getpid();
    now.socket = socket_;
    now.released = released_;
    now.changed = unixTime();
    (void)runs::writeState(run_, now);
  }

  runs::Layout run_;
  bool resuming_;
  std::unique_ptr<runs::EventWriter> events_;
  std::string socket_;
  std::mutex mutex_;
  std::atomic<bool> paused_ = false, released_ = false, stop_ = false, broken_ = false;
  std::atomic<int64_t> step_ = 0;
  int64_t steps_ = number("FAKE_STEPS", 400), epochs_ = 4;
  double lr_ = 0.1;
  const double begun_ = steadySeconds();
};

}  // namespace

bool isEngineCall(int argc, char** argv) {
  static const std::set<std::string> kVerbs = {"train", "resume", "lr-find", "model", "plan", "predict", "weights"};
  return argc > 1 && kVerbs.contains(argv[1]);
}

namespace {

std::string option(int argc, char** argv, const std::string& name) {
  for (int i = 2; i + 1 < argc; ++i) {
    if (argv[i] == name) return argv[i + 1];
  }
  return {};
}

// What the verbs that answer with a document print; empty: it is none of them.
std::string answerTo(int argc, char** argv) {
  const std::string verb = argv[1], second = argc > 2 ? argv[2] : "";
  if (verb == "train" || verb == "resume") return {};
  if (!word("FAKE_ANSWER").empty()) return readFile(word("FAKE_ANSWER")).value_or("");
  if (verb == "lr-find") {
    std::fputs("50 %\n", stderr);
    return R"({"lr": [1e-5, 1e-4, 1e-3, 1e-2, 0.1], "loss": [2.3, 2.2, 1.5, 1.0, 9], "smoothed": [2.3, 2.2, 1.6, 1.1, 8], "suggestion": 0.003117})";
  }
  if (verb == "model") {
    return R"({"arch": "mlp", "parameters": 9610, "trainable": 9610, "bytes": 38440, "multiply_adds": 9472, "layers": [)"
           R"({"name": "1", "kind": "linear", "output": [128], "parameters": 8320, "multiply_adds": 8192, "activation_bytes": 512, "frozen": false},)"
           R"({"name": "3", "kind": "linear", "output": [10], "parameters": 1290, "multiply_adds": 1280, "activation_bytes": 40, "frozen": true}]})";
  }
  if (verb == "plan") {
    return R"({"strategies": [{"id": "single", "devices": 1, "memory_bytes": 3221225472, "speed_up": 1, "possible": true, "why": ""},)"
           R"({"id": "data", "devices": 2, "memory_bytes": 2147483648, "speed_up": 1.87, "possible": true, "why": ""},)"
           R"({"id": "pipeline", "devices": 2, "memory_bytes": 1610612736, "speed_up": 1.55, "possible": true, "why": ""},)"
           R"({"id": "sharded", "devices": 2, "memory_bytes": 0, "speed_up": 0, "possible": false, "why": "rmsprop cannot be divided"}],)"
           R"("blocks": [{"name": "stem", "cost_share": 0.1, "parameters": 9408}, {"name": "layer1", "cost_share": 0.3, "parameters": 147968},)"
           R"({"name": "layer2", "cost_share": 0.4, "parameters": 525568}, {"name": "head", "cost_share": 0.2, "parameters": 5130}],)"
           R"("stages": [{"first": "stem", "last": "layer1", "blocks": ["stem", "layer1"], "cost_share": 0.4, "parameters": 157376, "memory_bytes": 1073741824},)"
           R"({"first": "layer2", "last": "head", "blocks": ["layer2", "head"], "cost_share": 0.6, "parameters": 530698, "memory_bytes": 1610612736}],)"
           R"("idle_share": 0.111, "devices": ["cpu", "cpu"], "micro_batches": 8, "passes": 8, "rank_batch": 4, "notes": [{"code": "dropout", "text": "?"}, {"code": "new", "text": "Something else."}]})";
  }
  if (verb == "predict") {
    Json answers = Json::array();
    for (int i = 3; i < argc; ++i) {
      if (std::string(argv[i]) == "--json") continue;
      answers.push_back({{"file", argv[i]}, {"top", {{{"class", "rose"}, {"index", 0}, {"probability", 0.9}}, {{"class", "tulip"}, {"index", 1}, {"probability", 0.1}}}}});
    }
    return answers.dump();
  }
  const bool cached = std::getenv("XDG_DATA_HOME") != nullptr && fs::exists(fs::path(std::getenv("XDG_DATA_HOME")) / "fetched");
  if (second == "get" && argc > 4) {
    (void)makeFolder(std::getenv("XDG_DATA_HOME"));
    (void)replaceFile(fs::path(std::getenv("XDG_DATA_HOME")) / "fetched", argv[3]);
    return R"({"name": "resnet18", "cached": true})";
  }
  return Json::array({{{"name", "resnet18"}, {"arch", "resnet18"}, {"licence", "BSD-3-Clause"}, {"bytes", 46827520}, {"address", "https://…"}, {"cached", cached}}}).dump();
}

}  // namespace

int playEngine(int argc, char** argv) {
  if (word("FAKE_TROUBLE") == "crash") {
    std::fputs("cannot open libsomething.so\n", stderr);
    return 1;
  }
  if (word("FAKE_TROUBLE") == "start") {
    std::puts(R"({"error": {"code": "data", "what": "The folder is empty.", "where": "data.path", "hint": "Choose another one."}})");
    return 3;
  }
  if (const std::string answer = answerTo(argc, argv); !answer.empty()) {
    std::puts(answer.c_str());
    return 0;
  }
  const bool resuming = std::string(argv[1]) == "resume";
  if (argc < 3 || (!resuming && argc < 5)) return 2;
  if (resuming) {
    Engine engine(runs::Layout{argv[2]}, true);
    engine.change(option(argc, argv, "--lr-factor"), option(argc, argv, "--epochs"));
    return engine.play();
  }
  const auto recipe = readFile(argv[2]);
  const auto run = runs::createRun(argv[4]);
  if (!recipe || !run || !replaceFile(run->recipe(), *recipe)) return 1;
  return Engine(*run, false).play();
}

void useFolder(const QString& folder) {
  qputenv("TRAINYARD_ENGINE", QCoreApplication::applicationFilePath().toUtf8());
  qputenv("TRAINYARD_RUNS", (folder + QStringLiteral("/runs")).toUtf8());
  qputenv("XDG_DATA_HOME", (folder + QStringLiteral("/data")).toUtf8());
  qputenv("XDG_CONFIG_HOME", (folder + QStringLiteral("/config")).toUtf8());
  QDir().mkpath(folder + QStringLiteral("/runs"));
  for (const char* name : {"FAKE_STEPS", "FAKE_STEP_MS", "FAKE_TROUBLE", "FAKE_ANSWER"}) qunsetenv(name);
}

QString recipeToml(const QString& name) {
  return QStringLiteral(
             "[run]\nname = \"%1\"\nseed = 1\n[data]\nformat = \"idx\"\npath = \"/data/digits\"\n[model]\narch = \"mlp\"\n[train]\nepochs = 4\nbatch_size = "
             "32\n"
             "[optimizer]\ntype = \"sgd\"\nlr = 0.1\n[schedule]\ntype = \"step\"\nstep_size = 2\ngamma = 0.1\n[precision]\ntype = \"fp32\"\n")
      .arg(name);
}

void writeFinishedRun(const QString& dir, const QString& name, int steps) {
  const auto run = runs::createRun(QFile::encodeName(dir).toStdString());
  if (!run) qFatal("cannot create %s", qPrintable(dir));
  (void)replaceFile(run->recipe(), recipeToml(name).toStdString());
  auto writer = runs::EventWriter::open(run->events());
  if (!writer) qFatal("cannot write events");
  const Json plan{{"steps_total", steps}, {"epochs", 4}, {"samples", 1000}, {"devices", {"cpu"}}, {"parameters", 1234}};
  (void)(*writer)->append(make("run_started", 0, plan));
  for (int64_t step = 1; step <= steps; ++step) {
    (void)(*writer)->append(stepEvent(step, lossAt(step), 0.1));
    if (step % std::max(1, steps / 4) == 0) (void)(*writer)->append(evalEvent(step, step / std::max(1, steps / 4) - 1));
  }
  (void)(*writer)->append(make("finished", steps, {{"steps", steps}, {"seconds", 12.0}}));
  runs::RunState state;
  state.state = State::Finished;
  state.changed = unixTime();
  (void)runs::writeState(*run, state);
}

}  // namespace trainyard::test
