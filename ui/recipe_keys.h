#pragma once
// Key paths of a recipe ("train.epochs", "augment[1].size") and what the catalogue says about them.
#include <QString>
#include <QStringList>

#include "core/base/json.h"
#include "core/catalogue/catalogue.h"

namespace trainyard::ui {

// The value at a key path; null when it is not there.
Json valueAt(const Json& document, const QString& key);

// Sets it, making tables on the way; a null value removes the key. A path through something that is no table, or past the end of a list,
// changes nothing.
void putAt(Json& document, const QString& key, const Json& value);

// Leaves of two documents that differ, as key paths: those of `a` in order, then those that only `b` has. Lists are leaves.
QStringList differences(const Json& a, const Json& b);

// The spec of a key as the document's choices have it ("optimizer.lr" of the chosen optimizer, "augment[1].transforms[0].size" of the step
// inside a step); nullptr for none.
const catalogue::ParamSpec* specAt(const Json& document, const QString& key);

// What people call the key: the spec's title in the window's language, the section's for a selector, else the key itself.
QString titleAt(const Json& document, const QString& key);

// A value as people write it: 0.0002 → "2e-4", true → "on", [0.9, 0.999] → "0.9, 0.999", null → "–".
QString valueText(const Json& value);

// The page that edits the key: "data", "input", "model" or "train".
QString pageOf(const QString& key);

}  // namespace trainyard::ui
