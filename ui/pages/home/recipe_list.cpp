#include "ui/pages/home/recipe_list.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "core/recipe/recipe.h"
#include "core/runs/metric_order.h"
#include "ui/models/runs_model.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

QString textAt(const Json& document, const char* key) {
  const Json value = valueAt(document, key);
  return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

RecipeEntry entryOf(const QString& file, const Json& document, const QString& base) {
  RecipeEntry entry;
  entry.file = file;
  entry.name = textAt(document, "run.name");
  if (entry.name.isEmpty()) entry.name = QFileInfo(file).completeBaseName();
  entry.arch = textAt(document, "model.arch");
  entry.data = textAt(document, "data.path");
  fs::path path = expandUser(entry.data.toStdString());
  if (path.is_relative()) path = fs::path(base.toStdString()) / path;
  std::error_code ignored;
  entry.missing_data = !entry.data.isEmpty() && !fs::exists(path, ignored);
  return entry;
}

RecipeEntry read(const QString& file) {
  const auto text = readFile(fs::path(file.toStdString()));
  const auto parsed = text ? recipe::parseToml(*text, file.toStdString()) : Result<recipe::Parsed>(tl::unexpected(text.error()));
  return entryOf(file, parsed ? parsed->document : Json::object(), QFileInfo(file).path());
}

// Values of different metrics do not compare: then the newest run's counts.
bool better(const runs::RunSummary& run, const RecipeEntry& entry) {
  if (std::isnan(run.best)) return false;
  if (std::isnan(entry.best)) return true;
  if (run.metric != entry.metric) return false;
  return runs::higherIsBetter(run.metric) ? run.best > entry.best : run.best < entry.best;
}

void addRun(RecipeEntry& entry, const runs::RunSummary& run) {
  entry.runs.push_back(run);
  if (!better(run, entry)) return;
  entry.best = run.best;
  entry.metric = run.metric;
}

}  // namespace

bool isLive(const runs::RunSummary& run) {
  const auto state = run.seen.state.state;
  return run.problem.empty() && (state == runs::State::Starting || state == runs::State::Running || state == runs::State::Paused);
}

std::vector<RecipeEntry> listRecipes(const RunsModel& runs, const RecipeDocument& open) {
  std::vector<RecipeEntry> entries;
  if (!open.file().isEmpty()) entries.push_back(entryOf(open.file(), open.given(), open.base()));
  for (const QString& file : RecipeDocument::drafts()) {
    if (file != open.file()) entries.push_back(read(file));
  }
  for (int row = 0; row < runs.rowCount(); ++row) {
    const auto& run = runs.at(row);
    if (!run.problem.empty()) continue;
    const QString name = QString::fromStdString(run.name);
    auto found = std::find_if(entries.begin(), entries.end(), [&](const RecipeEntry& entry) { return entry.name == name; });
    if (found == entries.end()) {
      RecipeEntry gone;
      gone.name = name;
      gone.arch = QString::fromStdString(run.arch);
      entries.push_back(gone);
      found = entries.end() - 1;
    }
    addRun(*found, run);
  }
  return entries;
}

}  // namespace trainyard::ui
