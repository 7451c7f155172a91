#pragma once
// A run's recipe after its start: recipe.toml never changes, what a resume was allowed to change stands in changes.json.
#include <vector>

#include "core/recipe/recipe.h"
#include "core/runs/run_directory.h"

namespace trainyard::train {

struct KeyChange {
  std::string key;  // "train.epochs", "augment[1].size"
  Json from, to;    // null where one side lacks the key
};

// What differs between two checked documents, in the order of their keys.
std::vector<KeyChange> compare(const Json& from, const Json& to);

// Whether a key may change between a stop and a resume: those that the numbers of the steps already done do not depend on.
bool mayChange(const std::string& key);

// "train.epochs 10 → 20; checkpoint.keep 3 → 5"
std::string toText(const std::vector<KeyChange>& changes);

// The recipe that the run goes by now.
Result<recipe::Recipe> currentRecipe(const runs::Layout& run);

// What changes when `wanted` takes the place of `current`. Error Recipe naming every key that must not, `where` in its place.
Result<std::vector<KeyChange>> allowedChanges(const Json& current, const Json& wanted, const std::string& where);

// Adds them to changes.json. For the holder of the run's lock.
Result<void> recordChanges(const runs::Layout& run, const std::vector<KeyChange>& changes);

}  // namespace trainyard::train
