#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/units.h"
#include "core/runs/control.h"

namespace trainyard::runs {

namespace {

const std::vector<std::string>& commandNames() {
  static const std::vector<std::string> kNames = {"pause", "release", "resume", "stop", "checkpoint", "evaluate", "set"};
  return kNames;
}

constexpr const char* kSetExample = "for example: set lr 0.001";

// "set lr = 0.1" and "set lr=0.1" become {"set", "lr", "0.1"}.
std::vector<std::string> splitWords(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  bool open = false;
  for (const auto& word : words) {
    open = false;
    for (const char c : word) {
      const bool gap = std::isspace(static_cast<unsigned char>(c)) != 0 || (c == '=' && !parts.empty());
      if (gap) {
        open = false;
      } else if (open) {
        parts.back() += c;
      } else {
        parts.emplace_back(1, c);
        open = true;
      }
    }
  }
  return parts;
}

Result<double> parseNumber(const std::string& key, const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return fail(ErrorCode::Usage, "\"" + text + "\" is not a number", key,
              text.find(',') == std::string::npos ? kSetExample : "write decimals with a point, 0.001");
}

Result<Json> parseSet(const std::vector<std::string>& parts) {
  if (parts.size() < 3 || parts.size() % 2 == 0) {
    return fail(ErrorCode::Usage, parts.size() < 2 ? "set needs a key and a value" : "\"" + parts.back() + "\" has no value", "set", kSetExample);
  }
  Json values = Json::object();
  for (size_t i = 1; i + 1 < parts.size(); i += 2) {
    if (values.contains(parts[i])) return fail(ErrorCode::Usage, "\"" + parts[i] + "\" is given twice", "set", kSetExample);
    TRAINYARD_TRY(values[parts[i]], parseNumber(parts[i], parts[i + 1]));
  }
  return Json{{"command", "set"}, {"values", std::move(values)}};
}

}  // namespace

Result<Json> parseCommand(const std::vector<std::string>& words) {
  const std::vector<std::string> parts = splitWords(words);
  const auto& names = commandNames();
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  if (parts.empty()) return fail(ErrorCode::Usage, "no command was given", "COMMAND", "the commands are " + all);
  if (std::find(names.begin(), names.end(), parts[0]) == names.end()) {
    const std::string near = nearestWord(parts[0], names);
    return fail(ErrorCode::Usage, "unknown command \"" + parts[0] + "\"", "COMMAND",
                near.empty() ? "the commands are " + all : "did you mean \"" + near + "\"?");
  }
  if (parts[0] == "set") return parseSet(parts);
  if (parts.size() > 1) return fail(ErrorCode::Usage, parts[0] + " takes nothing more, but \"" + parts[1] + "\" follows", "COMMAND", "send one command at a time");
  return Json{{"command", parts[0]}};
}

}  // namespace trainyard::runs
