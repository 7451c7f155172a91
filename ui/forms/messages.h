#pragma once
// What is wrong with a value, in the window's language and in few words, for the place beside its field.
#include <QString>

#include "core/catalogue/param_spec.h"
#include "core/recipe/recipe.h"

namespace trainyard::ui {

// `spec` nullptr, or a kind of fault that it does not explain: the check's own words.
QString problemText(const catalogue::ParamSpec* spec, const Json& value, const recipe::Problem& problem);

// The first sentence of a help text.
QString firstSentence(const QString& help);

}  // namespace trainyard::ui
