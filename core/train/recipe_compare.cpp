#include "core/train/recipe_compare.h"

#include <algorithm>
#include <array>

#include "core/base/units.h"

namespace trainyard::train {

namespace {

constexpr std::array kMayChange = {"run.name",           "data.path",                   "data.workers",
                                   "data.cache",         "train.epochs",                "train.log_every",
                                   "train.threads",      "train.early_stop",            "train.early_stop_min_delta",
                                   "train.deterministic", "train.nonfinite_patience",    "train.activation_checkpointing",
                                   "parallel.devices",   "parallel.timeout",            "parallel.strategy",
                                   "parallel.sync_batch_norm", "parallel.compress",      "parallel.stages",
                                   "parallel.cuts",      "parallel.micro_batches",      "parallel.schedule",
                                   "parallel.stage",     "checkpoint.every_epochs",     "checkpoint.keep",
                                   "checkpoint.metric"};

fs::path changesFile(const runs::Layout& run) { return run.dir / "changes.json"; }

void compareInto(const std::string& key, const Json& from, const Json& to, std::vector<KeyChange>& out) {
  if (from == to) return;
  if (from.is_object() && to.is_object()) {
    const std::string prefix = key.empty() ? "" : key + ".";
    for (const auto& [name, value] : from.items()) compareInto(prefix + name, value, to.contains(name) ? to[name] : Json(), out);
    for (const auto& [name, value] : to.items()) {
      if (!from.contains(name)) compareInto(prefix + name, Json(), value, out);
    }
    return;
  }
  const auto tables = [](const Json& list) { return list.is_array() && !list.empty() && list[0].is_object(); };
  if ((tables(from) && to.is_array()) || (from.is_array() && tables(to))) {
    for (size_t i = 0; i < std::max(from.size(), to.size()); ++i) {
      compareInto(key + "[" + std::to_string(i) + "]", i < from.size() ? from[i] : Json(), i < to.size() ? to[i] : Json(), out);
    }
    return;
  }
  out.push_back({key, from, to});
}

// Sets "train.epochs" in a document; null takes it out, as another strategy does with the keys of the one before.
void assign(Json& document, const std::string& key, const Json& value) {
  const size_t dot = key.find('.');
  Json& section = document[key.substr(0, dot)];
  if (value.is_null()) {
    section.erase(key.substr(dot + 1));
  } else {
    section[key.substr(dot + 1)] = value;
  }
}

std::string valueText(const Json& value) { return value.is_null() ? "none" : compactJson(value); }

Result<Json> readChanges(const runs::Layout& run) {
  std::error_code error;
  if (!fs::exists(changesFile(run), error)) return Json::array();
  TRAINYARD_TRY(const std::string text, readFile(changesFile(run)));
  Json changes = Json::parse(text, nullptr, false);
  const bool sound = changes.is_array() && std::all_of(changes.begin(), changes.end(), [](const Json& change) {
    return change.is_object() && change.contains("to") && change.contains("key") && change["key"].is_string() && mayChange(change["key"].get<std::string>());
  });
  if (!sound) return fail(ErrorCode::Data, "is not readable", displayPath(changesFile(run)), "remove it to go on with the recipe that the run was started with");
  return changes;
}

}  // namespace

std::vector<KeyChange> compare(const Json& from, const Json& to) {
  std::vector<KeyChange> changes;
  compareInto("", from, to, changes);
  return changes;
}

bool mayChange(const std::string& key) { return std::find(kMayChange.begin(), kMayChange.end(), key) != kMayChange.end(); }

std::string toText(const std::vector<KeyChange>& changes) {
  std::string text;
  for (const auto& [key, from, to] : changes) text += (text.empty() ? "" : "; ") + key + " " + valueText(from) + " → " + valueText(to);
  return text;
}

Result<recipe::Recipe> currentRecipe(const runs::Layout& run) {
  TRAINYARD_TRY(recipe::Recipe recipe, recipe::load(run.recipe()));
  TRAINYARD_TRY(const Json changes, readChanges(run));
  if (changes.empty()) return recipe;
  for (const auto& change : changes) assign(recipe.document, change["key"].get<std::string>(), change["to"]);
  const auto checked = recipe::check(recipe.document, displayPath(changesFile(run)));
  if (!checked.problems.empty()) return tl::unexpected(checked.problems.front().error);
  return recipe::toRecipe(checked.document);
}

Result<std::vector<KeyChange>> allowedChanges(const Json& current, const Json& wanted, const std::string& where) {
  std::vector<KeyChange> taken, refused;
  for (auto& change : compare(current, wanted)) (mayChange(change.key) ? taken : refused).push_back(std::move(change));
  if (refused.empty()) return taken;
  const bool rate = std::any_of(refused.begin(), refused.end(), [](const KeyChange& change) { return change.key == "optimizer.lr"; });
  return fail(ErrorCode::Recipe, "the recipe is not the run's any more, and this cannot change midway: " + toText(refused), where,
              std::string("start a new run with it") + (rate ? "; the learning rate alone can be changed with --lr-factor" : ""));
}

Result<void> recordChanges(const runs::Layout& run, const std::vector<KeyChange>& changes) {
  if (changes.empty()) return {};
  TRAINYARD_TRY(Json all, readChanges(run));
  for (const auto& [key, from, to] : changes) all.push_back({{"time", unixTime()}, {"key", key}, {"from", from}, {"to", to}});
  return replaceFile(changesFile(run), prettyJson(all) + "\n");
}

}  // namespace trainyard::train
