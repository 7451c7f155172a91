#include "core/runs/run_directory.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include "core/base/files.h"
#include "core/base/units.h"

namespace trainyard::runs {

namespace {

constexpr std::array<std::string_view, 7> kStateNames = {"queued", "starting", "running", "paused", "finished", "failed", "stopped"};
constexpr size_t kLongestName = 100;

bool isLive(State state) { return state == State::Starting || state == State::Running || state == State::Paused; }

bool keepsInFolderName(unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c >= 0x80; }

// UTF-8 continues with 10xxxxxx: do not cut there.
void cutAtCharacter(std::string& text, size_t limit) {
  if (text.size() <= limit) return;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  text.resize(limit);
}

std::string folderName(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (keepsInFolderName(static_cast<unsigned char>(c))) {
      text += c;
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  cutAtCharacter(text, kLongestName);
  const size_t begin = text.find_first_not_of("-.");
  if (begin == std::string::npos) return "run";
  return text.substr(begin, text.find_last_not_of("-.") + 1 - begin);
}

Result<RunState> parseState(const fs::path& file) {
  TRAINYARD_TRY(const std::string text, readFile(file));
  const Json json = Json::parse(text, nullptr, false);
  const auto damaged = [&](const std::string& what) {
    return fail(ErrorCode::Data, "the state of the run is unreadable: " + what, displayPath(file),
                "the checkpoints may be sound: resume the run, or remove it");
  };
  if (!json.is_object()) return damaged("not a JSON object");
  const auto text_of = [&](const char* key) { return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>() : std::string(); };
  const auto name = std::find(kStateNames.begin(), kStateNames.end(), text_of("state"));
  if (name == kStateNames.end()) return damaged("unknown state \"" + text_of("state") + "\"");
  RunState state;
  state.state = static_cast<State>(name - kStateNames.begin());
  if (json.contains("pid") && json.at("pid").is_number_integer()) state.pid = json.at("pid").get<int64_t>();
  state.socket = text_of("socket");
  state.released = json.contains("released") && json.at("released").is_boolean() && json.at("released").get<bool>();
  if (json.contains("changed")) state.changed = numberFrom(json.at("changed"), 0);
  return state;
}

}  // namespace

std::string_view stateName(State state) { return kStateNames.at(static_cast<size_t>(state)); }

std::string makeRunId(std::string_view name) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char stamp[32] = {};
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S-", &local);
  return stamp + folderName(name);
}

fs::path freeRunPath(const fs::path& home, std::string_view name) {
  const std::string id = makeRunId(name);
  fs::path path = home / id;
  std::error_code error;
  for (int i = 2; fs::exists(fs::symlink_status(path, error)); ++i) path = home / (id + "-" + std::to_string(i));
  return path;
}

Result<Layout> createRun(const fs::path& dir) {
  const Layout run{fs::absolute(dir).lexically_normal()};
  std::error_code error;
  const bool exists = fs::exists(run.dir, error);
  if (exists && (!fs::is_directory(run.dir, error) || !fs::is_empty(run.dir, error) || error)) {
    return fail(ErrorCode::Failed, error ? "cannot look into the folder: " + error.message() : "the run's folder exists and is not empty", displayPath(run.dir),
                "choose another folder with --run-dir, or continue that run with: trainyard resume");
  }
  for (const char* folder : {"checkpoints", "samples", "exports"}) {
    if (auto made = makeFolder(run.dir / folder); !made) {
      if (!exists) fs::remove_all(run.dir, error);
      return fail(ErrorCode::Failed, "cannot create the run: " + made.error().what, displayPath(run.dir),
                  "choose a folder that you may write in, with --run-dir or $TRAINYARD_RUNS");
    }
  }
  return run;
}

Result<Layout> createNewRun(const fs::path& home, std::string_view name) {
  TRAINYARD_CHECK(makeFolder(home));
  while (true) {
    const fs::path dir = freeRunPath(home, name);
    if (::mkdir(dir.c_str(), 0777) == 0 || errno != EEXIST) return createRun(dir);
  }
}

Result<void> writeState(const Layout& run, const RunState& state) {
  Json json = Json::object();
  json["state"] = stateName(state.state);
  json["pid"] = state.pid;
  json["socket"] = state.socket;
  json["released"] = state.released;
  json["changed"] = std::round((state.changed > 0 ? state.changed : unixTime()) * 1000) / 1000;
  return replaceFile(run.state(), prettyJson(json) + "\n");
}

Result<SeenState> readState(const Layout& run) {
  std::error_code error;
  if (!fs::exists(run.state(), error)) {
    if (isLocked(run.dir)) return SeenState{{State::Starting}, false};
    return fail(ErrorCode::Data, "this run has no state.json: it never started, or the folder is not a run", displayPath(run.dir));
  }
  TRAINYARD_TRY(RunState state, parseState(run.state()));
  if (!isLive(state.state) || isLocked(run.dir)) return SeenState{std::move(state), false};
  // An engine writes its last state before it lets go of the lock: what stands there now, after a free lock was seen, is final.
  TRAINYARD_TRY(state, parseState(run.state()));
  if (!isLive(state.state)) return SeenState{std::move(state), false};
  state.state = State::Failed;
  state.socket.clear();
  return SeenState{std::move(state), true};
}

}  // namespace trainyard::runs
