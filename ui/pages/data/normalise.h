#pragma once
// The scan's colour statistics as the recipe's normalize step.
#include <vector>

#include "core/data/scan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {

// Mean and standard deviation for as many channels as the network gets, to four digits; both empty when nothing was readable.
struct ColourStatistics {
  std::vector<double> mean, std;
};
ColourStatistics statisticsFor(const data::ScanReport& report, const RecipeDocument& recipe);

// Whether the training chain's normalize step, if it is on, has these numbers.
bool normalisesWith(const RecipeDocument& recipe, const ColourStatistics& statistics);

// Writes them into the normalize step, at the chain's end when there is none yet; into a chain of its own for evaluation, too. One step of undo.
void normaliseWith(RecipeDocument& recipe, const ColourStatistics& statistics);

}  // namespace trainyard::ui
