#include <algorithm>

#include "core/base/files.h"
#include "core/base/units.h"
#include "core/runs/run_directory.h"

namespace trainyard::runs {

namespace {

constexpr size_t kStampLength = 16;  // "YYYYMMDD-HHMMSS-"
constexpr size_t kNamedAtMost = 5;

bool startsLikeAnId(std::string_view name) {
  if (name.size() <= kStampLength) return false;
  for (size_t i = 0; i < kStampLength; ++i) {
    const bool dash = i == 8 || i == 15;
    if (dash ? name[i] != '-' : std::isdigit(static_cast<unsigned char>(name[i])) == 0) return false;
  }
  return true;
}

std::string nameOf(const std::string& id) { return startsLikeAnId(id) ? id.substr(kStampLength) : id; }

fs::path absoluteFolder(const fs::path& dir) {
  const fs::path path = fs::absolute(dir).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (size_t i = 0; i < std::min(ids.size(), kNamedAtMost); ++i) text += (i ? ", " : "") + ids[i];
  if (ids.size() > kNamedAtMost) text += ", and " + std::to_string(ids.size() - kNamedAtMost) + " more";
  return text;
}

tl::unexpected<Error> notFound(const std::string& text, const std::vector<std::string>& ids, const fs::path& home) {
  if (ids.empty())
    return fail(ErrorCode::Usage, "there is no run \"" + text + "\"; there are no runs yet", displayPath(home), "start one with: trainyard demo");
  std::vector<std::string> words = ids;
  for (const auto& id : ids) words.push_back(nameOf(id));
  const std::string near = nearestWord(text, words);
  return fail(ErrorCode::Usage, "there is no run \"" + text + "\"", displayPath(home),
              near.empty() ? "the newest are " + listed(ids) : "the nearest is " + near + "; \"latest\" takes the newest run");
}

}  // namespace

bool looksLikeRun(const fs::path& dir) {
  const Layout run{dir};
  std::error_code error;
  if (!fs::is_directory(dir, error)) return false;
  if (startsLikeAnId(dir.filename().string())) return true;
  return fs::exists(run.state(), error) || fs::exists(run.events(), error) || fs::exists(run.lock(), error);
}

std::vector<std::string> runIds(const fs::path& home) {
  std::vector<std::string> ids;
  std::error_code error;
  for (fs::directory_iterator entry(home, error), end; !error && entry != end; entry.increment(error)) {
    if (looksLikeRun(entry->path())) ids.push_back(entry->path().filename().string());
  }
  std::sort(ids.begin(), ids.end(), std::greater<>());
  return ids;
}

Result<Layout> findRun(std::string_view text) {
  const std::string word(text);
  if (word.empty()) return fail(ErrorCode::Usage, "no run was named", "RUN", "give a path, an id, a part of one, or \"latest\"");
  const fs::path home = runsHome();
  std::error_code error;
  const fs::path path = expandUser(word);
  if (word.find('/') != std::string::npos || word == "." || word == "..") {
    if (looksLikeRun(absoluteFolder(path))) return Layout{absoluteFolder(path)};
    return fail(ErrorCode::Usage, fs::is_directory(path, error) ? "this folder is not a run" : "there is no such folder", displayPath(path),
                "trainyard runs list shows the runs");
  }
  const std::vector<std::string> ids = runIds(home);
  if (std::find(ids.begin(), ids.end(), word) != ids.end()) return Layout{home / word};
  if (word == "latest" && !ids.empty()) return Layout{home / ids.front()};
  if (looksLikeRun(absoluteFolder(path))) return Layout{absoluteFolder(path)};
  std::vector<std::string> matches;
  for (const auto& id : ids) {
    if (id.starts_with(word) || id.ends_with(word)) matches.push_back(id);
  }
  if (matches.size() == 1) return Layout{home / matches.front()};
  if (matches.empty()) return notFound(word, ids, home);
  return fail(ErrorCode::Usage, "\"" + word + "\" fits " + std::to_string(matches.size()) + " runs: " + listed(matches), displayPath(home),
              "write more of the id, or \"latest\" for the newest run of all");
}

}  // namespace trainyard::runs
