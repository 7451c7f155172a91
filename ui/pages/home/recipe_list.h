#pragma once
// The recipes of this user and the runs made from each.
#include <QString>
#include <vector>

#include "core/runs/run_directory.h"

namespace trainyard::ui {

class RecipeDocument;
class RunsModel;

struct RecipeEntry {
  QString name;
  QString file;        // empty: there are runs, but the recipe is gone
  QString arch, data;  // architecture id; where its pictures are
  bool missing_data = false;
  std::vector<runs::RunSummary> runs;  // newest first
  double best = std::nan("");
  std::string metric;
};

// The recipe that is open comes first, as it is now, saved or not. Reads one small file per other recipe.
std::vector<RecipeEntry> listRecipes(const RunsModel& runs, const RecipeDocument& open);

bool isLive(const runs::RunSummary& run);

}  // namespace trainyard::ui
