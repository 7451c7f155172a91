#pragma once
// The steps of a chain as lines, and edits of them. Each edit is one step of undo. A step is named by its key path in the recipe: "augment[1]",
// "augment[1].transforms[0]" for the first step inside it.
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/recipe_document.h"

namespace trainyard::ui {

struct Step {
  QString path;
  int depth = 0;  // 1: inside another step
  std::string op;
  bool enabled = true;
  bool container = false;  // has steps inside
  QString title, summary;  // "Random crop", "32 · Padding 4"
};

// Of "augment" or "eval_augment", each container followed by what is inside.
std::vector<Step> stepsOf(const Json& document, const QString& chain);

// "augment[2]" → "augment" and 2; "augment[1].transforms[0]" → "augment[1].transforms" and 0.
QString listOf(const QString& path);
int placeOf(const QString& path);
QString pathIn(const QString& list, int place);

// A step with what it cannot do without: a size as the network's pictures have it, steps to hold.
Json newStep(const std::string& op, int size);

// All return the path under which the step stands afterwards; "" when nothing was changed.
QString addStep(RecipeDocument& recipe, const QString& list, const Json& step);  // at the end, but before mixing and normalising
QString moveStep(RecipeDocument& recipe, const QString& path, int place);        // within its list
void removeStep(RecipeDocument& recipe, const QString& path);
void switchStep(RecipeDocument& recipe, const QString& path, bool on);

// A chain to begin with.
Json suggestedForPhotos(int size);
Json suggestedForSmallPictures(int size, bool colour);

// The evaluation chain that follows from a training chain: resizes, crops in the centre where training crops, normalisation.
Json derivedEvaluation(const Json& augment);

// Groups of the menu that adds steps: a title (source text of context "ChainSteps") and ids. Ids in none of them come last.
struct StepGroup {
  QString title;
  std::vector<std::string> ops;
};
std::vector<StepGroup> stepGroups(bool inside);  // inside another step: without those that only stand alone

}  // namespace trainyard::ui
