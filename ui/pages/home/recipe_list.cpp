#include "ui/pages/home/recipe_list.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "core/recipe/recipe.h"
#include "ui/models/runs_model.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

QString textAt(const Json& document, const char* key) {
  const Json value = valueAt(document, key);
  return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

RecipeEntry read(const QString& file) {
  RecipeEntry entry;
  entry.file = file;
  entry.name = QFileInfo(file).completeBaseName();
  const auto text = readFile(fs::path(file.toStdString()));
  if (!text) return entry;
  const auto parsed = recipe::parseToml(*text, file.toStdString());
  if (!parsed) return entry;
  const QString name = textAt(parsed->document, "run.name");
  if (!name.isEmpty()) entry.name = name;
  entry.arch = textAt(parsed->document, "model.arch");
  entry.data = textAt(parsed->document, "data.path");
  const fs::path path = expandUser(entry.data.toStdString());
  std::error_code ignored;
  entry.missing_data = !entry.data.isEmpty() && path.is_absolute() && !fs::exists(path, ignored);
  return entry;
}

bool better(const std::string& metric, double a, double b) { return std::isnan(b) || (metric == "loss" ? a < b : a > b); }

void addRun(RecipeEntry& entry, const runs::RunSummary& run) {
  entry.runs.push_back(run);
  if (std::isnan(run.best) || !better(run.metric, run.best, entry.best)) return;
  entry.best = run.best;
  entry.metric = run.metric;
}

}  // namespace

bool isLive(const runs::RunSummary& run) {
  const auto state = run.seen.state.state;
  return run.problem.empty() && (state == runs::State::Starting || state == runs::State::Running || state == runs::State::Paused);
}

std::vector<RecipeEntry> listRecipes(const RunsModel& runs, const QString& current_file, const QString& current_name) {
  std::vector<RecipeEntry> entries;
  QStringList files = RecipeDocument::drafts();
  if (!current_file.isEmpty()) {
    files.removeAll(current_file);
    files.prepend(current_file);
  }
  for (const QString& file : files) entries.push_back(read(file));
  if (!entries.empty() && !current_file.isEmpty() && !current_name.isEmpty()) entries.front().name = current_name;
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
