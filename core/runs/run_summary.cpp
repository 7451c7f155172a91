#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "core/base/files.h"
#include "core/recipe/recipe.h"
#include "core/runs/event.h"
#include "core/runs/run_directory.h"

namespace trainyard::runs {

namespace {

// The type of a line as our writer lays it out; empty for any other layout, which is then parsed.
std::string_view quickType(std::string_view line) {
  constexpr std::string_view kStart = "{\"type\":\"";
  if (!line.starts_with(kStart)) return {};
  line.remove_prefix(kStart.size());
  return line.substr(0, line.find('"'));
}

// What the events say about a run as a whole. Steps, devices, evaluations: only the last of them is parsed.
class Timeline {
 public:
  explicit Timeline(RunSummary& summary) : summary_(summary) {}

  void add(const std::string& line) {
    const std::string_view type = quickType(line);
    if (type == "step") {
      last_step_ = line;
    } else if (type != "device" && type != "eval" && type != "checkpoint" && type != "set" && type != "notice") {
      if (const auto event = fromLine(line)) addParsed(*event, line);
    }
    last_ = line;
  }

  void end() {
    if (open_since_ > 0) closeAt(timeOf(last_));
    readLastStep();
  }

 private:
  void addParsed(const Event& event, const std::string& line) {
    if (event.type == "step") last_step_ = line;
    if (event.type == "run_started" || event.type == "resumed") {
      closeAt(timeOf(last_));
      readLastStep();
      open_since_ = event.time;
      if (summary_.started == 0) summary_.started = event.time;
      summary_.steps_total = static_cast<int64_t>(event.number("steps_total", static_cast<double>(summary_.steps_total)));
      summary_.epochs = static_cast<int64_t>(event.number("epochs", static_cast<double>(summary_.epochs)));
      if (event.step) summary_.step = *event.step;
      if (event.epoch) summary_.epoch = *event.epoch;
    } else if (event.type == "continued") {
      if (open_since_ == 0) open_since_ = event.time;
    } else if (event.type == "paused" || event.type == "released" || event.type == "finished" || event.type == "stopped" || event.type == "failed") {
      closeAt(event.time);
    }
  }

  void closeAt(double time) {
    if (open_since_ > 0) summary_.seconds += std::max(0.0, time - open_since_);
    open_since_ = 0;
  }

  void readLastStep() {
    if (const auto event = fromLine(last_step_)) {
      if (event->step) summary_.step = *event->step;
      if (event->epoch) summary_.epoch = *event->epoch;
      summary_.last_loss = event->number("loss", summary_.last_loss);
    }
    last_step_.clear();
  }

  static double timeOf(const std::string& line) {
    const auto event = fromLine(line);
    return event ? event->time : 0;
  }

  RunSummary& summary_;
  std::string last_, last_step_;
  double open_since_ = 0;  // 0: paused, or over
};

void note(RunSummary& summary, const std::string& problem) {
  if (summary.problem.empty()) summary.problem = problem;
}

std::string textIn(const Json& document, const char* table, const char* key) {
  const auto section = document.find(table);
  if (section == document.end() || !section->is_object()) return {};
  const auto value = section->find(key);
  return value != section->end() && value->is_string() ? value->get<std::string>() : std::string();
}

void readRecipe(const Layout& run, RunSummary& summary) {
  const auto text = readFile(run.recipe());
  if (!text) return note(summary, "recipe.toml: " + text.error().what);
  const auto parsed = recipe::parseToml(*text, "recipe.toml");
  if (!parsed) return note(summary, toText(parsed.error()));
  if (const std::string name = textIn(parsed->document, "run", "name"); !name.empty()) summary.name = name;
  summary.arch = textIn(parsed->document, "model", "arch");
  summary.metric = textIn(parsed->document, "checkpoint", "metric");
}

void readEvents(const Layout& run, RunSummary& summary) {
  std::error_code error;
  if (!fs::exists(run.events(), error)) return;
  std::ifstream in(run.events(), std::ios::binary);
  if (!in) return note(summary, "events.jsonl: cannot be read");
  Timeline timeline(summary);
  std::string line;
  while (std::getline(in, line)) {
    if (in.eof()) break;  // torn: no newline yet
    timeline.add(line);
  }
  timeline.end();
}

void readBest(const Layout& run, RunSummary& summary) {
  std::error_code error;
  if (!fs::exists(run.checkpointIndex(), error)) return;
  const auto text = readFile(run.checkpointIndex());
  const Json index = text ? Json::parse(*text, nullptr, false) : Json(Json::value_t::discarded);
  if (!index.is_object()) return note(summary, "checkpoints.json: not readable");
  const auto best = index.find("best");
  if (best == index.end() || !best->is_object()) return;
  if (best->contains("value")) summary.best = numberFrom(best->at("value"));
  if (best->contains("metric") && best->at("metric").is_string()) summary.metric = best->at("metric").get<std::string>();
}

fs::path withoutTrailingSlash(const fs::path& dir) {
  const fs::path path = fs::absolute(dir).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// Changes whenever a file that summarize reads has changed.
struct Signature {
  std::array<int64_t, 12> numbers{};
  bool locked = false;
  bool operator==(const Signature&) const = default;
};

Signature signatureOf(const fs::path& dir) {
  const Layout run{dir};
  Signature signature;
  size_t at = 0;
  for (const fs::path& file : {run.recipe(), run.state(), run.events(), run.checkpointIndex()}) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) info = {};
    signature.numbers[at++] = static_cast<int64_t>(info.st_ino);
    signature.numbers[at++] = info.st_size;
    signature.numbers[at++] = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec;
  }
  signature.locked = isLocked(dir);
  return signature;
}

}  // namespace

RunSummary summarize(const fs::path& run_dir) {
  RunSummary summary;
  summary.dir = withoutTrailingSlash(run_dir);
  summary.id = displayPath(summary.dir.filename());
  summary.name = summary.id;
  const Layout run{summary.dir};
  if (auto seen = readState(run)) {
    summary.seen = *std::move(seen);
  } else {
    summary.seen.state.state = State::Failed;
    note(summary, toText(seen.error()));
  }
  readRecipe(run, summary);
  readEvents(run, summary);
  readBest(run, summary);
  if (summary.started == 0) summary.started = summary.seen.state.changed;
  return summary;
}

std::vector<RunSummary> listRuns(const fs::path& home) {
  std::vector<RunSummary> runs;
  for (const auto& id : runIds(home)) runs.push_back(summarize(home / id));
  return runs;
}

struct RunLister::Known {
  Signature signature;
  RunSummary summary;
};

RunLister::RunLister(fs::path home) : home_(std::move(home)) {}
RunLister::~RunLister() = default;

const std::vector<RunSummary>& RunLister::list() {
  std::vector<Known> fresh;
  runs_.clear();
  for (const auto& id : runIds(home_)) {
    const fs::path dir = withoutTrailingSlash(home_ / id);
    const Signature signature = signatureOf(dir);
    const auto same = std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.summary.dir == dir; });
    if (same != known_.end() && same->signature == signature) {
      fresh.push_back(std::move(*same));
      same->summary.dir.clear();
    } else {
      fresh.push_back({signature, summarize(dir)});
    }
    runs_.push_back(fresh.back().summary);
  }
  known_ = std::move(fresh);
  return runs_;
}

}  // namespace trainyard::runs
