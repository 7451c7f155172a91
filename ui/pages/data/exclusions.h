#pragma once
// Pictures and classes that the recipe leaves out. Each of these is one step of undo, and none touches a file.
#include <QStringList>

#include "ui/recipe_document.h"

namespace trainyard::ui {

struct Exclusions {
  QStringList pictures, classes;  // data.exclude, data.exclude_classes
  bool empty() const { return pictures.isEmpty() && classes.isEmpty(); }
};

Exclusions exclusionsOf(const RecipeDocument& recipe);

// Names as Dataset::name and Dataset::classes give them; those that are left out already stay so.
void leaveOut(RecipeDocument& recipe, const QStringList& pictures, const QStringList& classes = {});
void putBack(RecipeDocument& recipe, const QStringList& pictures, const QStringList& classes = {});

}  // namespace trainyard::ui
